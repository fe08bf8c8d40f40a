import { didYouMean } from "../../diagnostics/did-you-mean.ts";
import type { ArgumentType, MarkerDefinition, MarkerField } from "./model/definition.ts";
import type { TextNote } from "./parse.ts";
import { separated } from "./separators.ts";

/** A marker that can't be parsed, and where. */
interface Failure extends TextNote {
  readonly definition: MarkerDefinition;
  readonly text: string;
  /** The argument that was read last, with its text up to the error. */
  readonly last?: { readonly field: MarkerField; readonly value: string };
}

/** Suggests a fix for a marker that can't be parsed: the right separator, name or quotes, or an example. */
export function fixHint(definition: MarkerDefinition, text: string, note: TextNote): string | undefined {
  const last = lastArgument(definition, text.slice(0, note.offset));
  const failure: Failure = { ...note, definition, text, ...(last ? { last } : {}) };
  for (const suggest of [wrongSeparator, unknownArgument, wrongScalar, wrongQuotes, bareJson, wrongList, extraValue]) {
    const hint = suggest(failure);
    if (hint !== undefined) return hint;
  }
  return exampleHint(definition);
}

/** Suggests an example for a marker whose value has the wrong form; undefined if its help has none. */
export function exampleHint(definition: MarkerDefinition): string | undefined {
  const example = exampleOf(definition);
  return example === undefined ? undefined : `for example: ${example}`;
}

function lastArgument({ form, fields }: MarkerDefinition, before: string): Failure["last"] {
  if (form === "anonymous") return { field: fields[0]!, value: before.slice(before.indexOf("=") + 1) };
  const named = [...before.matchAll(/[:,;\s](\w+)=/g)].findLast(([, name]) =>
    fields.some((field) => field.name === name),
  );
  if (!named) return undefined;
  const value = before.slice(named.index + named[0].length).replace(/,\s*$/, "");
  return { field: fields.find((field) => field.name === named[1])!, value };
}

/** In `+kubebuilder:rbac=groups=…` the name is followed by `=`; in `groups=a;resources=b` an argument by a semicolon. */
function wrongSeparator({ definition, text, message }: Failure): string | undefined {
  if (message.startsWith("expected a colon")) {
    const fixed = separated(definition, text);
    return fixed === undefined ? undefined : `change it to ${quoted(fixed)}`;
  }
  const [first, ...others] = [...message.matchAll(/"(\w+)"/g)].map(([, name]) => name!);
  if (!message.startsWith("missing argument") || first === undefined) return undefined;
  const semicolon = [first, ...others].some((name) => new RegExp(`;\\s*${name}=`).test(text));
  return semicolon ? "separate arguments with commas; semicolons separate the values of one argument" : undefined;
}

/**
 * Suggests a fix for an unknown argument. In `verbs=get,list` and `description=a, b`, the text after the comma is parsed as an
 * argument.
 */
