import type { RefType, TypeExpr } from "../source/model.ts";
import type { SchemaBuilder, Scope } from "./builder.ts";
import type { JSONSchema } from "./json-schema.ts";
import { mapSchema } from "./map.ts";
import { onlyProperties, withoutProperties, withReferences, withRequired } from "./properties.ts";

type Utility = (builder: SchemaBuilder, args: readonly TypeExpr[], scope: Scope) => JSONSchema | undefined;

const array: Utility = (builder, [element], scope) =>
  element && { type: "array", items: builder.expression(element, scope) };
const same: Utility = (builder, [type], scope) => type && builder.expression(type, scope);

function reshaped(change: (schema: JSONSchema, names: readonly string[]) => JSONSchema): Utility {
  return (builder, [type, names], scope) => {
    const values = names ? builder.literals(names, scope) : [];
    if (!type || !values) return undefined;
    const original = builder.expression(type, scope);
    const schema = withReferences(builder, builder.resolved(original), original);
    // Each object of a union is another one to TypeScript, and a list isn't what it changes.
    return schema.type === "object" && !schema.oneOf && !schema.additionalProperties
      ? change(schema, values.map(String))
      : undefined;
  };
}

/** TypeScript's own utility types, worked out on schemas: so scalar aliases, core types and markers survive. */
const utilities: ReadonlyMap<string, Utility> = new Map<string, Utility>([
  ["Array", array],
  ["ReadonlyArray", array],
  ["Readonly", same],
  ["NonNullable", nonNullable],
  ["Record", record],
  ["Partial", reshaped((schema) => withRequired(schema, false))],
  ["Required", reshaped((schema) => withRequired(schema, true))],
  ["Pick", reshaped(onlyProperties)],
  ["Omit", reshaped(withoutProperties)],
  ["Exclude", literalOnly],
  ["Extract", literalOnly],
  ["Uppercase", literalOnly],
  ["Lowercase", literalOnly],
  ["Capitalize", literalOnly],
  ["Uncapitalize", literalOnly],
]);

/** Whether a global name is a utility type that is known here. */
export function isUtility(name: string): boolean {
  return utilities.has(name);
}

/** The schema of a utility type. */
export function utilitySchema(builder: SchemaBuilder, expr: RefType, scope: Scope): JSONSchema {
  const values = utilities.get(expr.text) === literalOnly ? builder.literals(expr, scope) : undefined;
  if (values) return unionOf(builder, expr, values as readonly (string | number | boolean | null)[]);
  const schema = utilities.get(expr.text)?.(builder, expr.args, scope);
  return schema ?? builder.checkedSchema(expr, scope);
}

function literalOnly(): undefined {
  return undefined;
}

function unionOf(
  builder: SchemaBuilder,
  expr: RefType,
  values: readonly (string | number | boolean | null)[],
): JSONSchema {
  const types = values.map((value) => ({ kind: "literal" as const, value, at: expr.at }));
  return builder.expression({ kind: "union", types, at: expr.at }, new Map());
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
