import type { TypeExpr } from "../source/model.ts";
import type { SchemaBuilder, Scope } from "./builder.ts";
import type { JSONSchema } from "./model/json-schema.ts";

/**
 * Returns the schema of a map's keys. A named string type is a valid key type, but its markers can't be expressed in the
 * schema.
 */
function keyType(builder: SchemaBuilder, key: TypeExpr, scope: Scope): JSONSchema {
  const { expr, scope: inner } = builder.unalias(key, scope);
  return expr.kind === "keyword" && expr.name === "string" ? { type: "string" } : builder.expression(expr, inner);
}

/** Returns the schema of `Record<key, value>` and `{ [key: …]: value }`. */
export function mapSchema(builder: SchemaBuilder, key: TypeExpr, value: TypeExpr, scope: Scope): JSONSchema {
  const keySchema = keyType(builder, key, scope);
  if (keySchema.type !== "string" && keySchema.type !== undefined) {
    builder.error(
      "unsupported-type",
      key.at,
      `map keys must be strings, not ${keySchema.type}`,
      "use Record<string, T>: keys are strings in JSON",
    );
    return {};
  }
  return { type: "object", additionalProperties: builder.expression(value, scope) };
}
