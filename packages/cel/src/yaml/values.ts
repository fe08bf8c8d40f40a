import { DecodeProblem } from "./decode-problem.ts";
import { Alias, List, Mapping, Scalar, type YamlNode } from "./nodes.ts";
import { floatKey, isInt64, type Resolved, resolveScalar } from "./scalars.ts";

/** A value of YAML as JSON. Integers of 64 bits beyond ±(2^53-1) are `bigint`. */
export type YamlValue = null | boolean | number | bigint | string | YamlValue[] | YamlObject;

/** An object of YAML as JSON. */
export interface YamlObject {
  [key: string]: YamlValue | undefined;
}

/** A key that occurs twice in an object. */
export interface DuplicateKey {
  /** The key. */
  readonly key: YamlValue;
  /** The position of its second value in the text. */
  readonly position: number;
  /**
   * Why it occurs twice: the keys are `equal`, one of them comes from another object by `<<` (`merged`), or they differ in
   * YAML and have the same `text` in JSON, such as `1` and `"1"`.
   */
  readonly kind: "equal" | "merged" | "text";
}

/** The content of a document. */
export interface Decoded {
  readonly value: YamlValue;
  readonly duplicates: readonly DuplicateKey[];
}

/** Formats a value in messages. */
export type Show = (value: YamlValue) => string;

/** A key of an object as the library of Go has it, before it becomes a text. */
interface Entry {
  key: string;
  shown: YamlValue;
  value: YamlValue;
  isMerged: boolean;
  /** Why JSON doesn't have the key. */
  problem?: string;
}

/** The objects of a document, keys of several types included: `1` and `"1"` differ. */
type Entries = Map<string, Entry>;

/** The library nests nodes up to 100 levels, but aliases may contain aliases. */
const maxDepth = 1000;

/** The most characters that the strings of a document have, each alias counted. */
const maxCharacters = 32 * 2 ** 20;

/**
 * Decodes a document as Go's libraries do: the last of several values of a key counts, and each alias is a copy.
 *
 * @param root - the root of the document
 * @param show - formats values in messages
 * @param maxAliased - how many values may come from aliases, within the limit of Go's library
 * @returns the value
 * @throws DecodeProblem
 */
export function decodeNodes(
  root: YamlNode | undefined,
  show: Show,
  maxAliased: number = Number.POSITIVE_INFINITY,
): Decoded {
  const decoder = new Decoder(show, maxAliased);
  const value = root === undefined ? null : decoder.decode(root);
  decoder.checkJson(value);
  return { value, duplicates: decoder.duplicates };
}

class Decoder {
  readonly duplicates: DuplicateKey[] = [];
  /** Objects with a key that JSON doesn't have. */
  readonly #wrongKeys = new Map<YamlValue, string>();
  #hasInfinite = false;
  readonly #show: Show;
  readonly #maxAliased: number;
  readonly #within = new Set<Alias>();
  #depth = 0;
  #count = 1;
  #ofAliases = 0;
  #characters = 0;

  constructor(show: Show, maxAliased: number) {
    this.#show = show;
    this.#maxAliased = maxAliased;
  }

  decode(node: YamlNode): YamlValue {
    this.#measure();
    if (this.#depth === maxDepth) throw new DecodeProblem(`exceeded max depth of ${maxDepth}`);
    this.#depth++;
    const value = this.#decode(node);
    this.#depth--;
    return value;
  }

  #decode(node: YamlNode): YamlValue {
    if (node instanceof Scalar) return this.#scalar(node);
    if (node instanceof List) return node.items.map((item) => this.decode(item));
    if (node instanceof Mapping) {
      const entries: Entries = new Map();
      this.#fill(entries, node, false);
      const object = this.#object(entries, node);
      for (const { problem } of entries.values()) if (problem !== undefined) this.#wrongKeys.set(object, problem);
      return object;
    }
    return this.#target(node, (target) => this.decode(target));
  }

  /** Refuses documents that aliases make many times larger than their text, by the measure of Go's library. */
  #measure(): void {
    this.#count++;
    if (this.#within.size > 0) this.#ofAliases++;
    const [count, aliases] = [this.#count, this.#ofAliases];
    const isExcessive =
      aliases > this.#maxAliased || (aliases > 100 && count > 1000 && aliases / count > allowedAliases(count));
    if (isExcessive || this.#characters > maxCharacters)
      throw new DecodeProblem("document contains excessive aliasing");
  }

  #target<T>(alias: Alias, decode: (target: YamlNode) => T): T {
    if (alias.target === undefined || this.#within.has(alias)) {
      throw new DecodeProblem(`anchor '${alias.name}' value contains itself`);
    }
    this.#within.add(alias);
    const value = decode(alias.target);
    this.#within.delete(alias);
    return value;
  }

  #scalar(node: Scalar): YamlValue {
    const { type, value } = this.#resolve(node);
    if (type === "float" && !Number.isFinite(value)) this.#hasInfinite = true;
    if (type === "int") return Number.isSafeInteger(Number(value)) || !isInt64(value) ? Number(value) : value;
    if (typeof value === "string") this.#characters += value.length;
    return value;
  }

