import type { Fix } from "../../diagnostics/diagnostic.ts";
import { didYouMean, editDistance } from "../../diagnostics/did-you-mean.ts";
import type { MarkerLine } from "./marker.ts";
import type { MarkerDefinition, MarkerTarget } from "./model/definition.ts";
import { parseMarker, type TextNote } from "./parse.ts";
import type { Registry } from "./registry.ts";
import { separated } from "./separators.ts";
import { splitMarker } from "./split.ts";

/** Returns whether a text is a valid marker on a target, without warnings. */
export function isValidMarker(text: string, target: MarkerTarget, registry: Registry): boolean {
  const definition = registry.lookup(text, target);
  return definition !== undefined && isValid(definition, text);
}

function isValid(definition: MarkerDefinition, text: string): boolean {
  const { error, value, warnings } = parseMarker(definition, text);
  return error === undefined && value !== undefined && warnings.length === 0;
}

/** Returns the fix that replaces a marker by another text. Its edit contains only the characters that differ. */
export function replacement({ file, line, column, text }: MarkerLine, by: string): Fix {
  let start = 0;
  while (start < text.length && start < by.length && text[start] === by[start]) start++;
  let end = 0;
  const shorter = Math.min(text.length, by.length) - start;
  while (end < shorter && text.at(-1 - end) === by.at(-1 - end)) end++;
  return {
    title: `Change it to ${by}`,
    edits: [
      {
        file,
        line,
        column: column + start,
        endLine: line,
        endColumn: column + text.length - end,
        text: by.slice(start, by.length - end),
      },
    ],
  };
}

/**
 * Returns a marker with an unknown name as the text with a known one; undefined if the result isn't valid, or if another known name
 * is as similar.
 */
export function renamed(text: string, near: string, target: MarkerTarget, registry: Registry): string | undefined {
  const { fullName, shortName } = splitMarker(text);
  for (const name of new Set([fullName, shortName])) {
    const candidate = `+${near}${text.slice(1 + name.length)}`;
    if (isValidMarker(candidate, target, registry) && isOnlySimilar(name, near, registry.names(target)))
      return candidate;
  }
  return undefined;
}

function isOnlySimilar(written: string, near: string, names: readonly string[]): boolean {
  const last = (name: string) => name.slice(name.lastIndexOf(":") + 1).toLowerCase();
  const distance = (name: string) => editDistance(written.toLowerCase(), name.toLowerCase());
  const rivals = last(written) === last(near) ? names.filter((name) => last(name) === last(near)) : names;
  return rivals.every((name) => name === near || distance(name) > distance(near));
}

/** Returns a marker that can't be parsed with its evident mistake corrected; undefined if there is none. */
export function corrected(definition: MarkerDefinition, text: string, note: TextNote): string | undefined {
  return candidates(definition, text, note).find((candidate) => candidate !== text && isValid(definition, candidate));
}

function candidates(definition: MarkerDefinition, text: string, { message, offset }: TextNote): string[] {
  const { name, form, fields } = definition;
  const [head, rest] = [text.slice(0, offset), text.slice(offset)];
  const value = text.slice(`+${name}=`.length);
  const kind = fields[0]?.type.kind;
  if (form === "empty") return [`+${name}`];
  if (message === "a value is missing") return form === "anonymous" && kind === "bool" ? [`+${name}=true`] : [];
  if (message.startsWith("expected a colon")) return [separated(definition, text) ?? text];
  const unknown = /^unknown argument "(\w+)"$/.exec(message)?.[1];
  if (unknown !== undefined) {
    const near = didYouMean(
      unknown,
      fields.map((field) => field.name),
    );
    return near === undefined || !rest.startsWith(unknown) ? [] : [head + near + rest.slice(unknown.length)];
  }
  if (message.startsWith("expected true or false")) {
    const [written = ""] = /^\w+/.exec(rest) ?? [];
    const meaning = /^(true|yes|on)$/i.test(written) ? "true" : /^(false|no|off)$/i.test(written) ? "false" : undefined;
    return meaning === undefined ? [] : [head + meaning + rest.slice(written.length)];
  }
  if (form !== "anonymous" || value === "") return [];
  if (kind === "int" || kind === "number") return [`+${name}=${value.replace(/^(["'`])(.*)\1$/, "$2")}`];
  if (message.startsWith("the default is not valid JSON")) {
    return [`+${name}=${JSON.stringify(value.replace(/^(['`])(.*)\1$/, "$2"))}`];
  }
  if (kind === "slice" && message.startsWith("extra arguments") && /^[\w.-]+(, ?[\w.-]+)+$/.test(value)) {
    return [`+${name}=${value.replace(/, ?/g, ";")}`];
  }
  if (kind !== "string") return [];
  if (message.startsWith("invalid char escape")) {
    const inside = /^"((?:[^"\\]|\\.)*)"$/.exec(value)?.[1];
    return inside === undefined || /[`]|\\"/.test(inside) ? [] : [`+${name}=\`${inside}\``];
  }
  return message.startsWith("extra arguments") && !/["`]/.test(value) ? [`+${name}=\`${value}\``] : [];
}
