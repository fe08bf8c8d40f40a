import { goSyntax, type Json } from "@kubewright/cel/json";
import { readYamlDocument, YamlReadError } from "@kubewright/cel/yaml";

/** A document of YAML. */
export interface DecodedYaml {
  value: Json;
  /** A message per key that occurs twice. The last value counts. */
  duplicates: string[];
}

const maxDuplicates = 100;

/**
 * Decodes the first document of YAML, as Kubernetes does.
 *
 * @param text - the YAML
 * @param fail - creates the error for a text that isn't YAML
 * @returns the value
 * @throws the error of `fail`
 */
export function decodeYaml(text: string, fail: (message: string) => Error): DecodedYaml {
  try {
    const { value, duplicates } = readYamlDocument(text, { show: (each) => goSyntax(each as Json) });
    const repeated = duplicates.filter(({ kind }) => kind !== "text").slice(0, maxDuplicates);
    const messages = repeated.map(({ key, line }) => `line ${line}: key ${goSyntax(key as Json)} already set in map`);
    return { value: value as Json, duplicates: messages };
  } catch (error) {
    if (!(error instanceof YamlReadError)) throw error;
    throw fail(`error converting YAML to JSON: ${error.message}`);
  }
}

/**
 * Joins the messages about a document as Go's library does.
 *
 * @param messages - at least one
 * @returns the text
 */
export function yamlErrors(messages: readonly string[]): string {
  return `yaml: unmarshal errors:\n  ${messages.join("\n  ")}`;
}
