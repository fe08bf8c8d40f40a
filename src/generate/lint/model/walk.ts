import type { JSONSchema } from "../../schema/model/json-schema.ts";
import { childSites, type KindVersion, type Site } from "./site.ts";

/**
 * Visits a version's schema and all schemas inside it, each once per run, because types share their schemas. Branches of
 * `allOf`, `anyOf`, `oneOf` and `not` aren't visited: they belong to the schema that contains them.
 */
export function walkSchemas(kind: KindVersion, seen: WeakSet<JSONSchema>, visit: (site: Site) => void): void {
  const step = (site: Site): void => {
    const { schema } = site;
    if (seen.has(schema)) return;
    seen.add(schema);
    visit(site);
    childSites(site).forEach(step);
  };
  step({ schema: kind.version.schema.openAPIV3Schema, kind });
}

/** Returns a schema and the branches of its `allOf`: the value must match all of them. */
export function conjuncts(schema: JSONSchema): readonly JSONSchema[] {
  return schema.allOf ? [schema, ...schema.allOf.flatMap(conjuncts)] : [schema];
}
