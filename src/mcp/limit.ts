import { escapeForTerminal } from "../text/characters.ts";

/** Maximum number of characters of a result's text, and of its data as JSON. */
export const longestText = 25_000;
/** Shorter texts in data aren't shortened, in characters. */
const shortText = 500;

/**
 * Returns a text in a fenced block, because it is data.
 *
 * @param text - the text; its control characters are escaped
 * @returns the block. A long text ends at a line, and the number of omitted lines follows it.
 */
export function fenced(text: string): string {
  const safe = escapeForTerminal(text).trimEnd();
  const longestFence = Math.max(2, ...[...safe.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longestFence + 1);
  const { kept, omitted } = shortened(safe, longestText - 2 * fence.length - 40);
  return [fence, kept, fence, ...(omitted === 0 ? [] : [omission(omitted)])].join("\n");
}

/**
 * Returns the beginning of a text.
 *
 * @param text - the text
 * @param most - the maximum number of characters of the beginning
 * @returns the text, or its beginning and the number of omitted lines
 */
export function beginning(text: string, most: number): string {
  const { kept, omitted } = shortened(text, most);
  return omitted === 0 ? text : `${kept}\n${omission(omitted)}`;
}

/** The number of entries of a list, or of lines of a text, that was shortened. */
interface Truncated {
  readonly shown: number;
  readonly total: number;
}

/**
 * Returns data that can be shown. Control characters are escaped, and the longest lists and texts are shortened until the JSON has the
 * maximum length.
 *
 * @param data - the result of a tool
 * @returns a copy. If it was shortened, `truncated` contains the numbers of the longest list or text.
 */
export function limited(data: object): object {
  const copy = escapedCopy(data) as Record<string, unknown>;
  let truncated: Truncated | undefined;
  for (let excess = excessOf(copy); excess > 0; excess = excessOf(copy)) {
    const longest = longestPart(copy);
    if (longest === undefined) break;
    const counts = shorten(longest, excess);
    truncated ??= counts;
  }
  return truncated === undefined ? copy : { ...copy, truncated };
}

/** Returns the number of characters above the limit, with `truncated`. */
function excessOf(data: object): number {
  const { length } = JSON.stringify(data);
  const key = ',"truncated":{"shown":0000000,"total":0000000}'.length;
  return length <= longestText ? 0 : length + key - longestText;
}

function escapedCopy(value: unknown): unknown {
  if (typeof value === "string") return escapeForTerminal(value);
  if (Array.isArray(value)) return value.map(escapedCopy);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [escapeForTerminal(key), escapedCopy(inner)]));
}

/** A list or a text in data, with its length in JSON. */
interface Part {
  readonly owner: Record<string, unknown>;
  readonly key: string;
  readonly value: unknown[] | string;
  readonly size: number;
}

/** Returns the longest list with several entries, or the longest text. A list comes before its entries. */
function longestPart(data: Record<string, unknown>): Part | undefined {
  let longest: Part | undefined;
  const visit = (owner: Record<string, unknown>): void => {
    for (const [key, value] of Object.entries(owner)) {
      const canShorten = Array.isArray(value)
        ? value.length > 1
        : typeof value === "string" && value.length > shortText;
      if (canShorten) {
        const size = JSON.stringify(value).length;
        if (longest === undefined || size > longest.size) longest = { owner, key, value: value as Part["value"], size };
      }
      if (typeof value === "object" && value !== null) visit(value as Record<string, unknown>);
    }
  };
  visit(data);
  return longest;
}

/** Removes at least so many characters from the end of a list or a text, if it has as many. */
function shorten({ owner, key, value, size }: Part, excess: number): Truncated {
  if (typeof value === "string") {
    for (let room = Math.max(0, value.length - excess); ; room = Math.floor(room * 0.9)) {
      const { kept, omitted, total } = shortened(value, room);
      owner[key] = `${kept}\n${omission(omitted)}`;
      // A character can need several in JSON.
      if (room === 0 || JSON.stringify(owner[key]).length <= size - excess) return { shown: total - omitted, total };
    }
  }
  const total = value.length;
  for (let removed = 0; removed < excess && value.length > 1; ) removed += JSON.stringify(value.pop()).length + 1;
  return { shown: value.length, total };
}

/** Cuts a text at the end of a line, or within a line that is too long. */
function shortened(text: string, room: number): { kept: string; omitted: number; total: number } {
  const total = linesOf(text);
  if (text.length <= room) return { kept: text, omitted: 0, total };
  const lineEnd = text.lastIndexOf("\n", room);
  // A long line is cut, too.
  const kept = text.slice(0, lineEnd > room / 2 ? lineEnd : room);
  return { kept, omitted: Math.max(1, total - linesOf(kept)), total };
}

function linesOf(text: string): number {
  return text.split("\n").length;
}

function omission(lines: number): string {
  return `… ${lines} more ${lines === 1 ? "line" : "lines"}`;
}
