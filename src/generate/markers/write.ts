import { isDeepStrictEqual } from "node:util";
import type { CrdVersion, CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import type { JSONSchema } from "../../kubernetes/json-schema.ts";
import { describe } from "../source/description.ts";
import { markerRegistry } from "./markers.ts";
import type { MarkerDefinition } from "./model/definition.ts";
import { parseMarker } from "./parse.ts";

/** A marker, with its form for the elements of an array if it has one. */
interface MarkerText {
  readonly text: string;
  readonly itemsText?: string;
}

const definitions = markerRegistry.definitions.filter(
  ({ target, plainName }) => (target === "field" || target === "type") && plainName === undefined,
);

const keywords = new Map<string, MarkerDefinition[]>();
for (const definition of definitions) {
  const { keyword = "" } = definition;
  keywords.set(keyword, [...(keywords.get(keyword) ?? []), definition]);
}

/** Writes the markers from which the generator recreates an existing CRD. */
export const markerTexts = {
  /** Returns the markers that set a keyword of a schema to a value; undefined if none can. */
  ofKeyword(keyword: string, value: unknown, schema: JSONSchema): readonly MarkerText[] | undefined {
    for (const definition of keywords.get(keyword) ?? []) {
      const { name, itemsName, fromSchema } = definition;
      const rest = fromSchema?.(value, schema);
      if (!rest || !sets(definition, rest, schema)) continue;
      return rest.map((text) => ({
        text: `+${name}${text}`,
        ...(itemsName ? { itemsText: `+${itemsName}${text}` } : {}),
      }));
    }
    return undefined;
  },
  /** Returns the markers for the parts of a CRD outside of its schemas. */
  ofKind: (crd: CustomResourceDefinition, version: CrdVersion): readonly string[] =>
    definitions.flatMap(({ name, target, fromCrd }) =>
      target === "type" && fromCrd ? fromCrd(crd, version).map((text) => `+${name}${text}`) : [],
    ),
  /** The marker for a field without a schema. */
  schemaless: definitions.flatMap(({ name, isSchemaless }) => (isSchemaless ? [`+${name}`] : [])),
  /** Returns the description that the generator reads from the lines of a comment. */
  described: (lines: readonly string[]): string => describe(lines),
};

/**
 * Whether markers set the keyword of a schema to its value. They may not apply to the schema's type, as a minimum on a
 * string, although the API server accepts it.
 *
 * @param rest the texts of the markers after the name
 */
function sets(definition: MarkerDefinition, rest: readonly string[], schema: JSONSchema): boolean {
  const { name, keyword = "", schema: apply } = definition;
  const { [keyword as keyof JSONSchema]: wanted, ...others } = schema;
  const made: JSONSchema = others;
  for (const text of rest) {
    const { value } = parseMarker(definition, `+${name}${text}`);
    if (
      value === undefined ||
      apply?.(made, value, { target: definition.target === "type" ? "type" : "field" }) !== undefined
    )
      return false;
  }
  return isDeepStrictEqual(plainValue(made[keyword as keyof JSONSchema]), plainValue(wanted));
}

/** Integers are numbers or bigints, whichever the parser returns. Absent arguments of rules and documents have no value. */
function plainValue(value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.map(([key, each]) => [key, plainValue(each)]));
}
