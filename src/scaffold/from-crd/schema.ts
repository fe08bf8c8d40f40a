import type { CrdSchema } from "../../kubernetes/existing-crd.ts";

export type { CrdSchema } from "../../kubernetes/existing-crd.ts";

/** Whether a schema becomes a TypeScript interface: it has properties, or doesn't restrict the object's content. */
export function isStruct(schema: CrdSchema): boolean {
  return schema.type === "object" && Object.keys(schema.properties ?? {}).length > 0;
}

/** Whether the `anyOf` of a schema only allows an integer or a string. */
export function isPlainIntOrString(schema: CrdSchema): boolean {
  const [first, second, third] = schema.anyOf ?? [];
  const only = (part: CrdSchema | undefined, type: string) => part?.type === type && Object.keys(part).length === 1;
  return third === undefined && only(first, "integer") && only(second, "string");
}
