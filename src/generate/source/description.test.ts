import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describe } from "./description.ts";

interface Row {
  comment: string;
  maxDescLen?: number;
  description: string;
}

const file = new URL("../../../testdata/conformance/descriptions.jsonl", import.meta.url);
const rows = readFileSync(file, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as Row);

/** Returns the lines that the source reader passes for a Go comment: the last group, without the comment delimiters. */
function rawLines(comment: string): string[] {
  const group = comment.split(/\n(?:[ \t]*\n)+|\n$/).at(-1)!;
  const block = /^\/\*([\s\S]*)\*\/$/.exec(group.includes("/*") && !group.startsWith("//") ? group : comment);
  if (block) return block[1]!.split("\n").map((line) => ` ${line.trim()}`);
  return group.split("\n").map((line) => line.replace(/^\/\//, ""));
}

test.each(rows)('describe cuts "$comment" to at most $maxDescLen', ({ comment, maxDescLen, description }) => {
  expect(describe(rawLines(comment), maxDescLen)).toBe(description);
});

test("describe returns an empty text for a limit of 0", () => {
  expect(describe([" Something."], 0)).toBe("");
});

test("describe drops comments for TypeScript tools", () => {
  const lines = [
    " The port.",
    " @ts-expect-error no types",
    " biome-ignore lint/style/x: generated",
    " eslint-disable-next-line x",
  ];
  expect(describe(lines)).toBe("The port.");
});
