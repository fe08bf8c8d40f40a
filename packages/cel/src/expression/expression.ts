import type { Json } from "../json/json.ts";
import { compile, perCallLimit } from "../language/compile.ts";
import { parseType } from "../language/declarations/function.ts";
import { formatType } from "../language/declarations/type.ts";
import { toText } from "../language/values/conversion.ts";
import {
  Duration,
  fromJson,
  ListValue,
  MapValue,
  Optional,
  Timestamp,
  Uint,
  type Value,
} from "../language/values/value.ts";
import { ExpressionError } from "./expression-error.ts";

/** Options of {@link compileExpression}. */
export interface ExpressionOptions {
  /**
   * The types of the variables in CEL, such as `int`, `map(string, string)`, or `dyn` for JSON of any type.
   *
   * @defaultValue no variables
   */
  variables?: Readonly<Record<string, string>> | undefined;
  /**
   * Limit for the cost of one evaluation, in kube-apiserver's units.
   *
   * @defaultValue `1_000_000`, as for rules of CustomResourceDefinitions
   */
  costLimit?: number | undefined;
}

/** The result of an evaluation. */
export interface ExpressionResult {
  /**
   * The value as JSON. Integers beyond 2^53 are of type `bigint`, bytes are a `Uint8Array`, timestamps and durations their texts, and
   * values without a form in JSON `undefined`.
   */
  value: unknown;
  /** The cost in kube-apiserver's units. */
  cost: number;
}

/** A compiled expression. */
export interface Expression {
  /** The type of the value in CEL, such as `bool`. */
  type: string;
  /** The names of the variables that the expression reads. */
  references: readonly string[];
  /** The smallest and largest cost that kube-apiserver estimates for values of unknown size, in its units. */
  estimatedCost: { min: number; max: number };
  /**
   * Evaluates the expression.
   *
   * @param variables - the values of the variables, as JSON
   * @returns the value and its cost
   * @throws ExpressionError if the evaluation fails, or costs more than the limit
   */
  evaluate(variables?: Readonly<Record<string, unknown>>): ExpressionResult;
}

/**
 * Compiles an expression in CEL, with the functions that Kubernetes declares in all its environments.
 *
 * @param source - the expression
 * @param options - see {@link ExpressionOptions}
 * @returns the expression, which can be evaluated many times
 * @throws ExpressionError if the expression isn't valid, with the texts of kube-apiserver
 *
 * @example
 * const expression = compileExpression("object.spec.replicas <= 5", { variables: { object: "dyn" } });
 * expression.evaluate({ object: { spec: { replicas: 3 } } }).value; // true
 */
export function compileExpression(source: string, options: ExpressionOptions = {}): Expression {
  const types = Object.entries(options.variables ?? {}).map(([name, type]) => [name, parseType(type)] as const);
  const compiled = compile(source, { variables: Object.fromEntries(types) });
  if ("problems" in compiled) throw new ExpressionError(compiled.problems);
  const { program, type, references, estimate } = compiled;
  return {
    type: type.kind === "null" ? type.name : formatType(type),
    references: [...references],
    estimatedCost: estimate,
    evaluate(variables = {}) {
      const read = (name: string): Value | undefined =>
        Object.hasOwn(variables, name) ? fromJson(variables[name] as Json) : undefined;
      const { value, error, cost } = program.evaluate(read, options.costLimit ?? perCallLimit);
      if (error !== undefined) throw new ExpressionError(error.message);
      return { value: plain(value), cost };
    },
  };
}

function plain(value: Value | undefined): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (value instanceof Uint) return plain(value.value);
  if (value instanceof Optional) return plain(value.value);
  if (value instanceof ListValue) return [...value].map(plain);
  if (value instanceof MapValue) {
    return Object.fromEntries([...value.keys()].map((key) => [String(plain(key)), plain(value.get(key))]));
  }
  if (value instanceof Timestamp || value instanceof Duration) return toText(value);
  return typeof value !== "object" || value === null || value instanceof Uint8Array ? value : undefined;
}
