import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CustomResourceDefinition } from "../../src/kubernetes/custom-resource-definition.ts";
import { crdsIn, refusalsOf } from "../from-crd/crds.ts";

/** Larger files take seconds each. */
const longestFile = 400_000;

/**
 * Returns CustomResourceDefinitions in the YAML files of a directory, each name once. Leaves out large files, templates of charts,
 * and definitions that the API server refuses or that serve no version.
 *
 * @param most - the maximum number of definitions
 */
export function definitionsIn(directory: string, most: number): CustomResourceDefinition[] {
  const definitions = new Map<string, CustomResourceDefinition>();
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8" });
  for (const path of paths.filter((path) => /\.ya?ml$/.test(path) && !/\b(?:testdata|vendor)\b/.test(path)).sort()) {
    const text = readFileSync(join(directory, path), "utf8");
    if (text.length > longestFile || !/^kind: CustomResourceDefinition$/m.test(text)) continue;
    for (const json of crdsIn(text).filter((json) => refusalsOf(json).length === 0)) {
      const definition = JSON.parse(json) as CustomResourceDefinition;
      if (!definition.spec.versions.some(({ served }) => served)) continue;
      definitions.set(definition.metadata.name, definition);
      if (definitions.size === most) return [...definitions.values()];
    }
  }
  return [...definitions.values()];
}
