import { dump } from "js-yaml";
import type { Json, JsonObject } from "../json/json.ts";
import { isYamlWord } from "./yaml.ts";

const number = /^[-+]?(?:\.[0-9]+|[0-9][0-9_]*(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const special = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|~|null|Null|NULL|<<|)$/;
const time = /^\d{4}-\d\d?-\d\d?(?:(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?)?)?$/;
const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** Reports whether a text without quotes would be read as another type. */
function isAmbiguous(text: string): boolean {
  return isYamlWord(text) || [number, special, time, base60].some((pattern) => pattern.test(text));
}

/**
 * Encodes a document as Go's YAML: sorted keys, and double quotes around texts that look like values of other types.
 *
 * @param document - the document
 * @returns the YAML
 */
export function encodeYaml(document: JsonObject): string {
  const quoted: string[] = [];
  // The library has one kind of quotes: a sign in the private area of Unicode stands for each text in double quotes.
  const mark = (text: string): string => {
    if (!isAmbiguous(text)) return text;
    quoted.push(JSON.stringify(text));
    return `\uE000${quoted.length - 1}\uE001`;
  };
  const marked = (value: Json): Json => {
    if (typeof value === "string") return mark(value);
    if (Array.isArray(value)) return value.map(marked);
    if (typeof value !== "object" || value === null) return value;
    const keys = Object.keys(value).sort();
    return Object.fromEntries(keys.map((key) => [mark(key), marked((value as JsonObject)[key] as Json)]));
  };
  const text = dump(marked(document), { noArrayIndent: true, lineWidth: -1, noRefs: true });
  const complete = text.replace(/\uE000(\d+)\uE001/g, (_match, index: string) => quoted[Number(index)] as string);
  return foldLines(complete);
}

const lineWidth = 80;
/** The beginning of a line up to its value: dashes of lists, and a key. */
const lineStart = /^((?: *- )* *)((?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'][^:]*(?::[^\s:]+)*):(?: |$))?/;

/** Breaks texts at the first space after the column 80, as Go's YAML does. Texts of several lines are kept. */
function foldLines(text: string): string {
  let block: number | undefined;
  const folded = text.split("\n").map((line) => {
    const indent = line.length - line.trimStart().length;
    if (block !== undefined && (line === "" || indent > block)) return line;
    block = undefined;
    const [start = "", dashes = "", key] = lineStart.exec(line) ?? [];
    // A value belongs to its key, and the item of a list to its dash.
    const column = key === undefined ? dashes.lastIndexOf("-") : dashes.length;
    if (/^[|>]/.test(line.slice(start.length))) block = column;
    else if (line.length > lineWidth) return foldLine(line, start.length, " ".repeat(Math.max(column, 0) + 2));
    return line;
  });
  return folded.join("\n");
}

function foldLine(line: string, start: number, indent: string): string {
  const isDouble = line[start] === '"';
  const first = isDouble || line[start] === "'" ? start + 1 : start;
  let result = line.slice(0, start);
  let column = start;
  for (let index = start; index < line.length; index++) {
    const char = line[index] as string;
    const isBreak =
      char === " " && column > lineWidth && index > first && index < line.length - 2 && line[index - 1] !== " ";
    if (isBreak && (isDouble || line[index + 1] !== " ")) {
      result += `\n${indent}${isDouble && line[index + 1] === " " ? "\\" : ""}`;
      column = indent.length;
    } else {
      result += char;
      column++;
    }
  }
  return result;
}
