import { parseAllDocuments, parseDocument, visit, YAMLParseError } from "yaml";
import { checkSize, maxEditedBytes, YamlError } from "./budget.ts";
import { readValues } from "./values.ts";

type EditedDocument = ReturnType<typeof parseDocument>;
type Options = NonNullable<Parameters<typeof parseDocument>[1]>;

/** A text up to this length, in UTF-16 units, takes at most half a second unless it nests deep or has aliases. */
const harmlessLength = 16_384;
/** The most values inside each other that a text may be suspected of before its nesting is counted. */
const harmlessDepth = 200;

/**
 * A YAML text as a document that can be changed and printed with its comments. Its `errors` hold what is wrong with the text,
 * including anything that costs more than the limits of `budget.ts`; without errors, `toJS()` works.
 */
export function editDocument(text: string, options: Options = {}): EditedDocument {
  return refusal(text) ?? withoutAliasProblem(parseDocument(text, withLimits(text, options)));
}

/** The same for a text of several documents. */
export function editDocuments(text: string, options: Options = {}): EditedDocument[] {
  const refused = refusal(text);
  if (refused !== undefined) return [refused];
  // An empty stream is an array without items in the library, too.
  return [...(parseAllDocuments(text, withLimits(text, options)) as EditedDocument[])].map(withoutAliasProblem);
}

/** Keys are compared each with each. In a long text the other reader has found those that stand twice. */
function withLimits(text: string, options: Options): Options {
  return text.length <= harmlessLength ? options : { ...options, uniqueKeys: false };
}

/** The library's parser has no limits of its own, so what is long, deep or has aliases is read by the other one first. */
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

/** No less than the depth of a text: each level takes a bracket, an indicator on its line or an indentation. */
function mostDepth(text: string): number {
  const lines = text
    .split("\n")
    .map((line) => /^ */.exec(line)![0].length + (line.match(/[-?:](?=\s|$)/g)?.length ?? 0));
  return (text.match(/[[{]/g)?.length ?? 0) + lines.reduce((most, each) => Math.max(most, each), 0);
}

/** An alias to nothing, and more aliases than the library resolves, show only when the values are made. */
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
