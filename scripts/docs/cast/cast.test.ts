import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { asciicast } from "./asciicast.ts";
import { EditorPane } from "./editor.ts";
import { condensed, type Frame } from "./recording.ts";
import { type Line, TerminalPane } from "./screen.ts";
import { svg } from "./svg.ts";

const directories: string[] = [];
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

const line = (text: string): Line => [{ text, style: {} }];
const frame = (time: number, text: string, isFast = false): Frame => ({ time, isFast, lines: [line(text)] });

describe("a recorded terminal", () => {
  it("has the colors and the cursor of the written text", async () => {
    const pane = new TerminalPane(20, 2);
    await pane.write("\u001b[32mok\u001b[0m \u001b[1mbold\u001b[22m\r\nnext");
    expect(pane.lines()).toEqual([
      [
        { text: "ok", style: { foreground: 2 } },
        { text: " ", style: {} },
        { text: "bold", style: { bold: true } },
      ],
      [
        { text: "next", style: {} },
        { text: " ", style: { background: 7 } },
      ],
    ]);
    pane.showCursor(false);
    await pane.write("\u001b[2J\u001b[H");
    expect(pane.lines()).toEqual([[], []]);
  });

  it("shortens waits except for reading, and plays long work faster", () => {
    const frames = [frame(0, "a"), frame(500, "a"), frame(9000, "b"), frame(15_000, "c"), frame(16_200, "d", true)];
    expect(condensed(frames, [14_000]).map(({ time }) => time)).toEqual([0, 1600, 7600, 7800]);
  });

  it("becomes an asciicast with only the changed lines", () => {
    const frames = [
      { time: 0, lines: [line("one"), line("two")] },
      { time: 1234, lines: [line("one"), line("three")] },
    ];
    const [header, , second] = asciicast({ columns: 10, rows: 2, frames }, "title").split("\n");
    expect(JSON.parse(header ?? "")).toMatchObject({ version: 2, width: 10, height: 2, title: "title" });
    expect(JSON.parse(second ?? "")).toEqual([1.234, "o", "\u001b[2;1H\u001b[0mthree\u001b[0m\u001b[K"]);
  });

  it("becomes an SVG without scripts, with each line once", () => {
    const frames = [
      { time: 0, lines: [line("<b> & co"), line("two")] },
      { time: 1000, lines: [line("<b> & co"), line("three")] },
    ];
    const markup = svg({ columns: 10, rows: 2, frames }, "title");
    expect(markup.match(/&lt;b&gt; &amp; co/g)).toHaveLength(1);
    expect(markup.match(/<use /g)).toHaveLength(4);
    expect(markup).toContain("20%{transform:translateY(-38px)}");
    expect(markup).toContain("prefers-reduced-motion");
    expect(markup).not.toContain("<script");
  });
});

describe("the editor", () => {
  it("indents new lines as the current line, and saves", () => {
    const root = mkdtempSync(join(tmpdir(), "kubewright-cast-"));
    directories.push(root);
    writeFileSync(join(root, "a.ts"), "one {\n  two;\n}\n");
    const editor = new EditorPane(root, 3);
    editor.open("a.ts", "two");
    for (const character of "\nthree;") editor.type(character);
    expect(editor.title).toBe("a.ts ●");
    editor.save();
    expect(editor.title).toBe("a.ts");
    expect(readFileSync(join(root, "a.ts"), "utf8")).toBe("one {\n  two;\n  three;\n}\n");
    expect(() => editor.open("a.ts", "four")).toThrow("a.ts doesn't contain four");
  });
});

it("the published cast is smaller than 1 MB", () => {
  for (const name of ["cast.cast", "cast.svg"]) {
    const text = readFileSync(new URL(`../../../docs/public/dev/${name}`, import.meta.url), "utf8");
    expect(text.length).toBeLessThan(1_000_000);
    expect(text).toContain("scaffold dev");
  }
});
