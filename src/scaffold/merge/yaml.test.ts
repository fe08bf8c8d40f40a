import { describe, expect, it } from "vitest";
import { mergeFile } from "./file.ts";

describe("a merge of a YAML file", () => {
  const versions = { base: "a: 1\nb: 1\n", yours: "a: 2\nb: 1\n", next: "a: 1\nb: 2\n" };

  it("has a conflict in adjacent lines, because comments matter", () => {
    expect(mergeFile("a.yaml", versions).conflicts).toBe(1);
  });

  it("has no conflict in adjacent keys with yamlByKey", () => {
    expect(mergeFile("a.yaml", versions, { yamlByKey: true })).toEqual({ text: "a: 2\nb: 2\n", conflicts: 0 });
  });
});