  #resolve({ text, isPlain, tag }: Scalar): Resolved {
    if (tag === "tag:yaml.org,2002:binary") return { type: "str", value: binaryText(text) };
    if (tag === undefined && !isPlain) return { type: "str", value: text };
    return resolveScalar(text, tag);
  }

  #fill(entries: Entries, node: Mapping, isMerged: boolean): void {
    for (const [keyNode, valueNode] of node.pairs) {
      if (isMergeKey(keyNode)) {
        this.#merge(entries, valueNode);
        continue;
      }
      const { identity, ...key } = this.#key(keyNode);
      const value = this.decode(valueNode);
      const old = entries.get(identity);
      if (old !== undefined) {
        const kind = isMerged || old.isMerged ? "merged" : "equal";
        this.duplicates.push({ key: key.shown, position: valueNode.position, kind });
      }
      const problem = key.problem === undefined ? {} : { problem: `${key.problem}, value: ${this.#shown(value)}` };
      entries.set(identity, { key: key.text, shown: key.shown, value, isMerged, ...problem });
    }
  }

  #object(entries: Entries, { position }: Mapping): YamlObject {
    const object: YamlObject = {};
    for (const { key, shown, value } of entries.values()) {
      if (Object.hasOwn(object, key)) this.duplicates.push({ key: shown, position, kind: "text" });
      if (key !== "__proto__") object[key] = value;
      else Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
    }
    return object;
  }

  #merge(entries: Entries, node: YamlNode): void {
    // Those at the beginning of a list take precedence.
    const sources = node instanceof List ? [...node.items].reverse() : [node];
    for (const source of sources) {
      this.#measure();
      const isMapping = (source instanceof Alias ? (source.target ?? source) : source) instanceof Mapping;
      const isCycle = source instanceof Alias && source.target === undefined;
      if (!isMapping && !isCycle) throw new DecodeProblem("map merge requires map or sequence of maps as the value");
      if (source instanceof Alias) {
        this.#target(source, (target) => {
          this.#measure();
          this.#fill(entries, target as Mapping, true);
        });
      } else {
        this.#fill(entries, source as Mapping, true);
      }
    }
  }

  /** Reads a key, which may have any type of scalars. */
  #key(node: YamlNode): { identity: string; text: string; shown: YamlValue; problem?: string } {
    const scalar = targetOf(node);
    const value = this.decode(node);
    if (!(scalar instanceof Scalar)) throw new DecodeProblem(`invalid map key: ${this.#shown(value)}`);
    const resolved = this.#resolve(scalar);
    switch (resolved.type) {
      case "int": {
        const text = String(resolved.value);
        const problem = `unsupported map key of type: uint64, key: 0x${resolved.value.toString(16)}`;
        return { identity: `int ${text}`, text, shown: value, ...(isInt64(resolved.value) ? {} : { problem }) };
      }
      case "float": {
        const identity = Number.isNaN(resolved.value) ? `nan ${this.#count}` : `float ${resolved.value}`;
        return { identity, text: floatKey(resolved.value), shown: value };
      }
      case "null": {
        const problem = "unsupported map key of type: %!s(<nil>), key: <nil>";
        return { identity: "null", text: "null", shown: null, problem };
      }
      case "bool":
        return { identity: `bool ${resolved.value}`, text: String(resolved.value), shown: value };
      default:
        return { identity: `str ${resolved.value}`, text: resolved.value, shown: value };
    }
  }

  /** Refuses what JSON doesn't have, if it is still there: a value that is replaced by a later one has no effect. */
  checkJson(root: YamlValue): void {
    if (!this.#hasInfinite && this.#wrongKeys.size === 0) return;
    let infinite: number | undefined;
    const pending = [root];
    for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
      const problem = this.#wrongKeys.get(value);
      if (problem !== undefined) throw new DecodeProblem(problem, true);
      if (typeof value === "number" && !Number.isFinite(value)) infinite ??= value;
      if (typeof value === "object" && value !== null) {
        for (const item of Object.values(value)) if (item !== undefined) pending.push(item);
      }
    }
    if (infinite === undefined) return;
    const shown = Number.isNaN(infinite) ? "NaN" : infinite > 0 ? "+Inf" : "-Inf";
    throw new DecodeProblem(`json: unsupported value: ${shown}`, true);
  }

  #shown(value: YamlValue): string {
    if (value === null) return "<nil>";
    return this.#show(value).replaceAll("map[string]interface {}", "map[interface {}]interface {}");
  }
}

function targetOf(node: YamlNode): YamlNode {
  return node instanceof Alias && node.target !== undefined ? targetOf(node.target) : node;
}

function isMergeKey(node: YamlNode): boolean {
  if (!(node instanceof Scalar) || node.text !== "<<") return false;
  if (node.tag === undefined) return node.isPlain;
  return node.tag === "!" || node.tag === "tag:yaml.org,2002:merge";
}

/** The share of values that may come from aliases: almost all of a small document, and few of a large one. */
function allowedAliases(count: number): number {
  const [small, large] = [400_000, 4_000_000];
  if (count <= small) return 0.99;
  return count >= large ? 0.1 : 0.99 - (0.89 * (count - small)) / (large - small);
}

/** Reads a binary value as the text that its bytes are in UTF-8. */
function binaryText(text: string): string {
  const digits = text.replace(/[\r\n]/g, "");
  if (digits.length % 4 !== 0 || !/^[A-Za-z\d+/]*={0,2}$/.test(digits)) {
    throw new DecodeProblem("!!binary value contains invalid base64 data");
  }
  const bytes = Uint8Array.from(atob(digits), (character) => character.charCodeAt(0));
  return utf8Text(bytes);
}

/** Decodes UTF-8. Each byte that isn't part of a character is replaced, as in Go. */
function utf8Text(bytes: Uint8Array): string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const decoded = (part: Uint8Array): string | undefined => {
    try {
      return decoder.decode(part);
    } catch {
      return undefined;
    }
  };
  const whole = decoded(bytes);
  if (whole !== undefined) return whole;
  let text = "";
  for (let start = 0; start < bytes.length; ) {
    const lead = bytes[start] as number;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const character = decoded(bytes.subarray(start, start + length));
    text += character ?? "\ufffd";
    start += character === undefined ? 1 : length;
  }
  return text;
}
