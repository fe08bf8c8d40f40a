/** Go's `//name:word` directives without a space after the slashes, and TypeScript's tool comments. */
const DIRECTIVE = /^(?:(?:line|extern|export) |[a-z0-9]+:[a-z0-9])/;
const TOOL_COMMENT =
  /^ ?(?:@ts-(?:ignore|expect-error|nocheck)|biome-ignore|eslint-(?:disable|enable)|prettier-ignore|tslint:)/;
const FENCE = /^(?:```|~~~)/;

/**
 * Returns the description in a comment, by controller-gen's rules. A line is the text after `//` or the asterisk. Markers,
 * directives and `TODO` lines are dropped, and several empty lines become one. A line `---` ends the text. `TODO` and `---`
 * have no effect in fenced code.
 *
 * @param maxDescLen maximum length in bytes: 0 drops the description, a negative value sets no limit
 */
export function describe(rawLines: readonly string[], maxDescLen = -1): string {
  const text = proseLines(collapseBlanks(plainLines(rawLines))).join("\n");
  return maxDescLen < 0 ? text : truncate(text, maxDescLen);
}

function plainLines(rawLines: readonly string[]): string[] {
  return rawLines
    .filter((line) => !line.trimStart().startsWith("+") && !DIRECTIVE.test(line) && !TOOL_COMMENT.test(line))
    .map((line) => withoutBlanksBehind(line.startsWith(" ") ? line.slice(1) : line));
}

/** Removes trailing whitespace. A regular expression would take quadratic time for lines with much whitespace. */
function withoutBlanksBehind(line: string): string {
  let end = line.length;
  while (end > 0 && " \t\r\n".includes(line[end - 1]!)) end--;
  return line.slice(0, end);
}

/** Drops empty lines at both ends, and merges successive ones. */
function collapseBlanks(lines: readonly string[]): string[] {
  const kept = lines.filter((line, index) => line !== "" || (index > 0 && lines[index - 1] !== ""));
  if (kept[0] === "") kept.shift();
  if (kept.at(-1) === "") kept.pop();
  return kept;
}

function proseLines(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let fenced = false;
  for (const line of lines) {
    if (FENCE.test(line)) fenced = !fenced;
    if (!fenced) {
      if (line.startsWith("TODO")) continue;
      if (line.startsWith("---")) break;
    }
    kept.push(line);
  }
  return kept;
}

/**
 * Cuts a description at `limit` bytes, and then at the end of a sentence or word. controller-gen cuts multi-byte characters
 * in the middle; each remaining byte becomes U+FFFD.
 */
export function truncate(text: string, limit: number): string {
  if (limit === 0 || Buffer.byteLength(text) <= limit) return limit === 0 ? "" : text;
  const { whole, strayBytes } = cutAtByte(text, limit);
  const sentenceEnd = lastMatch(whole, /\p{Sentence_Terminal}/gu);
  if (sentenceEnd && sentenceEnd.index > 0) {
    const terminal = sentenceEnd[0];
    return whole.slice(0, sentenceEnd.index) + (Buffer.byteLength(terminal) === 1 ? terminal : "\ufffd");
  }
  const blank = lastMatch(whole, /\p{White_Space}/gu);
  if (blank && blank.index > 0) return `${whole.slice(0, blank.index)}...`;
  return `${whole}${"\ufffd".repeat(strayBytes)}...`;
}

function cutAtByte(text: string, limit: number): { whole: string; strayBytes: number } {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (bytes + size > limit) break;
    bytes += size;
    end += character.length;
  }
  return { whole: text.slice(0, end), strayBytes: limit - bytes };
}

function lastMatch(text: string, pattern: RegExp): (RegExpMatchArray & { index: number }) | undefined {
  return [...text.matchAll(pattern)].at(-1) as (RegExpMatchArray & { index: number }) | undefined;
}
