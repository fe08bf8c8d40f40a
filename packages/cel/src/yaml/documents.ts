import { linesOf } from "./lines.ts";
import { readYamlDocument, type YamlDocument, type YamlOptions, YamlReadError } from "./read.ts";
import type { YamlValue } from "./values.ts";

/** The most objects of JSON without `---` between them. */
const maxJsonObjects = 1000;

/**
 * Reads all documents of a file, as kubectl does. Only lines with `---` separate documents, except for objects of JSON, which
 * may follow each other.
 *
 * @param text - YAML or JSON
 * @param options - options
 * @returns the values, without empty documents
 * @throws YamlReadError whose lines count from the beginning of the file, also for keys that occur twice
 */
export function readYamlDocuments(text: string, options: YamlOptions = {}): YamlValue[] {
  const values: YamlValue[] = [];
  for (const part of partsOf(text)) {
    for (const { value } of readPart(part, options)) if (value !== null) values.push(value);
  }
  return values;
}

/** The text between two separators, and the number of lines before it. */
interface Part {
  text: string;
  line: number;
}

function* partsOf(text: string): Iterable<Part> {
  let [start, startLine, number] = [0, 0, 0];
  for (const { line, index } of linesOf(text)) {
    if (line.startsWith("---")) {
      const rest = line.slice(3).trim();
      if (rest !== "" && !rest.startsWith("#")) {
        throw new YamlReadError(`line ${number + 1}: invalid Yaml document separator: ${rest}`, number + 1);
      }
      if (index > start) yield { text: text.slice(start, index), line: startLine };
      start = index + line.length;
      startLine = number;
    }
    number++;
  }
  if (start < text.length) yield { text: text.slice(start), line: startLine };
}

/** Characters that JSON allows in texts, and that YAML refuses or takes for line breaks. */
const onlyInJson = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Returns a text of JSON in a form that YAML reads alike; other texts unchanged. As kubectl does, JSON is tried first. */
function asYaml(text: string): string {
  if (text.search(onlyInJson) === -1) return text;
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  return text.replace(onlyInJson, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function* readPart(part: Part, options: YamlOptions): Iterable<YamlDocument> {
  const isJson = /^\s*\{/.test(part.text);
  let { line } = part;
  let text = isJson ? asYaml(part.text) : part.text;
  for (let count = 1; ; count++) {
    const document = placed(line, () => {
      const read = readYamlDocument(text, options);
      const repeated = read.duplicates.find(({ kind }) => kind !== "merged");
      if (repeated === undefined) return read;
      const key = typeof repeated.key === "string" ? JSON.stringify(repeated.key) : repeated.key;
      throw new YamlReadError(`yaml: line ${repeated.line}: key ${key} already set in map`, repeated.line);
    });
    yield document;
    if (!isJson || document.end === undefined) return;
    if (count === maxJsonObjects)
      throw new YamlReadError(`more than ${maxJsonObjects} objects of JSON in one document`);
    line += text.slice(0, document.end).split("\n").length - 1;
    text = text.slice(document.end);
  }
}

/** Adds the lines before a document to those in its errors. */
function placed(lines: number, read: () => YamlDocument): YamlDocument {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof YamlReadError) || lines === 0) throw error;
    const message = error.message.replace(/^(yaml: line )(\d+)/, (_, start, line) => `${start}${Number(line) + lines}`);
    throw new YamlReadError(message, error.line === undefined ? undefined : error.line + lines);
  }
}
