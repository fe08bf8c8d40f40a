import type { JSONSchema } from "../../kubernetes/json-schema.ts";

/** Whether a schema becomes a TypeScript interface: it has properties, or doesn't restrict the object's content. */
export function isStruct(schema: JSONSchema): boolean {
  return schema.type === "object" && Object.keys(schema.properties ?? {}).length > 0;
}

/** Whether the `anyOf` of a schema only allows an integer or a string. */
export function isPlainIntOrString(schema: JSONSchema): boolean {
  const [first, second, third] = schema.anyOf ?? [];
  const only = (part: JSONSchema | undefined, type: string) => part?.type === type && Object.keys(part).length === 1;
  return third === undefined && only(first, "integer") && only(second, "string");
}
