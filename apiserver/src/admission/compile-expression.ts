import { compile, type Program, perCallLimit } from "../cel/compile.ts";
import { toText } from "../cel/conversion.ts";
import { parseType } from "../cel/function.ts";
import { formatType, type Type } from "../cel/type.ts";
import { Duration, fromJson, ListValue, MapValue, Timestamp, Uint, type Value } from "../cel/value.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type {
  CompileExpression,
  ExpressionEnvironment,
  ExpressionInput,
  ExpressionProgram,
  ExpressionResult,
} from "./expressions.ts";

/** The variables of a policy, which are evaluated when they are read. */
class PolicyVariables extends MapValue {
  readonly #names: readonly string[];
  readonly #read: (name: string) => unknown;

  constructor(names: readonly string[], read: (name: string) => unknown) {
    super();
    this.#names = names;
    this.#read = read;
  }

  get size(): number {
    return this.#names.length;
  }

  get(key: Value): Value | undefined {
    return typeof key === "string" && this.#names.includes(key) ? (this.#read(key) as Value) : undefined;
  }

  keys(): Iterable<Value> {
    return this.#names;
  }
}

const dynamic = parseType("dyn");

function variablesOf(environment: ExpressionEnvironment): Record<string, Type> {
  return {
    object: dynamic,
    oldObject: dynamic,
    request: dynamic,
    namespaceObject: dynamic,
    variables: dynamic,
    ...(environment.params ? { params: dynamic } : {}),
    ...(environment.authorizer ? { authorizer: dynamic } : {}),
  };
}

/**
 * Compiles an expression of admission. The types of objects aren't checked: a field that doesn't exist is an error when the
 * expression is evaluated. Expressions can't use `authorizer` and the types of patches.
 */
export const compileExpression: CompileExpression = (expression, environment, resultTypes) => {
  const compiled = compile(expression, { variables: variablesOf(environment) });
  if ("problems" in compiled) {
    return failing(`${compiled.instantiation ? "program instantiation" : "compilation"} failed: ${compiled.problems}`);
  }
  if (resultTypes.length > 0 && !resultTypes.includes(formatType(compiled.type))) {
    const [first] = resultTypes;
    return failing(`must evaluate to ${resultTypes.length === 1 ? first : `one of [${resultTypes.join(" ")}]`}`);
  }
  const names = environment.variables.map(({ name }) => name);
  return {
    problem: undefined,
    evaluate: (input) => evaluate(compiled.program, names, input),
    toJson: (value) => toJson(value as Value),
  };
};

function failing(problem: string): ExpressionProgram {
  return { problem, evaluate: () => ({ cost: 0, error: problem }), toJson: () => null };
}

function evaluate(program: Program, names: readonly string[], input: ExpressionInput): ExpressionResult {
  const json = (value: JsonObject | null | undefined): Value | undefined =>
    value === undefined ? undefined : fromJson(value);
  const read = (name: string): Value | undefined => {
    switch (name) {
      case "object":
        return json(input.object);
      case "oldObject":
        return json(input.oldObject);
      case "request":
        return json(input.request);
      case "namespaceObject":
        return json(input.namespaceObject);
      case "params":
        return json(input.params);
      case "variables":
        return new PolicyVariables(names, input.variable);
      default:
        return undefined;
    }
  };
  const { value, error, cost } = program.evaluate(read, perCallLimit);
  return error === undefined ? { cost, value } : { cost, error: error.message };
}

function toJson(value: Value): Json {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Uint) return Number(value.value);
  if (value instanceof ListValue) return [...value].map(toJson);
  if (value instanceof MapValue) {
    return Object.fromEntries([...value.keys()].map((key) => [String(key), toJson(value.get(key) as Value)]));
  }
  if (value instanceof Timestamp || value instanceof Duration) return toText(value);
  return typeof value === "object" ? null : value;
}