function unknownArgument({ definition: { fields }, text, message, offset, last }: Failure): string | undefined {
  const name = /^unknown argument "(.*)"$/s.exec(message)?.[1];
  if (name === undefined) return undefined;
  const names = fields.map((field) => field.name);
  const near = didYouMean(name, names);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  const isValue = !/^\w+\s*=/.test(text.slice(offset)) && last !== undefined && !/["`{}]/.test(last.value);
  if (isValue && last.field.type.kind === "slice") {
    const first = last.value.replace(/^\[/, "");
    return `separate the values of an argument with semicolons: \`${last.field.name}=${first};${name}\``;
  }
  if (isValue && last.field.type.kind === "string") {
    return `quote a value that contains a comma: \`${last.field.name}="${last.value}, …"\``;
  }
  return `valid arguments: ${names.join(", ")}`;
}

/** In `mutating=yes` and `priority="1"`, the value has another type. */
function wrongScalar({ definition: { form }, message, last }: Failure): string | undefined {
  if (message.startsWith("expected true or false") && form === "named" && last) {
    return `use \`${last.field.name}=true\` or \`${last.field.name}=false\``;
  }
  const isQuoted = /^(?:expected integer.*, got|invalid \w+ value) "\\"/.test(message);
  return isQuoted ? "write the number without quotes" : undefined;
}

/** In `Pattern="^\d$"`, the backslash is an escape; `patch={"a": 1}` ends at the first comma or brace. */
function wrongQuotes({ definition, text, message, offset, last }: Failure): string | undefined {
  if (/^invalid char escape/.test(message)) {
    const inside = /^"((?:[^"\\]|\\.)*)"/.exec(text.slice(offset))?.[1];
    if (inside === undefined || inside.includes("`")) return "double each backslash, as in `\\\\d`";
    return `use backquotes, in which a backslash needs no escape: ${quoted(`\`${inside.replaceAll('\\"', '"')}\``)}`;
  }
  if (last?.field.type.kind !== "string") return undefined;
  const whole = text.slice(0, offset).endsWith(last.value) ? last.value : undefined;
  if (definition.form === "anonymous" && message.startsWith("extra arguments") && whole !== undefined) {
    const value = text.slice(offset - whole.length);
    const isBare = !/["`]/.test(value);
    return isBare ? `quote the value: ${quoted(`+${definition.name}=\`${value}\``)}` : undefined;
  }
  const isBraced = definition.form === "named" && /^\s*\{/.test(last.value);
  return isBraced ? `put the value in backquotes: ${quoted(`${last.field.name}=\`{…}\``)}` : undefined;
}

/** In `+default=abc`, the string isn't JSON. */
function bareJson({ definition: { name }, text, message }: Failure): string | undefined {
  const value = text.slice(text.indexOf("=") + 1).trim();
  if (!message.startsWith("the default is not valid JSON") || !/^[A-Za-z'`./]/.test(value)) return undefined;
  return `write a string in double quotes: \`+${name}=${JSON.stringify(value.replace(/^(['`])(.*)\1$/, "$2"))}\``;
}

/** In `Enum=a,b` and `verbs={a;b}`, the elements have the wrong separator; in `default=[1,2]`, the list is JSON. */
function wrongList({ definition, text, message, last }: Failure): string | undefined {
  const json = /^=\s*\[(.*)\]$/s.exec(text.slice(1 + definition.name.length))?.[1];
  if (last?.field.type.kind === "any" && json !== undefined && message.startsWith("extra arguments")) {
    return `write a list in braces: ${quoted(`+${definition.name}={${json}}`)}`;
  }
  if (last?.field.type.kind !== "slice") return undefined;
  if (message === 'expected comma, got ";"' && last.value.trimStart().startsWith("{")) {
    return "separate values in braces with commas, or remove the braces";
  }
  if (definition.form !== "anonymous" || !message.startsWith("extra arguments")) return undefined;
  const example = exampleOf(definition);
  return example === undefined ? undefined : `separate the values with semicolons, as in ${example}`;
}

function extraValue({ definition: { form, name }, message }: Failure): string | undefined {
  return form === "empty" && message.startsWith("extra arguments") ? `remove the value: \`+${name}\`` : undefined;
}

/** Returns the example in the marker's help, or the marker itself if it has no value or a boolean one. */
function exampleOf({ name, form, fields, details }: MarkerDefinition): string | undefined {
  if (form === "empty") return `\`+${name}\``;
  const type: ArgumentType["kind"] | undefined = fields[0]?.type.kind;
  if (form === "anonymous" && type === "bool") return `\`+${name}=true\``;
  const [, ticks = "", example = ""] = /(``?)(\+.*?)\s?\1/.exec(details ?? "") ?? [];
  if (!example.startsWith(`+${name}`)) return undefined;
  const space = ticks.length > 1 ? " " : "";
  return `${ticks}${example}${space}${ticks}`;
}

/** Puts a text in backquotes; in two, with spaces, if it contains some. */
function quoted(text: string): string {
  if (!text.includes("`")) return `\`${text}\``;
  return `\`\`${text.startsWith("`") ? " " : ""}${text} \`\``;
}
