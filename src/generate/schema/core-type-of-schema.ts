// Finds the built-in type that a schema in a finished CRD was generated from.
import { coreTypeProblem, goPackageOf, loadCoreType } from "./core-types.ts";
import { corePackage } from "./core-types-data.ts";
import { createFlattener, type Flattener } from "./flatten.ts";
import { mergeAllOf } from "./merge.ts";
import type { JSONSchema } from "./model/json-schema.ts";
import { coreRef, coreRefParts, knownSchema } from "./model/known-types.ts";

/** An imported TypeScript type. */
export interface ImportedType {
  readonly name: string;
  /** Such as `@kubewright/runtime/api/core/v1`. */
  readonly module: string;
}

/** The types that APIs usually embed, in order of preference. */
const searched = [
  ["meta", "v1"],
  ["core", "v1"],
  ["apps", "v1"],
  ["autoscaling", "v2"],
  ["batch", "v1"],
  ["networking", "v1"],
  ["policy", "v1"],
  ["rbac", "v1"],
] as const;

interface Candidate extends ImportedType {
  readonly ref: string;
}

let byProperties: Map<string, Candidate[]> | undefined;
let flattener: Flattener | undefined;

/**
 * Returns the built-in type with exactly the given schema, so that a reference to it generates the same schema.
 *
 * @param schema of an object, without the keys of the field: `default`, `nullable`
 * @param words whether the description is that of the type, or of a field
 */
export function coreTypeOfSchema(
  schema: { readonly properties?: object; readonly description?: string },
  words: "of the type" | "of a field",
): ImportedType | undefined {
  byProperties ??= candidates();
  const matching = byProperties.get(keyOf(schema.properties ?? {})) ?? [];
  const wanted = text(schema);
  const match = matching.find(({ ref }) => {
    const { description, ...rest } = flattened(ref);
    // A field without a description has the description of its type.
    const documented = words === "of the type" || schema.description === undefined;
    return text(rest) === wanted && (!documented || description === schema.description);
  });
  return match && { name: match.name, module: match.module };
}

function candidates(): Map<string, Candidate[]> {
  const byProperties = new Map<string, Candidate[]>();
  for (const [directory, version] of searched) {
    const goPackage = goPackageOf(directory, version);
    for (const [name, { properties }] of Object.entries(corePackage(goPackage)?.schemas ?? {})) {
      const ref = coreRef(goPackage, name);
      if (properties === undefined || fixed(ref) !== undefined || coreTypeProblem(goPackage, name) !== undefined)
        continue;
      const key = keyOf(properties);
      const candidate = { name, module: `@kubewright/runtime/api/${directory}/${version}`, ref };
      byProperties.set(key, [...(byProperties.get(key) ?? []), candidate]);
    }
  }
  return byProperties;
}

function keyOf(properties: object): string {
  return Object.keys(properties).sort().join(",");
}

function flattened(ref: string): JSONSchema {
  flattener ??= createFlattener(load, () => {});
  return mergeAllOf(flattener.flattenType(ref), () => {});
}

function load(ref: string): JSONSchema | undefined {
  const parts = coreRefParts(ref);
  return fixed(ref) ?? (parts && loadCoreType(parts.goPackage, parts.name));
}

function fixed(ref: string): JSONSchema | undefined {
  return knownSchema(ref, { generateEmbeddedObjectMeta: false });
}

/** Serializes a schema without its own description, with keys and required names sorted. */
function text({ description: _, ...schema }: object & { description?: string }): string {
  return JSON.stringify(schema, (key, value) => {
    if (Array.isArray(value)) return key === "required" ? [...value].sort() : value;
    if (typeof value === "bigint") return String(value);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
