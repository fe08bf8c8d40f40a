import { isObject, type Json, type JsonObject } from "../json/json.ts";
import type { Schema } from "./schema.ts";

const limits = ["minimum", "maximum", "multipleOf"].concat(
  ["Length", "Items", "Properties"].flatMap((of) => [`min${of}`, `max${of}`]),
);
/** The values of schemas, whose integers stay exact. */
const values = new Set(["default", "enum", "example"]);

/**
 * Returns a schema whose limits are numbers, though the decoder reads those beyond 2^53 as integers of 64 bits.
 *
 * @param schema - the schema
 * @returns the schema itself, or a copy if it has such a limit
 */
export function withNumericLimits(schema: Schema): Schema {
  return converted(schema as JsonObject) as Schema;
}

function converted(json: Json, key = ""): Json {
  if (typeof json === "bigint") return limits.includes(key) ? Number(json) : json;
  if (Array.isArray(json)) {
    const items = json.map((item) => converted(item));
    return items.every((item, index) => item === json[index]) ? json : items;
  }
  if (!isObject(json)) return json;
  let copy: JsonObject | undefined;
  for (const [name, part] of Object.entries(json)) {
    if (part === undefined || values.has(name)) continue;
    const result = converted(part, name);
    if (result === part) continue;
    copy ??= { ...json };
    copy[name] = result;
  }
  return copy ?? json;
}
