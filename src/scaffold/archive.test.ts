import { describe, expect, it } from "vitest";
import { formatArchive, intactTexts, parseArchive } from "./archive.ts";

const parse = (archive: string) => parseArchive(archive, "a.txtar", "restore it");
const text = (archive: string) => Object.fromEntries(parse(archive));

describe("an archive", () => {
  it("has Go's txtar format, sorted by path", () => {
    const texts = new Map([
      ["b/c.ts", "const a = 1;\n"],
      ["a.yaml", "a: b\n\nc: d\n"],
    ]);
    expect(formatArchive("A comment.\n", texts)).toBe(
      "A comment.\n-- a.yaml --\na: b\n\nc: d\n-- b/c.ts --\nconst a = 1;\n",
    );
  });

  it.each([
    ["", ""],
    ["\n", "\n"],
    ["a", "a\n\\ No newline at end of file\n"],
    ["-- a --\n", "\\-- a --\n"],
    ["-- a\n", "\\-- a\n"],
    ["\\-- a --\n", "\\\\-- a --\n"],
    ["\\ No newline at end of file\n", "\\\\ No newline at end of file\n"],
    ["\\ No newline at end of file", "\\\\ No newline at end of file\n\\ No newline at end of file\n"],
    ["a\r\n", "a\r\n"],
    ["  -- a --\n", "  -- a --\n"],
  ])("contains the text %j as %j", (content, written) => {
    const archive = formatArchive("", new Map([["f", content]]));
    expect(archive).toBe(`-- f --\n${written}`);
    expect(text(archive)).toEqual({ f: content });
  });

  it("returns any texts as they were", () => {
    const parts = [
      "-- a --",
      "-- ",
      "\\",
      "\\-- b",
      " No newline at end of file",
      "\\ No newline at end of file",
      "\n",
      "x",
      "\r",
    ];
    for (let seed = 0; seed < 3000; seed++) {
      let state = seed * 2654435761;
      const next = (below: number) => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        return (state >>> 8) % below;
      };
      const content = () => Array.from({ length: next(9) }, () => parts[next(parts.length)]).join("");
      const texts = Object.fromEntries(Array.from({ length: 1 + next(3) }, (_, index) => [`f${index}`, content()]));
      expect(text(formatArchive("Comment.\n", new Map(Object.entries(texts)))), `seed ${seed}`).toEqual(texts);
    }
  });

  it("is the same after git has checked it out with the line breaks of Windows", () => {
    const archive = formatArchive("Comment.\n", new Map([["f", "a\nb\n"]]));
    expect(text(archive.replaceAll("\n", "\r\n"))).toEqual({ f: "a\nb\n" });
  });

  it.each([
    ["one file twice", "-- a --\nx\n-- a --\ny\n", "it contains a twice, as after a merge of branches"],
    ["conflict markers", "-- a --\n<<<<<<< HEAD\nx\n>>>>>>> b\n", "it contains conflict markers"],
    ["a path out of the project", "-- ../a --\nx\n", '"../a" isn\'t a path in a project'],
    ["an absolute path", "-- /a --\nx\n", '"/a" isn\'t a path in a project'],
    ["a drive", "-- C:/a --\nx\n", '"C:/a" isn\'t a path in a project'],
    ["a path of git", "-- .git/config --\nx\n", '".git/config" isn\'t a path in a project'],
    ["a control character", "-- a\u001b[0m --\nx\n", "isn't a path in a project"],
  ])("is refused with %s", (_, archive, message) => {
    expect(() => parse(archive)).toThrow("a.txtar can't be read: ");
    expect(() => parse(archive)).toThrow(message);
  });

  it("may contain a file twice with the same text", () => {
    expect(text("-- a --\nx\n-- a --\nx\n")).toEqual({ a: "x\n" });
  });

  it("still contains the other files if one of them is unclear", () => {
    const archive = "-- a --\nx\n-- b --\ny\n-- a --\nz\n-- c --\n<<<<<<< HEAD\n-- ../d --\n";
    expect(Object.fromEntries(intactTexts(archive))).toEqual({ b: "y\n" });
  });
});
