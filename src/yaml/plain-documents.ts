import { printYaml } from "@kubewright/cel/yaml";
import type { Value } from "./plain-values.ts";
import { readValues } from "./values.ts";

/**
 * Parses the documents of a YAML text, without empty ones. Integers keep all digits, because a CRD may have the bounds of an
 * int64.
 *
 * @throws YamlError
 */
export function readDocuments(text: string): readonly Value[] {
  return readValues(text) as readonly Value[];
}

/**
 * Formats a value as block YAML, without a line break at the end. Quotes strings that Kubernetes interprets as other types.
 */
export function yamlOf(value: Value): string {
  return printYaml(value, '"').trimEnd();
}
