import type { Json, JsonObject } from "@kubewright/cel/json";
import { type TextStyle, yamlScalar } from "../request/yaml-scalar.ts";

const indentWidth = 4;

const word = /^(?:true|True|TRUE|false|False|FALSE|null|Null|NULL|~|)$/;
const number = /^[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[\da-fA-F_]+|[\d_]+|(?:\.\d+|\d[\d_]*(?:\.\d*)?)(?:[eE][-+]?\d+)?)$/;
const special = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const time = /^\d{4}-\d\d?-\d\d?(?:(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?)?)?$/;

/**
 * Encodes a value as YAML in block style, as gnostic writes values of any type in OpenAPI v2.
 *
 * @param value - the value; fields keep their order
 * @returns the YAML, with an end of line
 */
export function blockYaml(value: Json): string {
  return `${block(value, 0, "", indentWidth).slice(1)}\n`;
}

/**
 * Encodes a value behind a key or a dash.
 *
 * @param value - the value
 * @param indent - the column of a map or a list
 * @param first - the beginning of the first line of a map or a list: a new line, or nothing behind a dash
 * @param textIndent - the column of a text with several lines
 * @returns the text, which starts with a space if it stays on the line
 */
function block(value: Json, indent: number, first: string, textIndent: number): string {
  const start = `\n${" ".repeat(indent)}`;
  const separated = (parts: string[]): string => `${first === "" ? " " : start}${parts.join(start)}`;
  const nested = indentWidth * (Math.floor(indent / indentWidth) + 1);
  if (Array.isArray(value)) {
    if (value.length === 0) return " []";
    return separated(value.map((item) => `-${block(item, indent + 2, "", indent + 2)}`));
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value as JsonObject);
    if (entries.length === 0) return " {}";
    return separated(
      entries.map(([key, one]) => `${yamlScalar(key, undefined, style)}:${block(one as Json, nested, "\n", nested)}`),
    );
  }
  return ` ${typeof value === "string" ? yamlScalar(value, textIndent, style) : JSON.stringify(value)}`;
}

const style: TextStyle = {
  indentWidth,
  isAmbiguous: (text) => [word, number, special, time].some((pattern) => pattern.test(text)),
};
