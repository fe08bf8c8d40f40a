import type { Json } from "./json.ts";

/**
 * Counts colons outside strings and the nesting, without checking the syntax.
 *
 * @param text - a document
 * @returns the numbers
 */
export function outlineOf(text: string): { colons: number; depth: number } {
  let colons = 0;
  let level = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 34: {
        at = endOfString(text, at + 1);
        break;
      }
      case 58:
        colons++;
        break;
      case 91:
      case 123:
        level++;
        if (level > depth) depth = level;
        break;
      case 93:
      case 125:
        level--;
        break;
    }
  }
  return { colons, depth };
}

function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (end - slashes > from && text.charCodeAt(end - slashes - 1) === 92) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/**
 * Counts the keys of all objects.
 *
 * @param value - a value
 * @returns the number
 */
export function countKeys(value: Json): number {
  let count = 0;
  const pending: Json[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if (Array.isArray(next)) {
      for (const item of next) if (typeof item === "object" && item !== null) pending.push(item);
    } else {
      for (const key in next) {
        count++;
        const child = next[key];
        if (typeof child === "object" && child !== null) pending.push(child);
      }
    }
  }
  return count;
}
