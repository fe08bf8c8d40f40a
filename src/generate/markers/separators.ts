import type { MarkerDefinition } from "./model/definition.ts";
import { parseMarker } from "./parse.ts";
import type { Registry } from "./registry.ts";
import { knownFor } from "./suggest.ts";

/** The separators that are confused with one another: a colon before named arguments, `=` before a value, or a space. */
const separator = /[\s:=]/g;

/** The maximum length of a name in UTF-16 code units. The longest known name has about 60. */
const longestName = 100;

/**
 * Returns the marker that a text stands for if its name or first argument is followed by the wrong separator, as in
 * `+kubebuilder:rbac groups=…` or `+kubebuilder:validation:MaxLength:63`. Undefined if the result wouldn't be valid.
 */
export function withSeparators(text: string, registry: Registry): string | undefined {
  for (const { index } of text.slice(0, longestName).matchAll(separator)) {
    const head = text.slice(0, index);
    const [target] = knownFor(head, registry);
    const definition = target && registry.get(head.slice(1), target);
    const separatedText = definition && separated(definition, text);
    if (separatedText !== undefined && separatedText !== text) return separatedText;
  }
  return undefined;
}

/** Returns a text that begins with the name of a marker, with the separators that its form requires. */
export function separated(definition: MarkerDefinition, text: string): string | undefined {
  const { name, form } = definition;
  const rest = text.slice(1 + name.length).replace(/^[\s:=]+/, "");
  if (rest === "" || form === "empty") return undefined;
  const line = form === "anonymous" ? `+${name}=${rest}` : `+${name}:${namedArguments(definition, rest)}`;
  return parseMarker(definition, line).error ? undefined : line;
}

/** Returns the arguments with `=` after the first name. A value without a name belongs to the only possible argument. */
function namedArguments({ fields }: MarkerDefinition, rest: string): string {
  const [whole = "", first = ""] = /^(\w+)(?:\s*:?=\s*|[\s:]+)/.exec(rest) ?? [];
  if (fields.some(({ name }) => name === first)) return `${first}=${rest.slice(whole.length)}`;
  const required = fields.filter(({ optional }) => !optional);
  const [only, ...others] = required.length > 0 ? required : fields;
  if (only?.type.kind !== "string" || others.length > 0) return rest;
  return `${only.name}=${/^["`]|^[\w./-]+$/.test(rest) ? rest : JSON.stringify(rest)}`;
}
