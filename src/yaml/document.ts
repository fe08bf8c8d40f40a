import { parseAllDocuments, parseDocument, visit, YAMLParseError } from "yaml";
import { checkSize, maxEditedBytes, YamlError } from "./budget.ts";
import { readValues } from "./values.ts";

type EditedDocument = ReturnType<typeof parseDocument>;
type Options = NonNullable<Parameters<typeof parseDocument>[1]>;

/** A text up to this length, in UTF-16 units, takes at most half a second whatever it holds: it needs no look beforehand. */
const harmlessLength = 16_384;

/**
 * A YAML text as a document that can be changed and printed with its comments. Its `errors` hold what is wrong with the text,
 * including anything that costs more than the limits of `budget.ts`; without errors, `toJS()` works.
 */
export function editDocument(text: string, options: Options = {}): EditedDocument {
  return refusal(text) ?? withoutAliasProblem(parseDocument(text, options));
}

/** The same for a text of several documents. */
export function editDocuments(text: string, options: Options = {}): EditedDocument[] {
  const refused = refusal(text);
  if (refused !== undefined) return [refused];
  // An empty stream is an array without items in the library, too.
  return [...(parseAllDocuments(text, options) as EditedDocument[])].map(withoutAliasProblem);
}

/** The library's parser has no limits of its own, so what is long or has aliases is read by the other one first. */
function refusal(text: string): EditedDocument | undefined {
  const plain = text.length <= harmlessLength && !(text.includes("&") && text.includes("*"));
  if (plain) return undefined;
  try {
    checkSize(text, maxEditedBytes);
    readValues(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return withError(parseDocument(""), error.message);
  }
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
