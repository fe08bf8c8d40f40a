import type { TypeExpr } from "../source/model.ts";
import type { SchemaBuilder, Scope } from "./builder.ts";
import type { JSONSchema } from "./json-schema.ts";

/** The schema of `Record<key, value>` and `{ [key: …]: value }`. */
export function mapSchema(builder: SchemaBuilder, key: TypeExpr, value: TypeExpr, scope: Scope): JSONSchema {
  const keySchema = builder.expression(key, scope);
  if (keySchema.type !== "string" && keySchema.type !== undefined) {
    builder.error(
      "unsupported-type",
      key.at,
      `map keys must be strings, not ${keySchema.type}`,
      "write Record<string, T>: keys are strings in JSON",
    );
    return {};
  }
  return { type: "object", additionalProperties: builder.expression(value, scope) };
}
