import type { CrdVersion, CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import type { JSONSchema } from "../../kubernetes/json-schema.ts";
import type { MarkerDefinition } from "./definition.ts";
import { markerRegistry } from "./markers.ts";

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
    for (const { name, itemsName, fromSchema } of keywords.get(keyword) ?? []) {
      const rest = fromSchema?.(value, schema);
      if (!rest) continue;
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
};
