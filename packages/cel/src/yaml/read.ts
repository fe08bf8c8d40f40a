import { YAMLException } from "js-yaml";
import { DecodeProblem } from "./decode-problem.ts";
import { linesOf } from "./lines.ts";
import { List, Mapping } from "./nodes.ts";
import { type Parsed, parseNodes } from "./parse.ts";
import { yamlProblem } from "./problems.ts";
import { type DuplicateKey, decodeNodes, type Show, type YamlValue } from "./values.ts";

/** A text can't be read. */
export class YamlReadError extends Error {
  /** The line of the problem; undefined if it has no place. */
  readonly line: number | undefined;

  /**
   * @param message - the message of Go's libraries, for example `yaml: line 3: did not find expected key`
   * @param line - the line of the problem, from 1
   */
  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/** A document of YAML. */
export interface YamlDocument {
  /** The value; null for an empty document. */
  readonly value: YamlValue;
  /** The keys that occur twice, of which the last value counts. */
  readonly duplicates: readonly (DuplicateKey & {
    /** The line of the second value, from 1. */
    readonly line: number;
  })[];
  /** The position of more text, which kubectl reads only behind JSON; undefined if there is none. */
  readonly end: number | undefined;
}

/** Options of {@link readYamlDocument}. */
export interface YamlOptions {
  /**
   * Formats values in messages.
   *
   * @defaultValue `JSON.stringify`
   */
  readonly show?: Show;
  /** How many values may come from aliases, each repetition counted. The default is the limit of Go's library. */
  readonly maxAliased?: number;
}

const showJson: Show = (value) =>
  JSON.stringify(value, (_, nested) => (typeof nested === "bigint" ? String(nested) : nested));

/**
 * Reads the first document of a text as kubectl and API servers do: YAML 1.1 in the variant of Go's `sigs.k8s.io/yaml`.
 *
 * @param text - YAML or JSON
 * @param options - options
 * @returns the document
 * @throws YamlReadError
 */
export function readYamlDocument(text: string, { show = showJson, maxAliased }: YamlOptions = {}): YamlDocument {
  try {
    // The next line is a line break of YAML 1.1. The library removes a byte order mark, too.
    const document = firstDocument(text.replaceAll("\x85", "\n").replace(/^\ufeff/, ""));
    const parsed = parseNodes(document);
    checkStart(parsed);
    const { value, duplicates } = decodeNodes(parsed.root, show, maxAliased);
    const lineOf = lineCounter(parsed.text);
    const repeated = duplicates.map((duplicate) => ({ ...duplicate, line: lineOf(duplicate.position) }));
    return { value, duplicates: repeated, end: parsed.end };
  } catch (error) {
    if (error instanceof DecodeProblem)
      throw new YamlReadError(error.isOfJson ? error.message : `yaml: ${error.message}`);
    if (!(error instanceof YAMLException)) throw error;
    throw new YamlReadError(yamlProblem(error, text), error.mark === undefined ? undefined : error.mark.line + 1);
  }
}

/** Refuses objects and lists without brackets on the line of `---`. */
function checkStart({ root, text }: Parsed): void {
  const first = root instanceof Mapping ? root.pairs[0]?.[0] : root instanceof List ? root.items[0] : undefined;
  if (first === undefined || !text.includes("---")) return;
  const start = text.lastIndexOf("\n", Math.max(0, first.position - 1)) + 1;
  const before = text.slice(start, first.position);
  const onLine = /^---[ \t]+(?:[!&]\S*[ \t]+)*(- ?)?$/.exec(before);
  if (onLine === null || /^[ \t]*[\r\n#]/.test(text.slice(first.position))) return;
  throw new DecodeProblem(
    root instanceof List
      ? "block sequence entries are not allowed in this context"
      : "mapping values are not allowed in this context",
  );
}

/** @returns a function that finds the lines of increasing positions */
function lineCounter(text: string): (position: number) => number {
  let [line, at] = [1, 0];
  return (position) => {
    if (position < at) [line, at] = [1, 0];
    for (let next = text.indexOf("\n", at); next !== -1 && next < position; next = text.indexOf("\n", at)) {
      line++;
      at = next + 1;
    }
    return line;
  };
}

/** Control characters, and halves of characters. */
const notPrintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that YAML doesn't allow
  /[\0-\x08\v\f\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Returns the text up to the end of the first document, and checks what the library doesn't. */
function firstDocument(text: string): string {
  if (notPrintable.test(text)) throw new DecodeProblem("control characters are not allowed");
  // The library skips tabs at the beginning.
  if (text.startsWith("\t")) throw new DecodeProblem("found character that cannot start any token");
  let [isStarted, hasContent, number] = [false, false, 0];
  for (const { line, index } of linesOf(text)) {
    const marker = /^(?:---|\.\.\.)(?=\s|$)/.exec(line)?.[0];
    if (marker !== undefined && (hasContent || isStarted)) return text.slice(0, index);
    if (marker === "...") throw new DecodeProblem(`${at(number)}did not find expected node content`);
    if (marker === "---") {
      isStarted = true;
      hasContent = isContent(line.slice(marker.length));
    } else if (line.startsWith("%") && !hasContent) {
      checkDirective(line, number);
    } else {
      hasContent ||= isContent(line);
    }
    number++;
  }
  return text;
}

/** @returns the position for a message. As in Go's library, the first line has none */
const at = (lines: number): string => (lines === 0 ? "" : `line ${lines}: `);

const isContent = (line: string): boolean => /^\s*[^\s#]/.test(line);

function checkDirective(line: string, number: number): void {
  const [, name = "", version = ""] = /^%(\S*)\s*(\S*)/.exec(line) ?? [];
  if (name === "YAML" && version !== "1.1") throw new DecodeProblem(`${at(number)}found incompatible YAML document`);
  if (name !== "YAML" && name !== "TAG") {
    throw new DecodeProblem(`${at(number === 0 ? 0 : number + 1)}found unknown directive name`);
  }
}
