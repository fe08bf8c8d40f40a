import MarkdownIt from "markdown-it";
import { expect, it } from "vitest";
import { type Block, parseComment } from "./doc-comment.ts";
import { htmlPage } from "./html.ts";
import { blocksHtml } from "./html-text.ts";
import { markdownPage } from "./markdown.ts";
import { cellText, codeText } from "./markdown-text.ts";
import { pagesOf } from "./pages.ts";
import { hostileReference } from "./test-support/hostile-reference.ts";
import { hostileCodes, hostileTexts } from "./test-support/hostile-text.ts";

const markdown = new MarkdownIt({ html: true, linkify: true });
const pages = pagesOf(hostileReference, "single");
const [page] = pages.pages;
const nothing = () => undefined;

/** The tags that the pages contain. */
const allowed = "a br code em h1 h2 h3 h4 li ol p pre strong table tbody td th thead tr ul wbr".split(" ");

function tagsIn(html: string): string[] {
  return [...new Set([...html.matchAll(/<\/?([A-Za-z][\w-]*)/g)].map(([, name]) => name!))].sort();
}

/** Returns the text of HTML without line breaks. */
function textOf(html: string): string {
  const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };
  return html
    .replace(/<(?:br|\/?(?:li|ul|ol|pre|p|td|tr))[^<>]*>/g, " ")
    .replace(/<[^<>]*>/g, "")
    .replace(/&(?:#(\d+)|(\w+));/g, (_, code, name) => (code ? String.fromCodePoint(Number(code)) : named[name]!))
    .replace(/\s+/g, " ")
    .trim();
}

it("rule 7: no text changes the Markdown page, and it contains no comment, expression, or unknown tag", () => {
  const text = markdownPage(page!, pages);
  expect(tagsIn(markdown.render(text))).toEqual(allowed);
  // The code of MDX and Vue, outside of code spans and blocks.
  const outside = text.replace(/^(`{3,})[\s\S]*?^\1$/gm, "").replace(/(?<!`)(`+)(?!`)[^`][\s\S]*?(?<!`)\1(?!`)/g, "");
  expect(outside).not.toMatch(/[{}]|<!|^(?:import|export)\b/m);
  expect(outside.match(/<[a-z]+[^<>]*>/g)?.filter((tag) => /^<(?:br|wbr)/.test(tag) && !tag.endsWith(" />"))).toEqual(
    [],
  );
});

it.each(hostileTexts)("rule 7: the text %j is the same in a cell and in HTML", (text) => {
  const blocks = parseComment(text);
  const expected = textOf(blocksHtml(blocks, nothing));
  const table = markdown.render(`| a | b |\n| --- | --- |\n| ${cellText(blocks, nothing)} | x |\n`);
  expect(table.match(/<td>/g)).toHaveLength(2);
  const [, cell = ""] = /<td>([\s\S]*?)<\/td>\n<td>x<\/td>/.exec(table) ?? [];
  expect(textOf(cell)).toBe(expected);
  expect(cell).not.toMatch(/javascript:[^<]*">|<img|<script|<Foo/);
});

it.each(hostileCodes)("rule 7: the code %j is unchanged", (code) => {
  const cell = markdown.render(`| a |\n| --- |\n| ${codeText(code, true)} |\n`);
  expect(/<code>([\s\S]*)<\/code>/.exec(cell)?.[1]?.replaceAll("<wbr />", "")).toBeDefined();
  expect(textOf(/<code>([\s\S]*)<\/code>/.exec(cell)?.[1] ?? "")).toBe(code.trim());
  expect(textOf(/<code>([\s\S]*)<\/code>/.exec(markdown.render(codeText(code, false)))?.[1] ?? "")).toBe(code.trim());
});

it("rule 9: the HTML page has no other files and no text that changes it", () => {
  const text = htmlPage(page!, pages);
  expect(text.match(/<script/g)).toHaveLength(1);
  expect(text).not.toMatch(/<(?:link|img|iframe|Foo)|<script src|@import|url\(/);
  expect([...text.matchAll(/ (?:src|on\w+)="/g)]).toEqual([]);
  expect([...text.matchAll(/href="(?!#|https?:\/\/example\.com)([^"]*)/g)].map(([, link]) => link)).toEqual([]);
});

it("rule 6: a comment has paragraphs, nested lists, ordered lists, code and titles", () => {
  const comment = `First
line.

# Title
1. one
2. two

   second
- a
  - b
    more
\`\`\`go
x := 1

  y
\`\`\`
After.

    indented
    code`;
  const shape = (blocks: readonly Block[]): unknown =>
    blocks.map((block) => {
      if (block.kind === "paragraph") return block.parts.map(({ text }) => text).join("");
      if (block.kind === "code") return { code: block.text, language: block.language };
      return { [block.start === undefined ? "ul" : "ol"]: block.items.map(shape) };
    });
  expect(shape(parseComment(comment))).toEqual([
    "First line.",
    "Title",
    { ol: [["one"], ["two", "second"]] },
    { ul: [["a", { ul: [["b more"]] }]] },
    { code: "x := 1\n\n  y", language: "go" },
    "After.",
    { code: "indented\ncode", language: "" },
  ]);
});
