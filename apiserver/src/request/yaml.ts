import { CORE_SCHEMA, loadAll, Type, YAMLException } from "js-yaml";
import { goSyntax } from "../json/go-text.ts";
import type { Json } from "../json/json.ts";
import { cloneJson } from "../json/values.ts";
import { KeyCheck } from "./yaml-keys.ts";
import { yamlProblem } from "./yaml-problems.ts";
import { integerOf, tagOf, wordOf } from "./yaml-tags.ts";

/** Go's YAML has the words of YAML 1.1 for booleans. */
const bool = new Type("tag:yaml.org,2002:bool", {
  kind: "scalar",
  resolve: (text: string | null) => wordOf(text) !== undefined,
  construct: (text: string) => wordOf(text),
});

/** Integers of 64 bits are exact. */
const int = new Type("tag:yaml.org,2002:int", {
  kind: "scalar",
  resolve: (text: string | null) => integerOf(text) !== undefined,
  construct: (text: string) => {
    const value = integerOf(text) as bigint;
    const isExact = Number.isSafeInteger(Number(value)) || BigInt.asIntN(64, value) !== value;
    return isExact ? Number(value) : value;
  },
});

/** Go's YAML reads binary values as texts. */
const binary = new Type("tag:yaml.org,2002:binary", {
  kind: "scalar",
  construct: (text: string | null) => {
    const digits = (text ?? "").replace(/\s/g, "");
    if (digits.length % 4 !== 0 || !/^[\w+/]*={0,2}$/.test(digits)) {
      throw new YAMLException("!!binary value contains invalid base64 data");
    }
    return Buffer.from(digits, "base64").toString("utf8");
  },
});

/** The key `<<` adds the fields of another object. */
const merge = new Type("tag:yaml.org,2002:merge", { kind: "scalar", resolve: (text: string | null) => text === "<<" });

/** Tags of applications, and those of collections that JSON doesn't have, have no effect. */
const tagged = (["scalar", "sequence", "mapping"] as const).map(
  (kind) => new Type("!", { kind, multi: true, construct: (value: Json) => value }),
);
const collections = (["set", "omap", "pairs"] as const).map(
  (name) => new Type(`tag:yaml.org,2002:${name}`, { kind: name === "set" ? "mapping" : "sequence" }),
);
const timestamp = new Type("tag:yaml.org,2002:timestamp", { kind: "scalar" });
const explicit = [binary, timestamp, ...collections, ...tagged];
const schema = CORE_SCHEMA.extend({ implicit: [bool, int, merge], explicit });

/** @returns true if Go's YAML reads a text without quotes as a boolean or an integer */
export function isYamlWord(text: string): boolean {
  return wordOf(text) !== undefined || integerOf(text) !== undefined;
}

/** A document of YAML. */
export interface DecodedYaml {
  value: Json;
  /** A message per key that occurs twice. The last value counts. */
  duplicates: string[];
}

/**
 * Decodes the first document of YAML, as Kubernetes does.
 *
 * @param text - the YAML
 * @param fail - creates the error for a text that isn't YAML
 * @returns the value
 * @throws the error of `fail`
 */
export function decodeYaml(text: string, fail: (message: string) => Error): DecodedYaml {
  // The library skips tabs at the beginning.
  if (text.startsWith("\t"))
    throw fail("error converting YAML to JSON: yaml: found character that cannot start any token");
  const end = endBeforeContent(text);
  if (end !== undefined) {
    const line = end === 0 ? "" : `line ${end}: `;
    throw fail(`error converting YAML to JSON: yaml: ${line}did not find expected node content`);
  }
  try {
    return withDuplicates(text);
  } catch (error) {
    if (error instanceof NotJson) throw fail(`error converting YAML to JSON: ${error.message}`);
    if (!(error instanceof YAMLException)) throw error;
    throw fail(`error converting YAML to JSON: ${yamlProblem(error, text)}`);
  }
}

function withDuplicates(text: string): DecodedYaml {
  try {
    return { value: first(text, false), duplicates: [] };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    // Only the first document is read.
    const next = nextDocument(text);
    if (next !== undefined && (error.mark?.position ?? 0) >= next) return withDuplicates(text.slice(0, next));
    if (!/duplicated mapping key/.test(error.message)) throw error;
    const value = first(text, true);
    return { value, duplicates: duplicateKeys(text, error) };
  }
}

