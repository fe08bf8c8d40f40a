// Strings that contain the release's name, in the form of Helm templates.
import { isFields, isList, type Value } from "../../yaml/plain-values.ts";
import { marks } from "./object.ts";

/** Converts strings to the form of templates. */
export interface Texts {
  /** Returns a YAML scalar. Strings with marks are quoted, because the release's name may look like a number. */
  scalar(text: string): string;
}

/** Returns a call of one of the chart's helpers. */
export function helper(chart: string, name: string): string {
  return `{{ include "${chart}.${name}" $ }}`;
}

/** Returns the name of an object of the release from its suffix. */
export function resourceName(chart: string, suffix: string): string {
  return `{{ include "${chart}.resourceName" (dict "suffix" ${JSON.stringify(suffix)} "context" $) }}`;
}

/** Escapes braces that Helm would interpret. */
export function escaped(text: string): string {
  return text.replaceAll("{{", '{{ "{{" }}');
}

/** Whether a value contains the release's name or namespace. */
export function hasMarks(value: Value): boolean {
  if (typeof value === "string") return value.includes(marks.namePrefix) || value.includes(marks.namespace);
  if (isList(value)) return value.some(hasMarks);
  return isFields(value) && Object.values(value).some(hasMarks);
}

/**
 * Creates the conversions for a chart.
 *
 * @param names the names of all objects, with marks: in strings such as host names, they determine where a name ends
 */
export function textsFor(chart: string, names: readonly string[]): Texts {
  const listed = names
    .filter((name) => name.startsWith(marks.namePrefix))
    .map((name) => name.slice(marks.namePrefix.length))
    .sort((a, b) => b.length - a.length);
  const inQuotes = (text: string) => escaped(JSON.stringify(text).slice(1, -1));
  const named = (text: string): string => {
    const at = text.search(new RegExp(`[${marks.namePrefix}${marks.namespace}]`));
    if (at < 0) return inQuotes(text);
    const [before, rest] = [inQuotes(text.slice(0, at)), text.slice(at + 1)];
    if (text[at] === marks.namespace) return `${before}{{ $.Release.Namespace }}${named(rest)}`;
    const suffix = listed.find((name) => rest.startsWith(name)) ?? /^[a-z0-9-]*/.exec(rest)?.[0] ?? "";
    return `${before}${resourceName(chart, suffix)}${named(rest.slice(suffix.length))}`;
  };
  return { scalar: (text) => `"${named(text)}"` };
}
