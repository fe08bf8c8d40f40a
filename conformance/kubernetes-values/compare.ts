import { readYamlDocument, YamlReadError } from "@kubewright/cel/yaml";

/** The result of a reader for a document: JSON with sorted keys, or nothing if it refuses the document. */
export type Verdict = string | undefined;

/** A document that both readers don't read in the same way. */
export interface Difference {
  text: string;
  ours: Verdict;
  theirs: Verdict;
}

/**
 * Reads a document with our reader.
 *
 * @param text - the document
 * @returns its verdict, and whether two keys have the same text: Go takes one of their values at random
 */
export function ourVerdict(text: string): { verdict: Verdict; isRandom: boolean } {
  try {
    const { value, duplicates } = readYamlDocument(text);
    return { verdict: sortedJson(value), isRandom: duplicates.some(({ kind }) => kind === "text") };
  } catch (error) {
    if (!(error instanceof YamlReadError)) throw error;
    return { verdict: undefined, isRandom: false };
  }
}

/** @returns JSON that is equal for equal values. Integers of 64 bits keep their digits */
export function sortedJson(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sortedJson((value as Record<string, unknown>)[key])}`).join(",")}}`;
}
