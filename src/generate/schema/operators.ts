import type { IndexedType, MappedType, TypeExpr } from "../source/model.ts";
import type { SchemaBuilder, Scope } from "./builder.ts";
import type { JSONSchema } from "./json-schema.ts";
import { elementTypes } from "./literals.ts";

/** The schema of `object[index]`. */
export function indexedSchema(builder: SchemaBuilder, expr: IndexedType, scope: Scope): JSONSchema {
  const values = builder.literals(expr, scope);
  if (values) return literalUnion(builder, expr, values as readonly string[]);
  const parts = elementTypes(builder, expr, scope);
  if (parts?.length === 1 && parts[0]) return builder.expression(parts[0].expr, parts[0].scope);
  const names = builder.literals(expr.index, scope)?.map(String);
  if (names?.length === 1 && names[0] !== undefined) {
    const object = builder.resolved(builder.expression(expr.object, scope));
    const property = object.properties?.[names[0]];
    if (property) {
      const { description: _, ...schema } = property;
      return schema;
    }
    const shown = JSON.stringify(names[0]);
    builder.error("unknown-type", expr.at, `the type has no property ${shown}`);
    return {};
  }
  const isNumber = expr.index.kind === "keyword" && expr.index.name === "number";
  const container = builder.resolved(builder.expression(expr.object, scope));
  if (isNumber && container.items) return container.items;
  builder.error("unsupported-type", expr.at, "cannot work out this indexed type", "write the type that it comes to");
  return {};
}

/** The schema of `{ [K in keys]: type }`. */
export function mappedSchema(builder: SchemaBuilder, expr: MappedType, scope: Scope): JSONSchema {
  const names = builder.literals(expr.constraint, scope)?.map(String);
  if (!names) {
    const value = builder.expression(expr.type, scope);
    const key = builder.expression(expr.constraint, scope);
    if (key.type === "string") return { type: "object", additionalProperties: value };
    builder.error("unsupported-type", expr.at, "cannot work out this mapped type", "write the type that it comes to");
    return {};
  }
  // `{ [K in keyof T]: … }` keeps what T says about each property.
  const source =
    expr.constraint.kind === "keyof" ? builder.resolved(builder.expression(expr.constraint.type, scope)) : {};
  const properties: { [name: string]: JSONSchema } = {};
  const required: string[] = [];
  for (const name of names) {
    const literal: TypeExpr = { kind: "literal", value: name, at: expr.at };
    const inner = new Map([...scope, [expr.parameter, { expr: literal, scope: new Map() }]]);
    const renamed = expr.name ? builder.literals(expr.name, inner)?.map(String) : [name];
    const before = source.properties?.[name];
    const schema = builder.expression(expr.type, inner);
    const description = before?.description;
    for (const final of renamed ?? []) {
      properties[final] = description === undefined ? schema : { ...schema, description };
      const optional = expr.optional === "+" || (expr.optional !== "-" && before && !source.required?.includes(name));
      if (!optional) required.push(final);
    }
  }
  const result: JSONSchema = { type: "object", properties };
  if (required.length > 0) result.required = required.sort();
  return result;
}

function literalUnion(builder: SchemaBuilder, expr: TypeExpr, values: readonly string[]): JSONSchema {
  const types = values.map((value) => ({ kind: "literal" as const, value, at: expr.at }));
  return builder.expression({ kind: "union", types, at: expr.at }, new Map());
}
