// The way back: which type of Kubernetes' API a schema in a finished CRD was made from.
import { coreTypeProblem, goPackageOf, loadCoreType } from "./core-types.ts";
import { corePackage } from "./core-types-data.ts";
import { createFlattener, type Flattener } from "./flatten.ts";
import type { JSONSchema } from "./json-schema.ts";
import { coreRef, coreRefParts, knownSchema } from "./known-types.ts";
import { mergeAllOf } from "./merge.ts";

/** A type as TypeScript imports it. */
export interface ImportedType {
  readonly name: string;
  /** Such as `@kubewright/runtime/api/core/v1`. */
  readonly module: string;
}

/** What APIs embed, in the order in which equal types are taken. */
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
 * The type whose schema is all of the given one, to the last word: whoever refers to it gets this schema again.
 *
 * @param schema of an object, without what belongs to the field that has it: `default`, `nullable`
 * @param words whether the description is the type's own too, or a field's
 */
export function coreTypeOfSchema(
  schema: { readonly properties?: object; readonly description?: string },
  words: "of the type" | "of a field",
): ImportedType | undefined {
  byProperties ??= candidates();
  const found = byProperties.get(keyOf(schema.properties ?? {})) ?? [];
  const wanted = text(schema);
  const match = found.find(({ ref }) => {
    const { description, ...rest } = flattened(ref);
    // A field without words of its own has the type's.
    const told = words === "of the type" || schema.description === undefined;
    return text(rest) === wanted && (!told || description === schema.description);
  });
  return match && { name: match.name, module: match.module };
}

function candidates(): Map<string, Candidate[]> {
  const found = new Map<string, Candidate[]>();
  for (const [directory, version] of searched) {
    const goPackage = goPackageOf(directory, version);
    for (const [name, { properties }] of Object.entries(corePackage(goPackage)?.schemas ?? {})) {
      const ref = coreRef(goPackage, name);
      if (properties === undefined || fixed(ref) !== undefined || coreTypeProblem(goPackage, name) !== undefined)
        continue;
      const key = keyOf(properties);
      const candidate = { name, module: `@kubewright/runtime/api/${directory}/${version}`, ref };
      found.set(key, [...(found.get(key) ?? []), candidate]);
    }
  }
  return found;
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

/** A schema but for its own description, with keys and required names in one order. */
function text({ description: _, ...schema }: object & { description?: string }): string {
  return JSON.stringify(schema, (key, value) => {
    if (Array.isArray(value)) return key === "required" ? [...value].sort() : value;
    if (typeof value === "bigint") return String(value);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
