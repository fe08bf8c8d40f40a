import { parseAllDocuments, parseDocument, visit, YAMLParseError } from "yaml";
import { checkSize, maxEditedBytes, YamlError } from "./budget.ts";
import { readValues } from "./values.ts";

type EditedDocument = ReturnType<typeof parseDocument>;
type Options = NonNullable<Parameters<typeof parseDocument>[1]>;

/**
 * A text up to this length, in UTF-16 units, takes at most half a second to parse, unless it is deeply nested or has
 * aliases.
 */
const harmlessLength = 16_384;
/** Upper bound of the nesting depth up to which a text is parsed without counting its exact depth. */
const harmlessDepth = 200;

/**
 * Parses a YAML text as a document that can be changed and printed with its comments. Its `errors` contain syntax errors and
 * exceeded limits of `budget.ts`. Without errors, `toJS()` works.
 */
export function editDocument(text: string, options: Options = {}): EditedDocument {
  return refusal(text) ?? withoutAliasProblem(parseDocument(text, withLimits(text, options)));
}

/** Parses a text with several documents, as {@link editDocument} does. */
export function editDocuments(text: string, options: Options = {}): EditedDocument[] {
  const refused = refusal(text);
  if (refused !== undefined) return [refused];
  // For an empty stream, the library also returns an array without items.
  return [...(parseAllDocuments(text, withLimits(text, options)) as EditedDocument[])].map(withoutAliasProblem);
}

/**
 * The library compares all pairs of keys, which is slow. In long texts, the other parser has already rejected duplicate
 * keys.
 */
function withLimits(text: string, options: Options): Options {
  return text.length <= harmlessLength ? options : { ...options, uniqueKeys: false };
}

/** The library's parser has no limits, so the other parser first checks texts that are long, deep or have aliases. */
function refusal(text: string): EditedDocument | undefined {
  const isPlain = text.length <= harmlessLength && !(text.includes("&") && text.includes("*"));
  if (isPlain && mostDepth(text) <= harmlessDepth) return undefined;
  try {
    checkSize(text, maxEditedBytes);
    readValues(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return withError(parseDocument(""), error.message);
  }
}

/**
 * Returns an upper bound of a text's nesting depth: each level takes a bracket, an indicator on its line, or indentation.
 */
function mostDepth(text: string): number {
  const lines = text
    .split("\n")
    .map((line) => /^ */.exec(line)![0].length + (line.match(/[-?:](?=\s|$)/g)?.length ?? 0));
  return (text.match(/[[{]/g)?.length ?? 0) + lines.reduce((most, each) => Math.max(most, each), 0);
}

/** Reports undefined aliases, and more aliases than the library resolves: both fail only when the values are created. */
function withoutAliasProblem(document: EditedDocument): EditedDocument {
  if (document.errors.length > 0) return document;
  try {
    visit(document, { Alias: tryValues });
    return document;
  } catch (error) {
    return withError(document, error instanceof Error ? error.message : String(error));
  }

  function tryValues(): symbol {
    document.toJS();
    return visit.BREAK;
  }
}

function withError(document: EditedDocument, message: string): EditedDocument {
  document.errors.push(new YAMLParseError([0, 0], "RESOURCE_EXHAUSTION", message));
  return document;
}
