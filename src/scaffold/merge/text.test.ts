import { describe, expect, it } from "vitest";
import { mergeText } from "./text.ts";

describe("a merge of texts", () => {
  it("joins changes of different lines", () => {
    expect(mergeText("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n")).toEqual({ text: "A\nb\nC\n", conflicts: 0 });
  });

  it("keeps both versions of lines that both changed, between markers", () => {
    const text = "<<<<<<< yours\nA\n=======\nB\n>>>>>>> scaffold\nb\n";
    expect(mergeText("a\nb\n", "A\nb\n", "B\nb\n")).toEqual({ text, conflicts: 1 });
  });

  it.each([
    ["a line at the end, where the templates removed the last lines", "a\nb\n", "a\nb\nmine\n", "a\n", "b\nmine\n", ""],
    ["a line at the end on both sides", "a\n", "a\nmine\n", "a\ntheirs\n", "mine\n", "theirs\n"],
    ["a last line without a line break", "a\nb\n", "a\nmine", "a\ntheirs\n", "mine\n", "theirs\n"],
  ])("ends every marker with a line break: %s", (_, base, yours, theirs, left, right) => {
    const { text } = mergeText(base, yours, theirs);
    expect(text).toBe(`a\n<<<<<<< yours\n${left}=======\n${right}>>>>>>> scaffold\n`);
  });

  it("keeps the user's line breaks", () => {
    expect(mergeText("a\nb\n", "a\r\nB\r\n", "A\nb\n").text).toContain("\r\n");
  });
});
