import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CustomResourceDefinition } from "../../src/kubernetes/custom-resource-definition.ts";
import { YamlError } from "../../src/yaml/budget.ts";
import { readValues } from "../../src/yaml/values.ts";
import { ourVerdictOnDefinition } from "../api-schemas/compare.ts";

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
    for (const definition of valid(text)) {
      definitions.set(definition.metadata.name, definition);
      if (definitions.size === most) return [...definitions.values()];
    }
  }
  return [...definitions.values()];
}

function valid(text: string): CustomResourceDefinition[] {
  try {
    const documents = readValues(text) as CustomResourceDefinition[];
    return documents
      .filter(({ kind, apiVersion }) => kind === "CustomResourceDefinition" && apiVersion === "apiextensions.k8s.io/v1")
      .map((document) =>
        JSON.parse(JSON.stringify(document, (_, value) => (typeof value === "bigint" ? Number(value) : value))),
      )
      .filter((document) => ourVerdictOnDefinition(document).errors.length === 0)
      .filter(({ spec }) => spec.versions.some(({ served }: { served: boolean }) => served));
  } catch (error) {
    // A template of a chart isn't YAML.
    if (error instanceof YamlError) return [];
    throw error;
  }
}
