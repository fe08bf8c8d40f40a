import type { Ordered, OrderedMap } from "./ordered.ts";
import { scalarText } from "./scalar.ts";

/**
 * Formats a value in go-yaml v3's block style, after its key: an object or list begins on a new line and is indented by
 * `indent` spaces, lists too.
 */
export function blockText(value: Ordered, indent: number): string {
  const lines = linesOf(value, indent);
  return lines === undefined ? ` ${inline(value, indent)}` : `\n${lines.join("\n")}`;
}

/** Returns the lines of an object or list; undefined for values on the line of their key. */
function linesOf(value: Ordered, indent: number): string[] | undefined {
  const pad = " ".repeat(indent);
  if (isMap(value) && value.size > 0) {
    return [...value].map(([key, part]) => {
      const name = scalarText(key, indent, true);
      return `${pad}${name}:${blockText(part, indent + 2)}`;
    });
  }
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return (value as readonly Ordered[]).map((item) => {
    const lines = linesOf(item, indent + 2);
    // The first line of a list item follows its dash.
    return `${pad}- ${lines === undefined ? inline(item, indent + 2) : lines.join("\n").slice(indent + 2)}`;
  });
}

function inline(value: Ordered, indent: number): string {
  if (typeof value === "string") return scalarText(value, indent, false);
  if (isMap(value)) return "{}";
  return Array.isArray(value) ? "[]" : String(value);
}

function isMap(value: Ordered): value is OrderedMap {
  return value instanceof Map;
}
