import { decodeJson } from "@kubewright/cel/json";
import { expect, it } from "vitest";
import { type Difference, ourVerdict, sortedJson } from "./compare.ts";
import { damaged, randomDocument } from "./documents.ts";
import { askOracle } from "./oracle.ts";

const count = 5000;

/** Reads documents with both readers, and returns those about which they disagree. */
function differences(texts: readonly string[]): Difference[] {
  const answers = askOracle(texts.map((text) => ({ op: "yaml", text })));
  return texts.flatMap((text, index) => {
    const { json } = answers[index] as { json?: string };
    const theirs = json === undefined ? undefined : sortedJson(decodeJson(json).value);
    const { verdict: ours, isRandom } = ourVerdict(text);
    return ours === theirs || isRandom ? [] : [{ text, ours, theirs }];
  });
}

const documents = (document: (seed: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => document(index + 1));

it(`${count} random documents have the values of sigs.k8s.io/yaml`, () => {
  expect(differences(documents((seed) => randomDocument(seed, 0)))).toEqual([]);
});

// The library splits documents with unusual or wrong syntax otherwise in few cases, such as `{a:[]}`.
it.each([
  ["unusual syntax", (seed: number) => randomDocument(seed), 0.03],
  ["errors", damaged, 0.05],
] as const)(`${count} documents with %s have the same values, or are refused by both`, (_, document, share) => {
  const problems = differences(documents(document));
  const isOther = ({ ours, theirs }: Difference): boolean => ours !== undefined && theirs !== undefined;
  expect(problems.length).toBeLessThan(count * share);
  expect(problems.filter(isOther).length).toBeLessThan(count * 0.01);
});
