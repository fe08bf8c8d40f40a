// Texts in which the release is named, as Helm's templates have them.
import { isFields, isList, type Value } from "../kustomize/build/values.ts";
import { marks } from "./model.ts";

/** Turns texts into what stands in templates. */
export interface Texts {
  /** A scalar of YAML. Texts with marks are quoted: the release may have a name that reads as a number. */
  scalar(text: string): string;
}

/** A call of one of the chart's helpers. */
export function helper(chart: string, name: string): string {
  return `{{ include "${chart}.${name}" $ }}`;
}

/** The name of an object of the release, by what follows the release in it. */
export function resourceName(chart: string, suffix: string): string {
  return `{{ include "${chart}.resourceName" (dict "suffix" ${JSON.stringify(suffix)} "context" $) }}`;
}

/** Braces that Helm would take for its own, as it writes them itself. */
export function escaped(text: string): string {
  return text.replaceAll("{{", '{{ "{{" }}');
}

/** Whether the release is named anywhere in a value. */
export function hasMarks(value: Value): boolean {
  if (typeof value === "string") return value.includes(marks.namePrefix) || value.includes(marks.namespace);
  if (isList(value)) return value.some(hasMarks);
  return isFields(value) && Object.values(value).some(hasMarks);
}

/** @param names of all objects, with marks: in a text such as a host's name it takes them to see where a name ends */
export function textsFor(chart: string, names: readonly string[]): Texts {
  const known = names
    .filter((name) => name.startsWith(marks.namePrefix))
    .map((name) => name.slice(marks.namePrefix.length))
    .sort((a, b) => b.length - a.length);
  const inQuotes = (text: string) => escaped(JSON.stringify(text).slice(1, -1));
  const named = (text: string): string => {
    const at = text.search(new RegExp(`[${marks.namePrefix}${marks.namespace}]`));
    if (at < 0) return inQuotes(text);
    const [before, rest] = [inQuotes(text.slice(0, at)), text.slice(at + 1)];
    if (text[at] === marks.namespace) return `${before}{{ $.Release.Namespace }}${named(rest)}`;
    const suffix = known.find((name) => rest.startsWith(name)) ?? /^[a-z0-9-]*/.exec(rest)?.[0] ?? "";
    return `${before}${resourceName(chart, suffix)}${named(rest.slice(suffix.length))}`;
  };
  return { scalar: (text) => `"${named(text)}"` };
}
