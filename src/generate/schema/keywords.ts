import type { KeywordType, OtherType, Position } from "../source/model.ts";
import type { SchemaBuilder, Scope } from "./builder.ts";
import type { JSONSchema } from "./json-schema.ts";

/** What to write instead of types that describe no data of one shape. */
const advice: Readonly<Record<string, string>> = {
  any: "write the type, or JSONValue for any JSON",
  unknown: "write the type, or JSONValue for any JSON",
  object: "write an interface, Record<string, T>, or RawExtension for any object",
  this: "write the name of the type",
  undefined: "make the property optional with `?`",
  never: "leave the property out",
  void: "leave the property out",
  bigint: "write Int64",
  symbol: "write string",
  function: "leave it out: functions are no data",
  Date: "write Time",
  Map: "write Record<string, T>",
  ReadonlyMap: "write Record<string, T>",
  Set: "write T[] with `+listType=set`",
  WeakMap: "write Record<string, T>",
  WeakSet: "write T[] with `+listType=set`",
  ReadonlySet: "write T[] with `+listType=set`",
  Function: "leave it out: functions are no data",
  null: "write the type that it is the null of: `T | null`",
  ArrayBuffer: "write Bytes",
  Error: "write string",
  Promise: "write the type of its result",
  Uint8Array: "write Bytes",
  Buffer: "write Bytes",
  RegExp: "write string",
  URL: "write string",
  Object: "write an interface, Record<string, T>, or RawExtension for any object",
  String: "write string",
  Number: "write number",
  Boolean: "write boolean",
};

/** Whether there is advice for a global name. */
export function isKnownUnsupported(name: string): boolean {
  return Object.hasOwn(advice, name);
}

/** The schema of `string`, `number`, `boolean`; an error for the other keywords. */
export function keywordSchema(builder: SchemaBuilder, expr: KeywordType): JSONSchema {
  if (expr.name === "string" || expr.name === "boolean") return { type: expr.name };
  // API conventions ask for whole numbers; Float64 is there for those who need fractions.
  if (expr.name === "number") return { type: "integer" };
  return unsupportedName(builder, expr, expr.name);
}

/** Reports a type that has no schema, by its name. */
export function unsupportedName(builder: SchemaBuilder, { at }: { readonly at: Position }, name: string): JSONSchema {
  builder.error("unsupported-type", at, `the type ${name} has no schema`, advice[name]);
  return {};
}

/** The schema of syntax that only the type checker can work out; an error for functions and accessors. */
export function otherSchema(builder: SchemaBuilder, expr: OtherType, scope: Scope): JSONSchema {
  if (expr.syntax === "function") return unsupportedName(builder, expr, "function");
  if (expr.text === "this") return unsupportedName(builder, expr, "this");
  if (expr.syntax === "accessor") {
    const hint = "write a property, without `get` and `set`";
    builder.error("unsupported-type", expr.at, "a getter or setter has no schema", hint);
    return {};
  }
  // The checker met the same type within itself, and there was no name to call it by.
  if (expr.syntax !== "recursion") return builder.checkedSchema(expr, scope);
  builder.warn(
    "recursive-type",
    expr.at,
    `${expr.text.replace(/\s+/g, " ").slice(0, 60)} contains itself: there anything goes, because schemas can't refer to one another`,
    "mark the field +kubebuilder:validation:Schemaless",
  );
  return {};
}
