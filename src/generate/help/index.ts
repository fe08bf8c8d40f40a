import { type MarkerDefinition, markerRegistry } from "../markers/index.ts";
import type { GeneratorName } from "../options/index.ts";
import { type CategoryHelp, helpOn } from "./categories.ts";
import { helpMarkdown } from "./markdown.ts";

export type { ArgumentHelp, CategoryHelp, FieldHelp, MarkerHelp } from "./categories.ts";
export { helpText } from "./text.ts";

const SCHEMAS = ["", "CRD", "CRD validation", "CRD processing"];

/** The headings of the markers that each generator reads. */
const CATEGORIES: Readonly<Record<GeneratorName, readonly string[]>> = {
  crd: SCHEMAS,
  rbac: ["RBAC"],
  webhook: ["Webhook"],
  schemapatch: SCHEMAS,
  object: ["object"],
  applyconfiguration: [...SCHEMAS, "apply"],
};

/** The markers that some generators read, and all markers if none is named. */
export function markerHelp(generators: readonly GeneratorName[]): CategoryHelp[] {
  const asked = generators.length === 0 ? (Object.keys(CATEGORIES) as GeneratorName[]) : generators;
  const categories = new Set(asked.flatMap((name) => CATEGORIES[name]));
  return helpOn(definitions((definition) => definition.target !== "option" && categories.has(definition.category)));
}

/** The options of the command line. */
export function optionHelp(): CategoryHelp[] {
  return helpOn(definitions((definition) => definition.target === "option"));
}

/** The text of docs/reference/markers.md. */
export function markersReference(): string {
  return helpMarkdown(optionHelp(), markerHelp([]));
}

function definitions(wanted: (definition: MarkerDefinition) => boolean): MarkerDefinition[] {
  return markerRegistry.definitions.filter(wanted);
}
