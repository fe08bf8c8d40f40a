import { byBytes } from "../../text/byte-order.ts";
import type { IndexedType, MappedType, TypeExpr } from "../source/model.ts";
import { emptyScope, type SchemaBuilder, type Scope } from "./builder.ts";
import { elementTypes, literalUnion } from "./literals.ts";
import { missingProperty } from "./missing-property.ts";
import type { JSONSchema } from "./model/json-schema.ts";

/** Returns the schema of `object[index]`. */
export function indexedSchema(builder: SchemaBuilder, expr: IndexedType, scope: Scope): JSONSchema {
  const values = builder.literals(expr, scope);
  if (values) return literalUnion(builder, expr, values);
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
    const checked = builder.checked(expr, scope);
    if (checked) return builder.expression(checked, emptyScope);
    // The error is about the missing property, not about the checker's result.
    const { message, hint } = missingProperty(expr.object, names[0], Object.keys(object.properties ?? {}));
    builder.error("unknown-type", expr.index.at, message, hint);
    return {};
  }
  const isNumber = expr.index.kind === "keyword" && expr.index.name === "number";
  const container = builder.resolved(builder.expression(expr.object, scope));
  if (isNumber && container.items) return container.items;
  return builder.checkedSchema(expr, scope);
}

/** Returns the schema of `{ [K in keys]: type }`. */
export function mappedSchema(builder: SchemaBuilder, expr: MappedType, scope: Scope): JSONSchema {
  const names = needsChecker(builder, expr, scope) ? undefined : builder.literals(expr.constraint, scope)?.map(String);
  if (!names) return mapOrChecked(builder, expr, scope);
  // `{ [K in keyof T]: … }` keeps the modifiers of each property of T.
  const source =
    expr.constraint.kind === "keyof" ? builder.resolved(builder.expression(expr.constraint.type, scope)) : {};
  const unchanged = isSourceProperty(expr.type, expr.parameter);
  const orNull =
    expr.type.kind === "union" &&
    expr.type.types.every((type) => isSourceProperty(type, expr.parameter) || isNull(type));
  const properties: { [name: string]: JSONSchema } = {};
  const required: string[] = [];
  for (const name of names) {
    const literal: TypeExpr = { kind: "literal", value: name, at: expr.at };
    const inner = new Map([...scope, [expr.parameter, { expr: literal, scope: new Map() }]]);
    const before = source.properties && Object.hasOwn(source.properties, name) ? source.properties[name] : undefined;
    const description = before?.description;
    const kept = unchanged ? before : orNull && before ? { ...before, nullable: true } : undefined;
    const schema = kept ?? builder.expression(expr.type, inner);
    properties[name] = description === undefined ? schema : { ...schema, description };
    const optional = expr.optional === "+" || (expr.optional !== "-" && before && !source.required?.includes(name));
    if (!optional) required.push(name);
  }
  const result: JSONSchema = { type: "object" };
  if (names.length > 0) result.properties = properties;
  if (required.length > 0) result.required = required.sort(byBytes);
  return result;
}

/** Returns whether the type checker is needed: for renamed or filtered keys, conditional types, and mapped types of non-objects. */
function needsChecker(builder: SchemaBuilder, { constraint, name, type }: MappedType, scope: Scope): boolean {
  if (name !== undefined || type.kind === "other") return true;
  if (constraint.kind !== "keyof") return false;
  const { expr, node } = builder.unalias(constraint.type, scope);
  if (node) return node.declaration.kind === "enum";
  return (
    expr.kind !== "object" && !(expr.kind === "ref" && (expr.target.kind === "import" || expr.target.kind === "global"))
  );
}

/** Returns whether a type is `T[K]`, with K as the name of the property. */
function isSourceProperty(type: TypeExpr, parameter: string): boolean {
  return type.kind === "indexed" && isParameter(type.index, parameter);
}

function isNull(type: TypeExpr): boolean {
  return type.kind === "literal" && type.value === null;
}

function isParameter(expr: TypeExpr, name: string): boolean {
  return expr.kind === "ref" && expr.target.kind === "parameter" && expr.target.name === name;
}

function mapOrChecked(builder: SchemaBuilder, expr: MappedType, scope: Scope): JSONSchema {
  const { constraint } = expr;
  const isMap = expr.name === undefined && constraint.kind !== "keyof" && expr.type.kind !== "other";
  const mentionsKey = JSON.stringify(expr.type).includes(`"kind":"parameter","name":${JSON.stringify(expr.parameter)}`);
  if (isMap && !mentionsKey && builder.expression(constraint, scope).type === "string") {
    return { type: "object", additionalProperties: builder.expression(expr.type, scope) };
  }
  return builder.checkedSchema(expr, scope);
}
