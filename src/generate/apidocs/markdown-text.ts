// Text as Markdown that means the same for GitHub, VitePress, MkDocs and MDX.
import type { Block, Inline } from "./doc-comment.ts";
import type { ResolveName } from "./pages.ts";

/** Characters that have a meaning anywhere in a paragraph. */
const special = /[\\`*_[\]&<>{}|~$]/g;

/** Escapes without a backslash, because some parsers don't know them, or read the character before they unescape it. */
const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "{": "&#123;",
  "}": "&#125;",
  "|": "&#124;",
  "~": "&#126;",
  "`": "&#96;",
  $: "&#36;",
};

/** Escapes text inside a line. An address doesn't become a link, and a link behind the text doesn't become an image. */
export function escapeText(text: string): string {
  return escapeInLink(text).replaceAll("://", "&#58;//").replace(/!$/, "&#33;");
}

function escapeInLink(text: string): string {
  return separateBraces(text.replace(special, (character) => entities[character] ?? `\\${character}`));
}

/** Vue evaluates `{{ … }}`, also if the braces are entities. */
function separateBraces(text: string): string {
  return text.replace(/&#123;(?=&#123;)/g, "&#123;<wbr />");
}

/** Escapes the beginning of a line, which could begin a list, a heading, or code of MDX. Expects escaped text. */
export function escapeStart(text: string): string {
  if (/^(?:import|export)\b/.test(text)) return `&#${text.charCodeAt(0)};${text.slice(1)}`;
  const number = /^(\d+)([.)])/.exec(text);
  if (number) return `${number[1]}&#${number[2]!.charCodeAt(0)};${text.slice(number[0].length)}`;
  return /^[#+\-=:!?%@^]/.test(text) ? `&#${text.charCodeAt(0)};${text.slice(1)}` : text;
}

/** Formats a value as code. It is HTML if Markdown would change it in a table. */
export function codeText(text: string, isCell: boolean): string {
  const shown = text.replaceAll("\n", " ");
  if (shown.trim() === "") return `<code>${shown.replaceAll(" ", "&#32;")}</code>`;
  if (isCell && /[|\\`]/.test(shown)) return `<code>${htmlCode(shown)}</code>`;
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map(({ length }) => length));
  const ticks = "`".repeat(longest + 1);
  const padding = shown.startsWith("`") || shown.endsWith("`") ? " " : "";
  return `${ticks}${padding}${shown}${padding}${ticks}`;
}

/** Escapes code in HTML tags: also the characters of Markdown, because some parsers read the text in tags. */
function htmlCode(text: string): string {
  const escaped = text.replace(/[^A-Za-z0-9 .,;/'"()-]/g, (character) => `&#${character.codePointAt(0)};`);
  return separateBraces(escaped);
}

/** Returns the blocks of a comment as lines of a page. */
export function blockLines(blocks: readonly Block[], resolve: ResolveName): string[] {
  return blocks.flatMap((block) => {
    if (block.kind === "paragraph") return [escapeStart(inlineText(block.parts, resolve, false)), ""];
    if (block.kind === "list") return [...listLines(block, resolve, ""), ""];
    return [...fencedLines(block.text, block.language), ""];
  });
}

/** Returns code as lines of a page. */
export function fencedLines(text: string, language: string): string[] {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, ...text.split("\n"), fence];
}

/** Returns the lines of a list. MkDocs requires an indentation of four spaces. */
function listLines({ start, items }: Block & { kind: "list" }, resolve: ResolveName, indent: string): string[] {
  return items.flatMap((item, index) => {
    const sign = start === undefined ? "-" : `${start + index}.`;
    // Without a text of its own, an item would be the underline of a heading for MkDocs.
    const isInline = item[0]?.kind === "list" || item.length === 0;
    const nested = item.filter((block): block is Block & { kind: "list" } => block.kind === "list" && !isInline);
    const own = item.filter((block) => block.kind !== "list" || isInline);
    const text = own.length === 0 ? "&#160;" : escapeStart(cellText(own, resolve));
    return [
      `${indent}${sign.padEnd(3)} ${text}`.trimEnd(),
      ...nested.flatMap((list) => listLines(list, resolve, `${indent}    `)),
    ];
  });
}

/** Returns the blocks of a comment on one line, as in a cell of a table. */
export function cellText(blocks: readonly Block[], resolve: ResolveName): string {
  let text = "";
  for (const [index, block] of blocks.entries()) {
    const isAfterText = index > 0 && blocks[index - 1]?.kind === "paragraph";
    if (block.kind === "paragraph")
      text += `${isAfterText ? "<br /><br />" : ""}${inlineText(block.parts, resolve, true)}`;
    else if (block.kind === "code") text += `<pre>${block.text.split("\n").map(htmlCode).join("<br />")}</pre>`;
    else {
      const tag = block.start === undefined ? "ul" : "ol";
      const start = block.start === undefined || block.start === 1 ? "" : ` start="${block.start}"`;
      const items = block.items.map((item) => `<li>${cellText(item, resolve)}</li>`);
      text += `<${tag}${start}>${items.join("")}</${tag}>`;
    }
  }
  return text;
}

/** Returns a paragraph on one line. */
export function inlineText(parts: readonly Inline[], resolve: ResolveName, isCell: boolean): string {
  return parts
    .map((part) => {
      if (part.kind === "code") return codeText(part.text, isCell);
      if (part.kind === "strong") return `**${escapeText(part.text)}**`;
      const url = part.kind === "link" ? part.url : part.kind === "reference" ? resolve(part.name) : undefined;
      return url === undefined ? escapeText(part.text) : linkText(part.text, url);
    })
    .join("");
}

/** Returns a link. */
export function linkText(text: string, url: string): string {
  // The characters of Markdown, which some parsers read in addresses, too.
  const address = url.replace(
    /[()<>\s\\|*_`{}[\]]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `[${escapeInLink(text)}](${address})`;
}
