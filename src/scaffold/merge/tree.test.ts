import { describe, expect, it } from "vitest";
import { type FileVersions, type MergeOptions, mergeTree } from "./tree.ts";

/** Merges one file, and returns the result without empty parts. */
function merged(file: Partial<FileVersions>, options?: MergeOptions) {
  const { contents, gone, copies, obsolete, ...lists } = mergeTree(
    [{ path: "a.txt", base: undefined, yours: undefined, next: undefined, ...file }],
    options,
  );
  const parts = { contents: Object.fromEntries(contents), copies: Object.fromEntries(copies) };
  const all = { ...parts, gone: [...gone], obsolete: [...obsolete], ...lists };
  return Object.fromEntries(Object.entries(all).filter(([, part]) => Object.keys(part).length > 0));
}

const marked = "<<<<<<< yours\nb\n=======\nc\n>>>>>>> scaffold\n";
const next = { copies: { "a.txt": "c\n" } };

describe("a merge of trees", () => {
  it.each<[string, Partial<FileVersions>, object]>([
    ["adds a new file", { next: "c\n" }, { contents: { "a.txt": "c\n" }, ...next }],
    ["keeps the user's existing file", { yours: "b\n", next: "c\n" }, { kept: ["a.txt"] }],
    [
      "accepts the user's existing file if it has the scaffolded text",
      { yours: "c\n", next: "c\n" },
      { contents: { "a.txt": "c\n" }, ...next },
    ],
    [
      "replaces an unchanged file",
      { base: "a\n", yours: "a\n", next: "c\n" },
      { contents: { "a.txt": "c\n" }, ...next },
    ],
    [
      "keeps changes to a file whose scaffolded text is unchanged",
      { base: "c\n", yours: "b\n", next: "c\n" },
      { contents: { "a.txt": "b\n" }, ...next },
    ],
    [
      "marks conflicts",
      { base: "a\n", yours: "b\n", next: "c\n" },
      { contents: { "a.txt": marked }, conflicts: ["a.txt"], ...next },
    ],
    ["leaves unresolved conflicts", { base: "a\n", yours: marked, next: "c\n" }, { conflicts: ["a.txt"] }],
    ["keeps a deleted file deleted", { base: "a\n", next: "c\n" }, next],
    ["removes an obsolete file", { base: "a\n", yours: "a\n" }, { gone: ["a.txt"], obsolete: ["a.txt"] }],
    ["keeps an obsolete file with changes", { base: "a\n", yours: "b\n" }, { left: ["a.txt"], obsolete: ["a.txt"] }],
    ["removes the copy of a deleted obsolete file", { base: "a\n" }, { obsolete: ["a.txt"] }],
    [
      "moves a file",
      { from: "old.txt", base: "a\n", yours: "a\n", next: "c\n" },
      { contents: { "a.txt": "c\n" }, gone: ["old.txt"], ...next },
    ],
  ])("%s", (_, file, result) => {
    expect(merged(file)).toEqual(result);
  });

  it("merges into unresolved conflicts with intoConflicts", () => {
    const file = { base: "a\n", yours: `a\n${marked}`, next: "c\na\n" };
    expect(merged(file, { intoConflicts: true })).toMatchObject({ contents: { "a.txt": `c\na\n${marked}` } });
  });
});
