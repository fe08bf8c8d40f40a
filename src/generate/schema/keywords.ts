import type { KeywordType, OtherType, Position } from "../source/model.ts";
import type { SchemaBuilder, Scope } from "./builder.ts";
import type { JSONSchema } from "./model/json-schema.ts";

/** Replacements for types that have no schema. */
const advice: Readonly<Record<string, string>> = {
  any: "use a specific type, or JSONValue for any JSON",
  unknown: "use a specific type, or JSONValue for any JSON",
  object: "use an interface, Record<string, T>, or RawExtension for any object",
  this: "use the name of the type",
  undefined: "make the property optional with `?`",
  never: "remove the property",
  void: "remove the property",
  bigint: "use Int64",
  symbol: "use string",
  function: "remove it: functions can't be serialized",
  Date: "use Time",
  Map: "use Record<string, T>",
  ReadonlyMap: "use Record<string, T>",
  Set: "use T[] with `+listType=set`",
  WeakMap: "use Record<string, T>",
  WeakSet: "use T[] with `+listType=set`",
  ReadonlySet: "use T[] with `+listType=set`",
  Function: "remove it: functions can't be serialized",
  null: "use a union with the type of other values: `T | null`",
  ArrayBuffer: "use Bytes",
  Error: "use string",
  Promise: "use the type of its result",
  Uint8Array: "use Bytes",
  Buffer: "use Bytes",
  RegExp: "use string",
  URL: "use string",
  Object: "use an interface, Record<string, T>, or RawExtension for any object",
  String: "use string",
  Number: "use number",
  Boolean: "use boolean",
};

/** Returns whether there is a replacement for a global name. */
export function isKnownUnsupported(name: string): boolean {
  return Object.hasOwn(advice, name);
}

/** Returns the schema of `string`, `number`, `boolean`; reports an error for other keywords. */
export function keywordSchema(builder: SchemaBuilder, expr: KeywordType): JSONSchema {
  if (expr.name === "string" || expr.name === "boolean") return { type: expr.name };
  // The API conventions require integers; Float64 is available for fractions.
  if (expr.name === "number") return { type: "integer" };
  return unsupportedName(builder, expr, expr.name);
}

/** Reports a type without a schema, by its name. */
export function unsupportedName(builder: SchemaBuilder, { at }: { readonly at: Position }, name: string): JSONSchema {
  builder.error("unsupported-type", at, `the type ${name} has no schema`, advice[name]);
  return {};
}

/** Returns the schema of syntax that only the type checker can resolve; reports an error for functions and accessors. */
export function otherSchema(builder: SchemaBuilder, expr: OtherType, scope: Scope): JSONSchema {
  if (expr.syntax === "function") return unsupportedName(builder, expr, "function");
  if (expr.text === "this") return unsupportedName(builder, expr, "this");
  if (expr.syntax === "accessor") {
    const hint = "use a property, without `get` and `set`";
    builder.error("unsupported-type", expr.at, "a getter or setter has no schema", hint);
    return {};
  }
  // The checker found the type inside itself and has no name for it.
  if (expr.syntax !== "recursion") return builder.checkedSchema(expr, scope);
  builder.warn(
    "recursive-type",
    expr.at,
    `${expr.text.replace(/\s+/g, " ").slice(0, 60)} contains itself: the inner one allows any value, because schemas can't be recursive`,
    "mark the field +kubebuilder:validation:Schemaless",
  );
  return {};
}
