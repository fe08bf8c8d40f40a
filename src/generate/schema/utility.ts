import type { Position, RefType, TypeExpr } from "../source/model.ts";
import type { SchemaBuilder, Scope } from "./builder.ts";
import { coreTypeShape, goPackageOf } from "./core-types.ts";
import { literalUnion } from "./literals.ts";
import { mapSchema } from "./map.ts";
import { missingProperty } from "./missing-property.ts";
import type { JSONSchema } from "./model/json-schema.ts";
import { objectMetaRef } from "./model/known-types.ts";
import { onlyProperties, withoutProperties, withReferences, withRequired } from "./properties.ts";

type Utility = (builder: SchemaBuilder, args: readonly TypeExpr[], scope: Scope) => JSONSchema | undefined;

const array: Utility = (builder, [element], scope) =>
  element && { type: "array", items: builder.expression(element, scope) };
const same: Utility = (builder, [type], scope) => type && builder.expression(type, scope);

type Absent = (builder: SchemaBuilder, at: Position, message: string, hint: string) => void;

/** Creates a utility type that changes an object schema. `absent` receives names that the type doesn't have. */
function reshaped(
  change: (schema: JSONSchema, names: readonly string[]) => JSONSchema,
  absent: Absent = () => {},
): Utility {
  return (builder, [type, names], scope) => {
    const values = names ? builder.literals(names, scope)?.map(String) : [];
    if (!type || !values) return undefined;
    const original = names ? wholeMetadata(builder.expression(type, scope)) : builder.expression(type, scope);
    const schema = withReferences(builder, builder.resolved(original), original);
    // TypeScript distributes over unions, and lists and maps aren't changed.
    if (schema.type !== "object" || schema.oneOf || isOpen(schema)) return undefined;
    const there = Object.keys(schema.properties ?? {});
    for (const { value, at } of names ? writtenIn(names) : []) {
      if (there.includes(value) || isClass(builder, type, scope)) continue;
      const { message, hint } = missingProperty(type, value, there);
      absent(builder, at, message, hint);
    }
    return change(schema, values);
  };
}

function isOpen(schema: JSONSchema): boolean {
  return Boolean(schema.additionalProperties || schema["x-kubernetes-preserve-unknown-fields"]);
}

/** Returns whether a type is a class: its members that aren't data are unknown. */
function isClass(builder: SchemaBuilder, type: TypeExpr, scope: Scope): boolean {
  return builder.unalias(type, scope).node?.declaration.kind === "class";
}

/** Adds the properties of embedded object metadata, which the schema doesn't contain, so that `Pick` can select them. */
function wholeMetadata(schema: JSONSchema): JSONSchema {
  return (schema.$ref === objectMetaRef && coreTypeShape(goPackageOf("meta", "v1"), "ObjectMeta")) || schema;
}

/** Returns the names that are written as literals. Names from another type may be intended for several types. */
function writtenIn(names: TypeExpr): { value: string; at: Position }[] {
  if (names.kind === "union") return names.types.flatMap(writtenIn);
  return names.kind === "literal" ? [{ value: String(names.value), at: names.at }] : [];
}

/** Reports a name that can't be picked. TypeScript rejects it, too. */
const unknownPick: Absent = (builder, at, message, hint) => builder.error("unknown-type", at, message, hint);

/** Warns about a name that can't be omitted. TypeScript accepts it, so a misspelled name isn't omitted. */
const unknownOmit: Absent = (builder, at, message, hint) =>
  builder.warn("unknown-omit", at, `${message} to omit`, hint);

/** TypeScript's utility types, implemented on schemas to preserve scalar aliases, built-in types and markers. */
const utilities: ReadonlyMap<string, Utility> = new Map<string, Utility>([
  ["Array", array],
  ["ReadonlyArray", array],
  ["Readonly", same],
  ["NonNullable", nonNullable],
  ["Record", record],
  ["Partial", reshaped((schema) => withRequired(schema, false))],
  ["Required", reshaped((schema) => withRequired(schema, true))],
  ["Pick", reshaped(onlyProperties, unknownPick)],
  ["Omit", reshaped(withoutProperties, unknownOmit)],
  ["Exclude", literalOnly],
  ["Extract", literalOnly],
  ["Uppercase", literalOnly],
  ["Lowercase", literalOnly],
  ["Capitalize", literalOnly],
  ["Uncapitalize", literalOnly],
]);

/** Returns whether a global name is a supported utility type. */
export function isUtility(name: string): boolean {
  return utilities.has(name);
}

/** Returns the schema of a utility type. */
export function utilitySchema(builder: SchemaBuilder, expr: RefType, scope: Scope): JSONSchema {
  const values = utilities.get(expr.text) === literalOnly ? builder.literals(expr, scope) : undefined;
  if (values) return literalUnion(builder, expr, values);
  const schema = utilities.get(expr.text)?.(builder, expr.args, scope);
  return schema ?? builder.checkedSchema(expr, scope);
}

function literalOnly(): undefined {
  return undefined;
}

function nonNullable(builder: SchemaBuilder, [type]: readonly TypeExpr[], scope: Scope): JSONSchema | undefined {
  if (!type) return undefined;
  const { nullable: _, ...schema } = builder.resolved(builder.expression(type, scope));
  return schema;
}

function record(builder: SchemaBuilder, [key, value]: readonly TypeExpr[], scope: Scope): JSONSchema | undefined {
  if (!key || !value) return undefined;
  const names = builder.literals(key, scope)?.map(String);
  if (!names) return mapSchema(builder, key, value, scope);
  const schema = builder.expression(value, scope);
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, schema])),
    required: [...names].sort(),
  };
}
