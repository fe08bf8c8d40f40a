// The structure of a doc comment: paragraphs, lists and code.

/** A part of a paragraph. */
export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "strong"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly url: string }
  /** `{@link Name}`: a link to a type, if it has a section. */
  | { readonly kind: "reference"; readonly text: string; readonly name: string };

/** A part of a comment. */
export type Block =
  | { readonly kind: "paragraph"; readonly parts: readonly Inline[] }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  /** `start` is the first number of an ordered list. */
  | { readonly kind: "list"; readonly start?: number; readonly items: readonly (readonly Block[])[] };

/** Maximum nesting of lists; deeper ones are part of the item around them. */
const deepest = 8;

const itemStart = /^([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/;
const fence = /^(`{3,}|~{3,})[ \t]*([\w+#.-]*)/;

/** Reads a description. */
export function parseComment(text: string): Block[] {
  return text === "" ? [] : blocksOf(text.split("\n"), 0);
}

function blocksOf(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    const joined = paragraph.join(" ").trim();
    if (joined !== "") blocks.push({ kind: "paragraph", parts: inlinesOf(joined) });
    paragraph = [];
  };
  for (let index = 0; index < lines.length; ) {
    const line = lines[index]!;
    const text = line.trim();
    const opening = fence.exec(text);
    if (text === "") {
      endParagraph();
      index++;
    } else if (opening) {
      endParagraph();
      const end = closingFence(lines, index + 1, opening[1]!);
      const code = dedent(lines.slice(index + 1, end), indentOf(line)).join("\n");
      blocks.push({ kind: "code", language: opening[2]!, text: code });
      index = end + 1;
    } else if (paragraph.length === 0 && isCodeLine(line)) {
      const end = endOf(lines, index, (each) => each.trim() === "" || isCodeLine(each));
      blocks.push({ kind: "code", language: "", text: trimmedLines(dedent(lines.slice(index, end), 4)).join("\n") });
      index = end;
    } else if (depth < deepest && startsList(text, paragraph.length === 0)) {
      endParagraph();
      const { list, end } = listAt(lines, index, depth);
      blocks.push(list);
      index = end;
    } else if (/^#{1,6}[ \t]/.test(text)) {
      endParagraph();
      const title = text.replace(/^#+[ \t]+/, "");
      if (title !== "") blocks.push({ kind: "paragraph", parts: [{ kind: "strong", text: title }] });
      index++;
    } else {
      paragraph.push(text);
      index++;
    }
  }
  endParagraph();
  return blocks;
}

/** Returns whether a line begins a list. Inside a paragraph, only the number 1 does, as in CommonMark. */
function startsList(text: string, isFree: boolean): boolean {
  const [, sign] = itemStart.exec(text) ?? [];
  if (sign === undefined) return false;
  return isFree || !/^\d/.test(sign) || sign.startsWith("1.") || sign.startsWith("1)");
}

function isCodeLine(line: string): boolean {
  return /^(?: {4}|\t)/.test(line);
}

function listAt(
  lines: readonly string[],
  start: number,
  depth: number,
): { readonly list: Block & { kind: "list" }; readonly end: number } {
  const indent = indentOf(lines[start]!);
  const isOrdered = /^\d/.test(lines[start]!.trim());
  const items: Block[][] = [];
  let index = start;
  while (index < lines.length) {
    const line = lines[index]!;
    const sign = itemStart.exec(line.trim());
    if (!sign || /^\d/.test(sign[1]!) !== isOrdered || indentOf(line) < indent || indentOf(line) > indent + 3) break;
    const content = indentOf(line) + sign[0].length;
    const end = endOfItem(lines, index + 1, indentOf(line));
    const rest = dedent(lines.slice(index + 1, end), Math.min(content, indentOf(line) + 4));
    items.push(blocksOf([line.trim().slice(sign[0].length), ...rest], depth + 1));
    index = end;
  }
  const first = Number.parseInt(lines[start]!.trim(), 10);
  return { list: { kind: "list", ...(isOrdered ? { start: first } : {}), items }, end: index };
}

/** Returns the line after an item: lines of the item are indented, or continue its paragraph. */
function endOfItem(lines: readonly string[], start: number, indent: number): number {
  let end = start;
  let isBlank = false;
  for (let index = start; index < lines.length; index++) {
    const line = lines[index]!;
    if (line.trim() === "") {
      isBlank = true;
      continue;
    }
    const isInside = indentOf(line) > indent + 1;
    if (!isInside && (isBlank || itemStart.test(line.trim()) || fence.test(line.trim()))) break;
    isBlank = false;
    end = index + 1;
  }
  return end;
}

function closingFence(lines: readonly string[], start: number, opening: string): number {
  const closes = (line: string) => {
    const text = line.trim();
    return text.length >= opening.length && text === opening[0]!.repeat(text.length);
  };
  return endOf(lines, start, (line) => !closes(line));
}

function endOf(lines: readonly string[], start: number, goesOn: (line: string) => boolean): number {
  let end = start;
  while (end < lines.length && goesOn(lines[end]!)) end++;
  return end;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function dedent(lines: readonly string[], indent: number): string[] {
  return lines.map((line) => (line.startsWith("\t") ? line.slice(1) : line.slice(Math.min(indent, indentOf(line)))));
}

function trimmedLines(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== "") + 1);
}

/** Splits a paragraph. Code spans take precedence. */
export function inlinesOf(text: string): Inline[] {
  const parts: Inline[] = [];
  const unclosed = new Set<number>();
  let from = 0;
  let index = text.indexOf("`");
  while (index >= 0) {
    const length = runLength(text, index);
    const end = unclosed.has(length) ? -1 : closingRun(text, index + length, length);
    if (end < 0) {
      unclosed.add(length);
      index = text.indexOf("`", index + length);
      continue;
    }
    parts.push(...markedParts(text.slice(from, index)));
    parts.push({ kind: "code", text: text.slice(index + length, end).trim() });
    from = end + length;
    index = text.indexOf("`", from);
  }
  return [...parts, ...markedParts(text.slice(from))];
}

function runLength(text: string, start: number): number {
  let end = start;
  while (text[end] === "`") end++;
  return end - start;
}

function closingRun(text: string, start: number, length: number): number {
  for (let index = text.indexOf("`", start); index >= 0; ) {
    const run = runLength(text, index);
    if (run === length) return index;
    index = text.indexOf("`", index + run);
  }
  return -1;
}

/** A marked part of a text, and the position behind it. */
interface Marked {
  readonly part: Inline;
  readonly end: number;
}

const markStart = /\{@link|\[|<https?:|https?:\/\/|\*\*/g;
/** The longest link or bold text, in characters. */
const longest = 1000;

function markedParts(text: string): Inline[] {
  const parts: Inline[] = [];
  let from = 0;
  for (const { index, 0: start } of text.matchAll(markStart)) {
    if (index < from) continue;
    const marked = markedAt(text.slice(index, index + longest), start);
    if (!marked) continue;
    if (index > from) parts.push({ kind: "text", text: text.slice(from, index) });
    parts.push(marked.part);
    from = index + marked.end;
  }
  if (from < text.length) parts.push({ kind: "text", text: text.slice(from) });
  return parts;
}

/** Reads the link or bold text at the beginning of a text. */
function markedAt(text: string, start: string): Marked | undefined {
  if (start === "**") {
    const end = text.indexOf("**", 2);
    const inner = text.slice(2, end);
    return end < 0 || inner === "" || inner.trim() !== inner || inner.includes("*")
      ? undefined
      : { part: { kind: "strong", text: inner }, end: end + 2 };
  }
  if (start.startsWith("{")) return linkTag(text);
  if (start === "[") {
    const [label, rest] = [text.indexOf("]"), text.indexOf(")")];
    const url = text.slice(label + 2, rest);
    const inner = text.slice(1, label);
    if (label < 2 || !text.startsWith("](", label) || rest < label || !isAddress(url) || inner.includes("["))
      return undefined;
    return { part: { kind: "link", text: inner, url }, end: rest + 1 };
  }
  if (start.startsWith("<")) {
    const end = text.indexOf(">");
    const url = text.slice(1, end);
    return end < 0 || !isAddress(url) ? undefined : { part: { kind: "link", text: url, url }, end: end + 1 };
  }
  const [address = ""] = /^https?:\/\/[^\s<>()[\]{}"'`|\\^]+/.exec(text) ?? [];
  // A sentence can end behind an address.
  let end = address.length;
  while (end > 0 && ".,;:!?".includes(address[end - 1]!)) end--;
  const url = address.slice(0, end);
  return /\/\/./.test(url) ? { part: { kind: "link", text: url, url }, end } : undefined;
}

function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s()<>]+$/.test(text);
}

function linkTag(text: string): Marked | undefined {
  const end = text.indexOf("}");
  const [tag = "", name = "", ...words] = text.slice(1, end).replace("|", " ").split(/\s/).filter(Boolean);
  if (end < 0 || name === "" || !["@link", "@linkcode", "@linkplain"].includes(tag)) return undefined;
  if (text.slice(1, end).includes("{")) return undefined;
  return { part: reference(name, words.join(" ")), end: end + 1 };
}

function reference(name: string, label: string): Inline {
  if (/^https?:\/\//.test(name)) return { kind: "link", text: label || name, url: name };
  return { kind: "reference", text: label || name, name };
}
