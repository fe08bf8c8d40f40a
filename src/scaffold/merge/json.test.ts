import { describe, expect, it } from "vitest";
import { mergeFile } from "./file.ts";

describe("a merge of a JSON file", () => {
  it("has no conflict in adjacent lines, and keeps the user's indentation", () => {
    const base = '{\n  "a": 1,\n  "b": 1\n}\n';
    const yours = '{\n    "a": 2,\n    "b": 1\n}\n';
    const next = '{\n  "a": 1,\n  "b": 2\n}\n';
    expect(mergeFile("a.json", { base, yours, next })).toEqual({
      text: '{\n    "a": 2,\n    "b": 2\n}\n',
      conflicts: 0,
    });
  });

  it("keeps the layout of values that don't change", () => {
    const base = '{\n  "list": ["a", "b"],\n  "x": {},\n  "y": 1\n}\n';
    const yours = base.replace('["a", "b"]', '["a", "b", "mine"]');
    const next = base.replace('"y": 1', '"y": 2');
    expect(mergeFile("a.json", { base, yours, next }).text).toBe(yours.replace('"y": 1', '"y": 2'));
  });

  it("contains each key once if both sides added it in different places", () => {
    const base = '{\n  "a": 1,\n  "b": 1,\n  "c": 1\n}\n';
    const yours = '{\n  "new": "mine",\n  "a": 1,\n  "b": 1,\n  "c": 1\n}\n';
    const next = '{\n  "a": 1,\n  "b": 1,\n  "new": 1,\n  "c": 1\n}\n';
    expect(mergeFile("a.json", { base, yours, next })).toEqual({ text: yours, conflicts: 0 });
  });

  it("merges lines if a version isn't JSON", () => {
    const versions = { base: "{\n}\nb\n", yours: "// mine\n{\n}\nb\n", next: "{\n}\nc\n" };
    expect(mergeFile("tsconfig.json", versions)).toEqual({ text: "// mine\n{\n}\nc\n", conflicts: 0 });
  });
});
