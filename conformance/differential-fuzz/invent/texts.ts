import type { Random } from "../../../scripts/test-support/random.ts";

const words =
  "the number of pods that this game asks for is kept between limits and given to each server when it starts; see docs".split(
    " ",
  );

const nasty = [
  "key: value, and `code`: more",
  "quoted \"twice\" and 'once'",
  "- a list item: with a colon",
  "* another item",
  "1. numbered",
  "   indented by three",
  "\tindented by a tab",
  "a\ttab inside",
  "TODO: drop this line",
  "TODO(somebody) and this",
  "todo: keep this line",
  "a TODO in the middle",
  "# a heading",
  "text # no comment",
  "ends with a colon:",
  "ends with blanks   ",
  "中文句子。还有一句！",
  "déjà vu — naïve “quotes”",
  "an emoji 🚀 and more text behind it",
  "a no-break\u00a0space",
  "zero\u200bwidth",
  "{braces} [brackets] <angles> & %percent",
  "!bang",
  "@param looks like a tag",
  "ends a comment */ here",
  "opens /* a comment",
  "back\\slash and \\n",
  "| pipe",
  "> quote",
  "? question",
  "true",
  "null",
  "0x1F",
  "2001-01-01",
  "...",
  "https://example.com/a?b=c#d",
  "double  blanks   inside",
  "nolint: is no directive",
  "Deprecated: use something else.",
  "'single",
  '"double',
  "word ".repeat(40).trim(),
  "x".repeat(130),
  "sentence one. sentence two! sentence three? four",
  "line\u2028separator",
  "next\u0085line",
  "~",
  "=",
  "%YAML",
  ", comma first",
];
const fences = ["```", "~~~", "```yaml"];

function sentence(random: Random): string {
  const length = 1 + random.int(random.chance(0.2) ? 30 : 9);
  const text = Array.from({ length }, () => random.pick(words)).join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1) + random.pick([".", "", ".", "!", ":"]);
}

/** Generates the lines of a comment. */
export function docLines(random: Random): string[] {
  if (random.chance(0.35)) return [];
  if (random.chance(0.35)) return [sentence(random)];
  const lines: string[] = [];
  const count = 1 + random.int(6);
  for (let index = 0; index < count; index++) {
    if (random.chance(0.12)) lines.push("");
    else if (random.chance(0.04)) lines.push("---");
    else if (random.chance(0.05)) lines.push(random.pick(fences));
    else if (random.chance(0.45)) lines.push(random.pick(nasty));
    else lines.push(sentence(random));
  }
  // A line separator ends a `//` comment in TypeScript, and a block comment can't contain tags or its end.
  return lines.some((line) => line.includes("\u2028")) ? lines.filter(fitsBlock) : lines;
}

/** Whether a JSDoc comment can contain a line of text. */
export function fitsBlock(line: string): boolean {
  return !line.includes("*/") && !/^\s*@/.test(line);
}

/** Generates a string without line breaks for a marker's argument. */
export function text(random: Random): string {
  if (random.chance(0.5)) return random.pick(words);
  if (random.chance(0.5)) return sentence(random);
  return random.pick([...nasty, "", "a,b", "a;b", "a=b", "{a}", "100Mi", "1.2.3", "^[a-z]+$", "5", "-1", "no", "y"]);
}

/** Formats a string as a marker argument. */
export function quoted(random: Random, value: string): string {
  if (/^[A-Za-z][A-Za-z0-9/.-]*$/.test(value) && random.chance(0.5)) return value;
  if (!/[`\u2028]/.test(value) && random.chance(0.4)) return `\`${value}\``;
  return goQuoted(value);
}

/** Quotes a string similarly to Go's strconv.Quote, so that it can be parsed again. */
export function goQuoted(value: string): string {
  const escaped = [...value].map((character) => {
    if (character === '"' || character === "\\") return `\\${character}`;
    const code = character.codePointAt(0)!;
    if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, "0")}`;
    return code === 0x2028 || code === 0x85 ? `\\u${code.toString(16).padStart(4, "0")}` : character;
  });
  return `"${escaped.join("")}"`;
}
