import { isDeepStrictEqual } from "node:util";
import type { IntersectionType, TupleType, TypeExpr } from "../source/model.ts";
import type { SchemaBuilder, Scope } from "./builder.ts";
import { keywordSchema, otherSchema } from "./keywords.ts";
import type { JSONSchema, JSONValue } from "./model/json-schema.ts";
import { namedSchema } from "./named.ts";
import { indexedSchema, mappedSchema } from "./operators.ts";
import { objectSchema } from "./struct.ts";
import { unionSchema } from "./union.ts";

/** Returns the schema of a type expression, with references to named types. */
export function expressionSchema(builder: SchemaBuilder, expr: TypeExpr, scope: Scope): JSONSchema {
  switch (expr.kind) {
    case "keyword":
      return keywordSchema(builder, expr);
    case "literal":
    case "keyof":
      return literalSchema(builder, expr, scope);
    case "template":
      return builder.literals(expr, scope) ? literalSchema(builder, expr, scope) : { type: "string" };
    case "array":
      return { type: "array", items: builder.expression(expr.element, scope) };
    case "tuple":
      return tupleSchema(builder, expr, scope);
    case "object":
      return inlineObject(builder, expr, scope);
    case "union":
      return unionSchema(builder, expr, scope);
    case "intersection":
      return intersectionSchema(builder, expr, scope);
    case "ref":
      return namedSchema(builder, expr, scope);
    case "indexed":
      return indexedSchema(builder, expr, scope);
    case "typeof":
      return typeofSchema(builder, expr, scope);
    case "mapped":
      return mappedSchema(builder, expr, scope);
    case "other":
      return otherSchema(builder, expr, scope);
  }
}

function literalSchema(builder: SchemaBuilder, expr: TypeExpr, scope: Scope): JSONSchema {
  const values = builder.literals(expr, scope);
  if (values && values.length > 0) return enumSchema(builder, expr, values);
  return builder.checkedSchema(expr, scope);
}

/** Returns a schema that allows only some literal values. */
function enumSchema(builder: SchemaBuilder, expr: TypeExpr, values: readonly JSONValue[]): JSONSchema {
  return unionSchema(
    builder,
    {
      kind: "union",
      types: values.map((value) => ({ kind: "literal", value: value as string, at: expr.at })),
      at: expr.at,
    },
    new Map(),
  );
}

function typeofSchema(builder: SchemaBuilder, expr: TypeExpr, scope: Scope): JSONSchema {
  const values = builder.literals(expr, scope);
  if (values) return enumSchema(builder, expr, values);
  const view = builder.unalias(expr, scope);
  if (view.expr !== expr) return builder.expression(view.expr, view.scope);
  return builder.checkedSchema(expr, scope);
}

function tupleSchema(builder: SchemaBuilder, expr: TupleType, scope: Scope): JSONSchema {
  if (expr.elements.some((element) => element.kind === "other" && element.text.startsWith("..."))) {
    return builder.checkedSchema(expr, scope);
  }
  const items = expr.elements.map((element) => builder.expression(element, scope));
  const [first] = items;
  if (!first || items.some((item) => !isDeepStrictEqual(item, first))) {
    builder.error(
      "unsupported-type",
      expr.at,
      first ? "a tuple of mixed types has no schema" : "an empty tuple has no schema",
      "use an array, or an interface with a property for each element",
    );
    return {};
  }
  const modes = expr.modes ?? [];
  const least = items.filter((_, index) => (modes[index] ?? "required") === "required").length;
  return {
    type: "array",
    items: first,
    ...(least > 0 ? { minItems: least } : {}),
    ...(modes.includes("rest") ? {} : { maxItems: items.length }),
  };
}

function inlineObject(builder: SchemaBuilder, expr: TypeExpr & { kind: "object" }, scope: Scope): JSONSchema {
  return objectSchema(builder, { members: expr.members, extends: [], index: expr.index, at: expr.at }, scope);
}

function intersectionSchema(builder: SchemaBuilder, expr: IntersectionType, scope: Scope): JSONSchema {
  const schemas = expr.types.map((type) => builder.expression(type, scope));
  // The brand in `string & { readonly brand: … }` exists only for the compiler; the value is a string.
  const scalars = schemas.filter((schema) => schema.type !== undefined && schema.type !== "object");
  if (scalars.length > 1) return builder.checkedSchema(expr, scope);
  if (scalars[0]) return scalars[0];
  // Rules of inline objects belong to the intersection itself, like those in the body of an interface.
  const rules = schemas.flatMap((schema, index) => (expr.types[index]?.kind === "object" && takeRules(schema)) || []);
  const own: JSONSchema = rules.length > 0 ? { "x-kubernetes-validations": rules } : {};
  return { type: "object", ...own, allOf: schemas };
}

function takeRules(schema: JSONSchema): JSONSchema["x-kubernetes-validations"] {
  const rules = schema["x-kubernetes-validations"];
  delete schema["x-kubernetes-validations"];
  return rules;
}
