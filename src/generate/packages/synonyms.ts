// JSDoc tags that are synonyms of markers. A marker takes precedence over its synonym.
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { allLimits, limitMarker } from "../../kubernetes/limits.ts";
import { collectMarkers, type Marker, type MarkerTarget, type MarkerValues, type Registry } from "../markers/index.ts";
import { markerOn, type TextLine, textLines } from "../source/comments.ts";
import type { RawComment } from "../source/model.ts";

/** A block tag with its text on one line. */
interface Tag {
  readonly name: string;
  readonly text: string;
  /** The position of the `@`. */
  readonly at: TextLine;
  /** Code units from the `@` to the text; 0 if the text isn't on the same line. */
  readonly offset: number;
}

interface Synonym {
  /** The marker, then other markers with the same meaning. */
  readonly markers: readonly string[];
  /** Returns the marker's text after its name; undefined if the tag has no effect. */
  readonly write: (text: string) => string | undefined;
}

const validation = (name: string, write: Synonym["write"]): Synonym => ({
  markers: [`kubebuilder:validation:${name}`, `k8s:${name.slice(0, 1).toLowerCase()}${name.slice(1)}`],
  write,
});
const quoted = (text: string) => `=${JSON.stringify(text)}`;

const synonyms: Readonly<Record<string, readonly Synonym[]>> = {
  default: [{ markers: ["default", "kubebuilder:default"], write: (text) => `=${withoutTicks(text)}` }],
  example: [{ markers: ["kubebuilder:example"], write: (text) => (isJson(withoutTicks(text)) ? "=" : undefined) }],
  deprecated: [
    {
      markers: ["kubebuilder:deprecatedversion"],
      write: (text) => (text === "" ? "" : `:warning=${JSON.stringify(text)}`),
    },
  ],
  title: [{ markers: ["kubebuilder:title"], write: quoted }],
  format: [validation("Format", quoted)],
  pattern: [validation("Pattern", quoted)],
  exclusiveMinimum: [validation("Minimum", limit), validation("ExclusiveMinimum", () => "=true")],
  exclusiveMaximum: [validation("Maximum", limit), validation("ExclusiveMaximum", () => "=true")],
  ...Object.fromEntries(
    allLimits
      .filter(([, { value }]) => value !== "bool")
      .map(([keyword]) => [keyword, [validation(limitMarker(keyword), (text) => `=${text}`)]]),
  ),
};

/**
 * Returns undefined for a boolean: exclusive limits are numbers in JSON Schema, and were booleans beside `minimum` in older
 * drafts.
 */
function limit(text: string): string | undefined {
  return text === "true" ? undefined : `=${text}`;
}

/** Returns the markers for the JSDoc tags in some comments, unless a marker with the same meaning exists. */
export function synonymMarkers(
  comments: readonly RawComment[],
  target: Exclude<MarkerTarget, "option">,
  markers: MarkerValues,
  registry: Registry,
  report: (diagnostic: Diagnostic) => void,
): Marker[] {
  const tags = comments.flatMap((comment) => (comment.kind === "jsdoc" ? blockTags(textLines(comment)) : []));
  const found: Marker[] = [];
  for (const tag of tags) {
    for (const { markers: names, write } of Object.hasOwn(synonyms, tag.name) ? (synonyms[tag.name] ?? []) : []) {
      const [name = ""] = names;
      const taken = names.some((each) => markers.has(each)) || found.some((marker) => marker.name === name);
      if (!taken) found.push(...read(tag, name, write(tag.text), target, registry, report));
    }
  }
  return found;
}

function read(
  tag: Tag,
  name: string,
  written: string | undefined,
  target: Exclude<MarkerTarget, "option">,
  registry: Registry,
  report: (diagnostic: Diagnostic) => void,
): Marker[] {
  const { file, line, column } = tag.at;
  const definition = registry.lookup(`+${name}=`, target);
  // `@default` and the like have no effect on targets that the marker isn't valid on.
  if (written === undefined || !definition) return [];
  if (name === "default" && !isJson(written.slice(1))) {
    const message = `@${tag.name} must contain the default value as JSON: ${JSON.stringify(written.slice(1))} isn't valid JSON`;
    const hint = "put strings into double quotes, or remove the tag";
    report({ id: "synonym-not-json", severity: "warning", message, file, line, column, hint });
    return [];
  }
  const text = name === "kubebuilder:example" ? `+default=${withoutTicks(tag.text)}` : `+${name}${written}`;
  // The marker's text isn't in the file, so positions in it are those of the tag.
  const { all } = collectMarkers([{ text, file, line, column }], target, registry, (found) =>
    report({ ...found, message: found.message.replace(`+${name}:`, `@${tag.name}:`), column: column + tag.offset }),
  );
  const places = (marker: Marker) => new Map([...marker.places.keys()].map((key) => [key, tag.offset]));
  return all.map((marker) => ({ ...marker, name, definition, places: places(marker) }));
}

function blockTags(lines: readonly TextLine[]): Tag[] {
  const tags: { name: string; texts: string[]; at: TextLine; offset: number }[] = [];
  for (const line of lines) {
    const [, name, text] = /^\s*@([A-Za-z]+)(?:\s+(.*))?$/s.exec(line.text.trimEnd()) ?? [];
    const indent = line.text.length - line.text.trimStart().length;
    if (name !== undefined) {
      const offset = text ? line.text.trimEnd().length - text.length - indent : 0;
      tags.push({ name, texts: [text ?? ""], at: { ...line, column: line.column + indent }, offset });
    } else if (!markerOn(line)) tags.at(-1)?.texts.push(line.text);
  }
  return tags.map(({ name, texts, at, offset }) => ({
    name,
    at,
    offset,
    text: texts
      .map((each) => each.trim())
      .join(" ")
      .trim(),
  }));
}

/** Removes backticks, because TSDoc formats values as code. */
function withoutTicks(text: string): string {
  return /^`([^`]*)`$/.exec(text)?.[1] ?? text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
