import { goQuote, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  type Authorize,
  type AuthorizerValues,
  authorizerValues,
  compile,
  Duration,
  formatType,
  fromJson,
  ListValue,
  MapValue,
  type Program,
  perCallLimit,
  StructValue,
  Timestamp,
  type Type,
  toText,
  Uint,
  type Value,
} from "@kubewright/cel/language";
import type { Authorizer } from "../model/authorizer.ts";
import type { UserInfo } from "../model/request.ts";
import { patchFunctions, structsOf, variablesOf } from "./expression-types.ts";
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

/** An expression that can be evaluated, or the reason why it can't be. */
export type CheckedExpression =
  | { program: Program; type: Type }
  | { problem: string /** True if the expression itself is valid. */; internal: boolean };

/**
 * Checks an expression of admission, and compiles it. The types of objects aren't checked: a field that doesn't exist is an
 * error when the expression is evaluated.
 *
 * @param expression - the text
 * @param environment - what it may refer to
 * @param resultTypes - the types that its result may have, for example `bool`; empty for any type
 * @returns the compiled expression, or the problem
 */
export function checkExpression(
  expression: string,
  environment: ExpressionEnvironment,
  resultTypes: readonly string[],
): CheckedExpression {
  const compiled = compile(expression, {
    variables: variablesOf(environment),
    structs: structsOf(environment),
    ...(environment.patchTypes ? { functions: patchFunctions } : {}),
  });
  if ("problems" in compiled) {
    const { type, problems } = compiled;
    const what = type === undefined ? "compilation" : "program instantiation";
    return { problem: `${what} failed: ${problems}`, internal: type !== undefined };
  }
  const type = compiled.type.kind === "null" ? compiled.type.name : formatType(compiled.type);
  if (resultTypes.length > 0 && !resultTypes.includes(type)) {
    const expected = resultTypes.length === 1 ? resultTypes[0] : `one of [${resultTypes.join(" ")}]`;
    return { problem: `must evaluate to ${expected} but got ${type}`, internal: false };
  }
  return compiled;
}

/**
 * Creates the compiler for expressions of admission.
 *
 * @param authorizer - answers the checks of expressions
 * @returns the compiler
 */
export function expressionCompiler(authorizer: Authorizer): CompileExpression {
  return (expression, environment, resultTypes) => {
    const checked = checkExpression(expression, environment, resultTypes);
    if ("problem" in checked) return failing(checked.problem);
    const names = (environment.variables ?? []).map(({ name }) => name);
    return {
      problem: undefined,
      type: checked.type,
      evaluate: (input) => evaluate(checked.program, names, input, authorizer),
      toJson: (value) => checkedJson(value as Value),
    };
  };
}

function failing(problem: string): ExpressionProgram {
  return { problem, evaluate: () => ({ cost: 0, error: problem }), toJson: () => null };
}

function evaluate(
  program: Program,
  names: readonly string[],
  input: ExpressionInput,
  authorizer: Authorizer,
): ExpressionResult {
  let checks: AuthorizerValues | undefined;
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
      case "authorizer":
      case "authorizer.requestResource":
        checks ??= checksOf(input, authorizer);
        return name === "authorizer" ? checks.authorizer : checks.requestResource;
      case "variables":
        return new PolicyVariables(names, input.variable);
      default:
        return undefined;
    }
  };
  const { value, error, cost } = program.evaluate(read, perCallLimit);
  return error === undefined ? { cost, value } : { cost, error: error.message };
}

/** Creates the values with which an expression asks about the permissions of the user of its request. */
function checksOf({ attributes }: ExpressionInput, authorizer: Authorizer): AuthorizerValues {
  const { user, type, subresource, namespace, name } = attributes;
  const authorize: Authorize = ({ serviceAccount, path, ...check }) =>
    authorizer.authorize({
      ...check,
      user: serviceAccount === undefined ? user : serviceAccountUser(serviceAccount),
      isResource: path === undefined,
      path: path ?? "",
      version: path === undefined ? "*" : "",
    });
  return authorizerValues(authorize, { group: type.group, resource: type.resource, subresource, namespace, name });
}

function serviceAccountUser({ namespace, name }: { namespace: string; name: string }): UserInfo {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
  };
}

/**
 * Converts the result of an expression.
 *
 * @throws Error if the name of an object's type isn't that of its field, which the types of `Object` can't ensure
 */
function checkedJson(value: Value): Json {
  const objects = value instanceof ListValue ? [...value].map(patchValue) : [value];
  for (const object of objects) {
    if (!(object instanceof StructValue)) continue;
    const problems = typeProblems(object, object.typeName);
    if (problems.length > 0) throw new Error(`type mismatch: ${problems.join("\n")}`);
  }
  return toJson(value);
}

const patchValue = (item: Value): Value | undefined => (item instanceof StructValue ? item.get("value") : undefined);

function typeProblems(value: Value, path: string): string[] {
  if (value instanceof ListValue) return [...value].flatMap((item) => typeProblems(item, path));
  if (!(value instanceof MapValue)) return [];
  const isObject = value instanceof StructValue;
  const problems = [...value.keys()].flatMap((key) =>
    typeProblems(value.get(key) as Value, isObject ? `${path}.${key}` : path),
  );
  if (!isObject || value.typeName === path) return problems;
  const problem = `unexpected type name ${goQuote(value.typeName)}, expected ${goQuote(path)}, which matches field name path from root Object type`;
  return [problem, ...problems];
}

function toJson(value: Value): Json {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Uint) return Number(value.value);
  if (value instanceof ListValue) return [...value].map(toJson);
  if (value instanceof StructValue && value.typeName === "JSONPatch") return patchJson(value);
  if (value instanceof MapValue) {
    return Object.fromEntries([...value.keys()].map((key) => [String(key), toJson(value.get(key) as Value)]));
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof Timestamp || value instanceof Duration) return toText(value);
  return typeof value === "object" ? null : value;
}

function patchJson(patch: StructValue): Json {
  const text = (field: string): string => (patch.get(field) as string | undefined) ?? "";
  const [from, value] = [text("from"), patch.get("value")];
  return {
    op: text("op"),
    path: text("path"),
    ...(from === "" ? {} : { from }),
    ...(value === undefined ? {} : { value: toJson(value) }),
  };
}
