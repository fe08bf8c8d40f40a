import { describe, expect, it } from "vitest";
import { formatArchive, intactTexts, parseArchive } from "./archive.ts";

const format = (texts: Readonly<Record<string, string>>) => formatArchive("About.\n", new Map(Object.entries(texts)));
const parse = (archive: string) => parseArchive(archive, "a.txtar", "restore it");

describe("an archive", () => {
  const archive = format({ "src/main.ts": "main\n", "a.yaml": "a: b\n" });

  it("begins with the digests of its files, in path order", () => {
    expect(archive).toMatch(/^About\.\n/);
    expect(archive).toMatch(/\n\n[0-9a-f]{16} a\.yaml\n[0-9a-f]{16} src\/main\.ts\n\n-- a\.yaml --\n/);
    expect(archive.endsWith("\n-- a.yaml --\na: b\n-- src/main.ts --\nmain\n")).toBe(true);
    expect([...parse(archive)]).toEqual([
      ["a.yaml", "a: b\n"],
      ["src/main.ts", "main\n"],
    ]);
  });

  it("is the same for files in another order", () => {
    expect(format({ "a.yaml": "a: b\n", "src/main.ts": "main\n" })).toBe(archive);
  });

  it("is read if git has converted its line breaks", () => {
    expect(parse(archive.replaceAll("\n", "\r\n"))).toEqual(parse(archive));
  });

  it.each<[string, string, string]>([
    [
      "a duplicate path",
      `${archive}-- src/main.ts --\nmain\n`,
      "it is the result of a merge, and contains src/main.ts twice",
    ],
    [
      "two digests of one path",
      archive.replace(/\n([0-9a-f]{16}) src/, "\n$1 src/main.ts\n0123456789abcdef src"),
      "it is the result of a merge, and contains two digests of src/main.ts",
    ],
    ["a changed text", archive.replace("main\n", "other\n"), "the text of src/main.ts doesn't match its digest"],
    ["a text without a digest", `${archive}-- b --\n`, "the text of b doesn't match its digest"],
    [
      "a digest without a text",
      archive.replace(/-- src[\s\S]*/, ""),
      "it contains a digest of src/main.ts, but no text",
    ],
    ["no end", archive.slice(0, -1), "the text of src/main.ts doesn't match its digest"],
    ["nothing", "", "it contains no files"],
    ["conflict markers", archive.replace("main\n", "<<<<<<< HEAD\nmain\n"), "doesn't match its digest"],
  ])("is rejected with %s", (_, text, message) => {
    expect(() => parse(text)).toThrow(`a.txtar can't be read: ${message.startsWith("doesn't") ? "" : message}`);
    expect(() => parse(text)).toThrow(message);
  });

  it.each([
    "../secret.txt",
    "/etc/passwd",
    "a/../../b",
    "a//b",
    "./a",
    "C:/a",
    "a\\b",
    " a",
    "a\u0007",
    "a\u001b[2J",
    ".git/config",
    ".GIT/hooks/pre-commit",
  ])("is rejected if it contains the path %j", (path) => {
    expect(() => parse(format({ [path]: "x" }))).toThrow(`${JSON.stringify(path)} isn't a path in a project`);
  });

  it("contains the undamaged files after a merge", () => {
    const other = format({ "src/main.ts": "other\n", "a.yaml": "a: b\n" });
    const digest = /[0-9a-f]{16} src\/main\.ts\n/.exec(other)?.[0] ?? "";
    const merged = `${archive.replace(/(?=[0-9a-f]{16} src)/, digest)}-- src/main.ts --\nother\n-- ../d --\nx\n`;
    const { texts, paths } = intactTexts(merged);
    expect([...texts]).toEqual([["a.yaml", "a: b\n"]]);
    expect([...paths]).toEqual(["a.yaml", "src/main.ts"]);
  });
});
