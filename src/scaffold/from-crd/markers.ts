import type { CrdVersion, CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import type { JSONSchema } from "../../kubernetes/json-schema.ts";
import { isPlainIntOrString } from "./schema.ts";

/** A marker, with its form for the elements of an array if it has one. */
export interface MarkerText {
  readonly text: string;
  readonly itemsText?: string;
}

/** Writes the markers from which the generator recreates a CRD. */
export interface MarkerTexts {
  /** Returns the markers that set a keyword of a schema to a value; undefined if none can. */
  ofKeyword(keyword: string, value: unknown, schema: JSONSchema): readonly MarkerText[] | undefined;
  /** Returns the markers for the parts of a CRD outside of its schemas. */
  ofKind(crd: CustomResourceDefinition, version: CrdVersion): readonly string[];
  /** The markers for a field without a schema. */
  readonly schemaless: readonly string[];
  /** Returns the description that the generator reads from the lines of a comment. */
  described(lines: readonly string[]): string;
}

/** Keys that are expressed by the TypeScript type, the field or the comment. */
const elsewhere = new Set([
  "type",
  "description",
  "properties",
  "required",
  "items",
  "nullable",
  "default",
  "example",
  "additionalProperties",
]);

/**
 * Returns the validation markers for a field or type.
 *
 * @param texts writes the markers
 * @param expressed keys that the TypeScript type already expresses
 * @param lost called for each key that no marker can express
 */
export function constraintMarkers(
  texts: MarkerTexts,
  schema: JSONSchema,
  expressed: ReadonlySet<string>,
  lost: (key: string) => void,
): MarkerText[] {
  return Object.entries(schema).flatMap(([key, value]) => {
    if (expressed.has(key) || elsewhere.has(key) || value === undefined || value === false || value === "") return [];
    if (key === "anyOf" && schema["x-kubernetes-int-or-string"] === true && isPlainIntOrString(schema)) return [];
    if (Array.isArray(value) && value.length === 0 && key !== "enum") return [];
    const markers = texts.ofKeyword(key, value, schema);
    if (markers === undefined) lost(key);
    return markers ?? [];
  });
}
