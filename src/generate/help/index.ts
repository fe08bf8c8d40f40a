import { markerRegistry } from "../markers/index.ts";
import { optionRegistry } from "../markers/options.ts";
import type { GeneratorName } from "../options/index.ts";
import { type CategoryHelp, helpOn } from "./categories.ts";

export type { ArgumentHelp, CategoryHelp, FieldHelp, MarkerHelp } from "./categories.ts";
export { helpText } from "./text.ts";

const SCHEMAS = ["", "CRD", "CRD validation", "CRD processing"];

/** The headings of the markers for each generator. */
const CATEGORIES: Readonly<Record<GeneratorName, readonly string[]>> = {
  crd: SCHEMAS,
  rbac: ["RBAC"],
  webhook: ["Webhook"],
  schemapatch: SCHEMAS,
  jsonschema: SCHEMAS,
  apidocs: SCHEMAS,
  monitoring: [],
  policy: ["Policy"],
  object: ["object"],
  applyconfiguration: [...SCHEMAS, "apply"],
};

/** Returns help for the markers of some generators, or for all markers if the list is empty. */
export function markerHelp(generators: readonly GeneratorName[]): CategoryHelp[] {
  const asked = generators.length === 0 ? (Object.keys(CATEGORIES) as GeneratorName[]) : generators;
  const categories = new Set(asked.flatMap((name) => CATEGORIES[name]));
  return helpOn(markerRegistry.definitions.filter(({ category }) => categories.has(category)));
}

/** Returns help for the command-line options. */
export function optionHelp(): CategoryHelp[] {
  return helpOn(optionRegistry.definitions);
}
