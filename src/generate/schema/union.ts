import type { TypeExpr, UnionType } from "../source/model.ts";
import type { SchemaBuilder, Scope } from "./builder.ts";
import { unsupportedName } from "./keywords.ts";
import type { JSONSchema, JSONValue } from "./model/json-schema.ts";
import { objectUnion } from "./object-union.ts";

/** Returns the schema of a union: an enum, a nullable type, or the merged schema of objects. */
export function unionSchema(builder: SchemaBuilder, expr: UnionType, scope: Scope): JSONSchema {
  const parts = withoutNesting(expr).filter((type) => !isKeyword(type, "undefined"));
  const rest = parts.filter((type) => !(type.kind === "literal" && type.value === null));
  if (rest.length === 0) return unsupportedName(builder, expr, parts.length > 0 ? "null" : "undefined");
  const schema = ofParts(builder, expr, rest, scope);
  return rest.length < parts.length ? { ...schema, nullable: true } : schema;
}

function withoutNesting(expr: UnionType): TypeExpr[] {
  return expr.types.flatMap((type) => (type.kind === "union" ? withoutNesting(type) : [type]));
}

function isKeyword(type: TypeExpr, name: string): boolean {
  return type.kind === "keyword" && type.name === name;
}

function ofParts(builder: SchemaBuilder, expr: UnionType, parts: readonly TypeExpr[], scope: Scope): JSONSchema {
  const [only, ...others] = parts;
  if (only && others.length === 0 && only.kind !== "literal") return builder.expression(only, scope);
  const values = parts.map((part) => builder.literals(part, scope));
  if (parts.length > 0 && values.every((value) => value !== undefined)) {
    return enumeration(builder, expr, [...new Set(values.flat())] as JSONValue[]);
  }
  const schemas = parts.map((part) => builder.expression(part, scope));
  const scalars = new Set(schemas.map((schema) => schema.type));
  const [type] = scalars;
  // For the compiler, `"a" | string` is also a string.
  if (scalars.size === 1 && (type === "string" || type === "integer" || type === "number" || type === "boolean")) {
    return schemas.find((schema) => schema.enum === undefined && schema.$ref === undefined) ?? { type };
  }
  const objects = alternatives(builder, parts, scope).map((alternative) =>
    builder.resolved(builder.expression(alternative.expr, alternative.scope)),
  );
  if (objects.length > 0 && objects.every((schema) => schema.type === "object")) {
    return objectUnion(builder, expr.at, objects);
  }
  const mixed = scalars.has("string") && (scalars.has("integer") || scalars.has("number")) && scalars.size === 2;
  builder.error(
    "unsupported-type",
    expr.at,
    "a union of different types has no structural schema",
    mixed ? "use IntOrString, or Quantity" : "use one type, or JSONValue for any JSON",
  );
  return {};
}

/** Returns the parts of a union, including those of unions that it refers to by name. */
function alternatives(builder: SchemaBuilder, parts: readonly TypeExpr[], scope: Scope, depth = 0): Alternative[] {
  return parts.flatMap((part) => {
    const view = builder.unalias(part, scope);
    if (view.expr.kind !== "union" || depth > 20) return [{ expr: part, scope }];
    return alternatives(builder, withoutNesting(view.expr), view.scope, depth + 1);
  });
}

interface Alternative {
  readonly expr: TypeExpr;
  readonly scope: Scope;
}

function enumeration(builder: SchemaBuilder, expr: UnionType, values: readonly JSONValue[]): JSONSchema {
  const kinds = new Set(values.map((value) => (value === null ? "null" : typeof value)));
  const nonNull = values.filter((value) => value !== null);
  const nullable = nonNull.length < values.length ? { nullable: true } : {};
  kinds.delete("null");
  if (kinds.size !== 1) {
    builder.error(
      "unsupported-type",
      expr.at,
      "the values of an enum must be of one type",
      "use strings only, or IntOrString",
    );
    return {};
  }
  if (kinds.has("string")) return { type: "string", enum: nonNull, ...nullable };
  if (kinds.has("boolean")) {
    return nonNull.length === 2 ? { type: "boolean", ...nullable } : { type: "boolean", enum: nonNull, ...nullable };
  }
  if (nonNull.every((value) => Number.isInteger(value))) return { type: "integer", enum: nonNull, ...nullable };
  if (builder.options.allowDangerousTypes) return { type: "number", enum: nonNull, ...nullable };
  builder.error("float-type", expr.at, "found a fraction among the values", "run with crd:allowDangerousTypes=true");
  return {};
}
