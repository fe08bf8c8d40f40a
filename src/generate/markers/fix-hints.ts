import { didYouMean } from "../../diagnostics/did-you-mean.ts";
import type { MarkerDefinition } from "./definition.ts";
import type { TextNote } from "./parse.ts";

/** Suggests a fix for a marker that can't be parsed: the right name of an argument, the form of a list, or an example. */
export function fixHint(definition: MarkerDefinition, text: string, { message, offset }: TextNote): string | undefined {
  const unknown = /^unknown argument "(.*)"$/s.exec(message)?.[1];
  if (unknown !== undefined) return unknownArgument(definition, text.slice(0, offset), unknown);
  const list = definition.form === "anonymous" && definition.fields[0]?.type.kind === "slice";
  const example = exampleOf(definition);
  return list && example !== undefined && message.startsWith("extra arguments")
    ? `separate the values with semicolons, as in ${example}`
    : exampleHint(definition);
}

/** Suggests an example for a marker whose value has the wrong form; undefined if its help has none. */
export function exampleHint(definition: MarkerDefinition): string | undefined {
  const example = exampleOf(definition);
  return example === undefined ? undefined : `for example: ${example}`;
}

/**
 * Suggests a fix for an unknown argument. In `verbs=get,list`, `list` is parsed as an argument: commas separate arguments,
 * semicolons separate values.
 */
function unknownArgument({ fields }: MarkerDefinition, before: string, name: string): string {
  const [, last, value] = /([A-Za-z]+)=([^,"`{}]*),\s*$/.exec(before) ?? [];
  const near = didYouMean(
    name,
    fields.map((field) => field.name),
  );
  if (near !== undefined) return `did you mean \`${near}\`?`;
  if (fields.some((field) => field.name === last && field.type.kind === "slice")) {
    return `separate the values of an argument with semicolons: \`${last}=${value};${name}\``;
  }
  return `valid arguments: ${fields.map((field) => field.name).join(", ")}`;
}

/** Returns the example in the marker's help, or the marker itself if it has no value or a boolean one. */
function exampleOf({ name, form, fields, details }: MarkerDefinition): string | undefined {
  if (form === "empty") return `\`+${name}\``;
  if (fields[0]?.type.kind === "bool") return `\`+${name}=true\``;
  const [, ticks = "", example = ""] = /(``?)(\+.*?)\s?\1/.exec(details ?? "") ?? [];
  if (!example.startsWith(`+${name}`)) return undefined;
  const space = ticks.length > 1 ? " " : "";
  return `${ticks}${example}${space}${ticks}`;
}
