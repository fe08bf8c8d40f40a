import { describe, expect, it } from "vitest";
import { mergeText } from "./text.ts";

describe("a merge of texts", () => {
  it("combines changes of different lines", () => {
    expect(mergeText("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n")).toEqual({ text: "A\nb\nC\n", conflicts: 0 });
  });

  it("keeps both versions of a line that both sides changed, between markers", () => {
    const text = "<<<<<<< yours\nA\n=======\nB\n>>>>>>> scaffold\nb\n";
    expect(mergeText("a\nb\n", "A\nb\n", "B\nb\n")).toEqual({ text, conflicts: 1 });
  });

  it.each([
    ["a line at the end, if the templates removed the last lines", "a\nb\n", "a\nb\nmine\n", "a\n", "b\nmine\n", ""],
    ["a line at the end on both sides", "a\n", "a\nmine\n", "a\ntheirs\n", "mine\n", "theirs\n"],
    ["a last line without a line break", "a\nb\n", "a\nmine", "a\ntheirs\n", "mine\n", "theirs\n"],
  ])("ends every marker with a line break: %s", (_, base, yours, theirs, left, right) => {
    const { text } = mergeText(base, yours, theirs);
    expect(text).toBe(`a\n<<<<<<< yours\n${left}=======\n${right}>>>>>>> scaffold\n`);
  });

  it("keeps the user's code if the templates changed only the comment that it replaces", () => {
    const base = "f() {\n  // Your code goes here.\n}\n";
    const yours = "f() {\n  work();\n}\n";
    const next = "f() {\n  // Add your code here.\n}\n";
    expect(mergeText(base, yours, next, "a.ts")).toEqual({ text: yours, conflicts: 0 });
    expect(mergeText(base, yours, next, "a.yaml").conflicts).toBe(1);
  });

  it("keeps a replaced field whose comment the templates changed", () => {
    const field = (comment: string) => `{\n  /** ${comment} */\n  foo?: string;\n}\n`;
    const yours = "{\n  /** The players. */\n  players: number;\n}\n";
    expect(mergeText(field("An example"), yours, field("An example field"), "a.ts")).toEqual({
      text: yours,
      conflicts: 0,
    });
  });

  it("doesn't treat markers as comments", () => {
    const [base, yours, next] = ["// +a=1\n", "// +a=2\n", "// +a=3\n"];
    expect(mergeText(base, yours, next, "a.ts").conflicts).toBe(1);
    expect(mergeText(" * +a=1\n", " * +a=2\n", " * +a=3\n", "a.ts").conflicts).toBe(1);
  });

  it("combines changed lines with lines that the user added directly after or before them", () => {
    expect(mergeText("a\nb\n", "a\nmine\nb\n", "A\nb\n")).toEqual({ text: "A\nmine\nb\n", conflicts: 0 });
    expect(mergeText("a\nb\n", "a\nmine\nb\n", "a\nB\n")).toEqual({ text: "a\nmine\nB\n", conflicts: 0 });
  });

  it("combines changes of lines next to each other in a Makefile, and lines that the templates added after them", () => {
    const base = "a: ## Help\n\tone\n\nb:\n";
    const yours = "a: ## Help\n\tone --mine\n\nb:\n";
    const next = "a: ## Other help\n\tone\n\ttwo\n\nb:\n";
    const text = "a: ## Other help\n\tone --mine\n\ttwo\n\nb:\n";
    expect(mergeText(base, yours, next, "Makefile")).toEqual({ text, conflicts: 0 });
    expect(mergeText(base, yours, next, "a.ts").conflicts).toBe(1);
    expect(mergeText(base, yours, next.replace("\tone", "\tone --theirs"), "Makefile").conflicts).toBe(1);
    expect(mergeText(base, yours, next.replace("\tone", "\tzero\n\tone"), "Makefile").conflicts).toBe(1);
  });

  it("has a conflict for lines that the user added next to removed lines", () => {
    expect(mergeText("x\na\nb\n", "x\na\nmine\nb\n", "x\nb\n").conflicts).toBe(1);
  });

  it("keeps the user's prose", () => {
    const [base, yours, next] = ["# op\n\nAn operator.\n", "# op\n\nRuns games.\n", "# op\n\nDescribe it.\n"];
    expect(mergeText(base, yours, next, "README.md")).toEqual({ text: yours, conflicts: 0 });
  });

  it("keeps the user's line breaks", () => {
    expect(mergeText("a\nb\n", "a\r\nB\r\n", "A\nb\n").text).toContain("\r\n");
  });
});
