// Records what Go's libraries make of random texts, for tests that run without Go: npx tsx conformance/kubernetes-values/record.ts
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomObject } from "./documents.ts";
import { askOracle } from "./oracle.ts";
import { randomQuantity } from "./quantities.ts";
import { Random } from "./random.ts";

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const documents = numbers(150).map((seed) => randomObject(seed));
const quantities = numbers(300).map((seed) => randomQuantity(new Random(seed * 7919)));
const rows = (op: string, texts: readonly string[]): object[] => {
  const answers = askOracle(texts.map((text) => ({ op, text })));
  return texts.map((text, index) => {
    const { json, text: canonical, error } = answers[index] as Record<string, string>;
    return error === undefined ? { text, result: json ?? canonical } : { text, error };
  });
};
const recorded = { documents: rows("yaml", documents), quantities: rows("quantity", quantities) };
writeFileSync(join(import.meta.dirname, "testdata/recorded.json"), `${JSON.stringify(recorded, null, 1)}\n`);
