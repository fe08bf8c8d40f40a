import { writeString } from "../output/yaml-scalar.ts";
import type { Ordered, OrderedMap } from "./ordered.ts";

/**
 * Words that only YAML 1.1 reads as booleans, and base-60 numbers. The library that upstream patches with reads them as
 * strings.
 */
const OLD_WORDS =
  /^(?:[yYnN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?)$/;

/** Formats a string as go-yaml v3 does: in the same style as other generated files, but without folding lines. */
function scalarText(text: string, indent: number, isKey: boolean): string {
  if (OLD_WORDS.test(text)) return text;
  if (text === "<<") return '"<<"';
  return writeString(text, { column: Number.NEGATIVE_INFINITY, indent, isKey });
}

/**
 * Formats a value in go-yaml v3's block style, after its key. Objects and lists begin on a new line and are indented by
 * `indent` spaces.
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

/** Formats a value in flow style, on one line, as go-yaml v3 does for values in a flow collection. */
export function flowText(value: Ordered): string {
  if (typeof value === "string") return flowScalar(value, false);
  if (isMap(value))
    return `{${[...value].map(([key, part]) => `${flowScalar(key, true)}: ${flowText(part)}`).join(", ")}}`;
  return Array.isArray(value) ? `[${(value as readonly Ordered[]).map(flowText).join(", ")}]` : String(value);
}

/** Formats a string in a flow collection: on one line, and in quotes if it contains an indicator. */
function flowScalar(text: string, isKey: boolean): string {
  const written = scalarText(text, 0, true);
  const isPlain = written === text && (isKey || text !== "");
  return isPlain && /[,?[\]{}:]/.test(text) ? `'${text.replaceAll("'", "''")}'` : written;
}

function isMap(value: Ordered): value is OrderedMap {
  return value instanceof Map;
}
