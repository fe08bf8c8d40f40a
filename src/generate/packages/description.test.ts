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

/** What the source reader makes of a Go comment: the group that touches the declaration, without its decoration. */
function rawLines(comment: string): string[] {
  const group = comment.split(/\n(?:[ \t]*\n)+|\n$/).at(-1)!;
  const block = /^\/\*([\s\S]*)\*\/$/.exec(group.includes("/*") && !group.startsWith("//") ? group : comment);
  if (block) return block[1]!.split("\n").map((line) => ` ${line.trim()}`);
  return group.split("\n").map((line) => line.replace(/^\/\//, ""));
}

test.each(rows)("$comment, at most $maxDescLen", ({ comment, maxDescLen, description }) => {
  expect(describe(rawLines(comment), maxDescLen)).toBe(description);
});

test("a limit of 0 drops the description", () => {
  expect(describe([" Something."], 0)).toBe("");
});

test("comments for TypeScript's tools are no description", () => {
  const lines = [
    " The port.",
    " @ts-expect-error no types",
    " biome-ignore lint/style/x: generated",
    " eslint-disable-next-line x",
  ];
  expect(describe(lines)).toBe("The port.");
});
