// JSDoc tags that are synonyms of markers. A marker takes precedence over its synonym.
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import {
  jsonDefault,
  type Marker,
  type MarkerDefinition,
  type MarkerTarget,
  type MarkerValues,
  type Registry,
  readMarker,
} from "../markers/index.ts";
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

/** Returns the markers for the JSDoc tags in some comments, unless a marker with the same meaning exists. */
export function synonymMarkers(
  comments: readonly RawComment[],
  target: Exclude<MarkerTarget, "option">,
  markers: MarkerValues,
  registry: Registry,
  report: (diagnostic: Diagnostic) => void,
): Marker[] {
  const tags = comments.flatMap((comment) => (comment.kind === "jsdoc" ? blockTags(textLines(comment)) : []));
  const synonyms: Marker[] = [];
  for (const tag of tags) {
    for (const synonym of registry.synonymsOf(tag.name, target)) {
      const definitions = [...markers.all, ...synonyms].map(({ definition }) => definition);
      if (!definitions.some((other) => hasSameEffect(synonym.definition, other)))
        synonyms.push(...read(tag, synonym, report));
    }
  }
  return synonyms;
}

/** Returns whether a marker is the given one or another one for the same keyword. */
function hasSameEffect({ name, keyword }: MarkerDefinition, other: MarkerDefinition): boolean {
  return other.name === name || (keyword !== undefined && other.keyword === keyword && other.plainName === undefined);
}

function read(
  tag: Tag,
  { definition, json, write }: ReturnType<Registry["synonymsOf"]>[number],
  report: (diagnostic: Diagnostic) => void,
): Marker[] {
  const { file, line, column } = tag.at;
  const { name } = definition;
  const text = json ? withoutTicks(tag.text) : tag.text;
  const written = write ? write(text) : `=${text}`;
  if (written === undefined) return [];
  if (json && !isJson(text)) {
    if (json === "optional") return [];
    const message = `@${tag.name} must contain the default value as JSON: ${JSON.stringify(text)} isn't valid JSON`;
    const hint = "put strings into double quotes, or remove the tag";
    report({ id: "synonym-not-json", severity: "warning", message, file, line, column, hint });
    return [];
  }
  // The marker's text isn't in the file, so positions in it are those of the tag.
  const { marker, diagnostics } = readMarker(
    { text: `+${name}${written}`.trimEnd(), file, line, column },
    json ? { ...definition, ownParser: jsonDefault } : definition,
  );
  for (const problem of diagnostics) {
    const message = problem.message.replace(`+${name}:`, `@${tag.name}:`);
    report({ ...problem, message, column: column + tag.offset });
  }
  if (!marker) return [];
  return [{ ...marker, definition, places: new Map([...marker.places.keys()].map((key) => [key, tag.offset])) }];
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