/** Finds the line of the marker `...` before which there are only comments; undefined if there is no such marker. */
function endBeforeContent(text: string): number | undefined {
  const marker = /\.\.\.(?:\s|$)/y;
  let number = 0;
  for (const { line, index } of linesOf(text)) {
    marker.lastIndex = index;
    if (marker.test(text)) return number;
    if (!/^\s*(?:#|$)/.test(line)) return undefined;
    number++;
  }
  return undefined;
}

/** Finds where the second document begins. */
function nextDocument(text: string): number | undefined {
  let hasContent = false;
  for (const { line, index } of linesOf(text)) {
    if (hasContent && /^---(?:\s|$)/.test(line)) return index;
    hasContent ||= /^(?:---)?\s*[^\s#%]/.test(line);
  }
  return undefined;
}

/** Iterates over the lines of a document, without their ends. */
function* linesOf(text: string): Iterable<{ line: string; index: number }> {
  const end = /\r\n?|\n/g;
  for (let index = 0; ; index = end.lastIndex) {
    end.lastIndex = index;
    const found = end.exec(text);
    yield { line: text.slice(index, found?.index), index };
    if (found === null) return;
  }
}

/**
 * Joins the messages about a document as Go's library does.
 *
 * @param messages - at least one
 * @returns the text
 */
export function yamlErrors(messages: readonly string[]): string {
  return `yaml: unmarshal errors:\n  ${messages.join("\n  ")}`;
}

const maxDuplicates = 100;
/**
 * The characters that are read to find further keys, after the first one: a document of the largest size with many such keys
 * would keep the server busy for 16 s otherwise.
 */
const maxRead = 1024 * 1024;

const maxKey = 64 * 1024;

/**
 * Finds the keys that occur twice: the library reports only the first one, which gets another name until none is left. Of a
 * large document, only the first ones are found.
 */
function duplicateKeys(text: string, firstError: YAMLException): string[] {
  const messages: string[] = [];
  let present = text;
  let read = 0;
  for (let error: YAMLException | undefined = firstError; error !== undefined; ) {
    const { position = 0, line = 0 } = error.mark ?? {};
    const key = keyAt(present, position);
    messages.push(`line ${line + 1}: key ${key.shown} already set in map`);
    read += text.length;
    if (key.length === 0 || read > maxRead || messages.length === maxDuplicates) break;
    present = `${present.slice(0, position)}renamed-${messages.length}${present.slice(position + key.length)}`;
    error = duplicateError(present);
  }
  return messages;
}

/** Reads a key, with or without quotes, and returns its value in Go's syntax and the length of its text. */
function keyAt(text: string, position: number): { shown: string; length: number } {
  const [found = ""] =
    /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^:\n]*)/.exec(text.slice(position, position + maxKey)) ?? [];
  const isQuoted = found.startsWith('"') || found.startsWith("'");
  const key = found.trim();
  return { shown: goSyntax(isQuoted || tagOf(key) !== "!!str" ? first(key, false) : key), length: found.length };
}

function duplicateError(text: string): YAMLException | undefined {
  try {
    first(text, false);
    return undefined;
  } catch (error) {
    return error instanceof YAMLException && /duplicated mapping key/.test(error.message) ? error : undefined;
  }
}

/** A document has a number or a key that JSON doesn't have. */
class NotJson extends Error {}

function notFinite(value: number): NotJson {
  return new NotJson(`json: unsupported value: ${Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"}`);
}

function first(text: string, duplicates: boolean): Json {
  const keys = new KeyCheck(text);
  const listener = keys.listener();
  const documents = loadAll(text, null, { schema, json: duplicates, ...(listener && { listener }) }) as Json[];
  const wrongKey = keys.complex(documents);
  if (wrongKey !== undefined) throw new YAMLException(wrongKey);
  const document = documents.find((one) => one !== null) ?? null;
  if (!hasAliases(document, keys, text)) return document;
  // Each place gets a value of its own, as in JSON.
  return cloneJson(document);
}

/** The most characters that the strings of a document have, each alias counted. */
const maxCharacters = 32 * 2 ** 20;

/**
 * Reports whether an object or list is in several places.
 *
 * @param document - the decoded document
 * @param keys - checks its keys
 * @param text - its text
 * @returns true if one is
 * @throws YAMLException if aliases make the document many times larger than its text, by the measure of Go's library
 */
function hasAliases(document: Json, keys: KeyCheck, text: string): boolean {
  const seen = new Set<Json>();
  const pending: { value: Json; isAlias: boolean }[] = [{ value: document, isAlias: false }];
  let [count, aliases, characters] = [0, 0, 0];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value } = next;
    const isObject = typeof value === "object" && value !== null;
    const isAlias = next.isAlias || (isObject && seen.has(value));
    count++;
    if (isAlias) aliases++;
    if (typeof value === "string") characters += value.length;
    if (typeof value === "number" && !Number.isFinite(value)) throw notFinite(value);
    const isExcessive = aliases > 100 && count > 1000 && aliases / count > allowedAliases(count);
    if (isExcessive || characters > maxCharacters) throw new YAMLException(aliasProblem(document, text));
    if (!isObject) continue;
    seen.add(value);
    for (const [key, item] of Object.entries(value)) {
      const problem = Array.isArray(value) ? undefined : keys.null(key, item as Json);
      if (problem !== undefined) throw new NotJson(problem);
      pending.push({ value: item as Json, isAlias });
    }
  }
  return aliases > 0;
}

/** Says why aliases make a document too large. The first alias of a document with a cycle is taken for the one that causes it. */
function aliasProblem(document: Json, text: string): string {
  const done = new Set<Json>();
  const above = new Set<Json>();
  const isCyclic = (value: Json): boolean => {
    if (typeof value !== "object" || value === null || done.has(value)) return false;
    if (above.has(value)) return true;
    above.add(value);
    const found = Object.values(value).some((item) => isCyclic(item as Json));
    above.delete(value);
    done.add(value);
    return found;
  };
  const alias = /(?:^|[\s[{,:-])\*([^\s,\]}]+)/.exec(text)?.[1];
  return isCyclic(document) ? `anchor '${alias}' value contains itself` : "document contains excessive aliasing";
}

/** The share of values that may come from aliases: almost all of a small document, and few of a large one. */
function allowedAliases(count: number): number {
  const [small, large] = [400_000, 4_000_000];
  if (count <= small) return 0.99;
  return count >= large ? 0.1 : 0.99 - (0.89 * (count - small)) / (large - small);
}
