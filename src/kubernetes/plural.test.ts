import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pluralize } from "./plural.ts";

const file = new URL("../../testdata/conformance/plurals.jsonl", import.meta.url);
const rows = readFileSync(file, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as { kind: string; plural: string });

test.each(rows)("$kind → $plural", ({ kind, plural }) => {
  expect(pluralize(kind)).toBe(plural);
});
