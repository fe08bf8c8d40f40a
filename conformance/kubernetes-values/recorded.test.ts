import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeJson } from "@kubewright/cel/json";
import { canonicalQuantity, QuantityError } from "@kubewright/cel/quantity";
import { describe, expect, it } from "vitest";
import { ourVerdict, sortedJson } from "./compare.ts";

interface Row {
  text: string;
  result?: string;
  error?: string;
}

const { documents, quantities } = JSON.parse(
  readFileSync(join(import.meta.dirname, "testdata/recorded.json"), "utf8"),
) as Record<"documents" | "quantities", Row[]>;

const canonical = (text: string): string => {
  try {
    return canonicalQuantity(text);
  } catch (error) {
    if (error instanceof QuantityError) return error.message;
    throw error;
  }
};

describe("texts have the values that Go's libraries gave them", () => {
  it("documents of YAML", () => {
    const ours = documents.map(({ text }) => ({ text, ...ourVerdict(text) })).filter(({ isRandom }) => !isRandom);
    const results = new Map(documents.map(({ text, result }) => [text, result]));
    for (const { text, verdict } of ours) {
      const result = results.get(text);
      expect(verdict, text).toBe(result === undefined ? undefined : sortedJson(decodeJson(result).value));
    }
    expect(ours.filter(({ verdict }) => verdict !== undefined).length).toBeGreaterThan(100);
  });

  it("quantities", () => {
    expect(quantities.map(({ text }) => [text, canonical(text)])).toEqual(
      quantities.map(({ text, result, error }) => [text, result ?? error]),
    );
  });
});
