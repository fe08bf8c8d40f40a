import { FAILSAFE_SCHEMA, loadAll, type State, Type, YAMLException } from "js-yaml";
import { DecodeProblem } from "./decode-problem.ts";
import { linesOf } from "./lines.ts";
import { Alias, List, Mapping, Scalar, type YamlNode } from "./nodes.ts";

/** The library's state about the text that it reads. Its declarations lack the properties of nodes. */
interface NodeState extends State {
  depth: number;
  tag: string | null;
  anchor: string | null;
  anchorMap: Record<string, unknown>;
}

/** Nodes keep their tags: any tag is accepted, and doesn't change the value. */
const schema = FAILSAFE_SCHEMA.extend({
  explicit: (["scalar", "sequence", "mapping"] as const).map((kind) => new Type("", { kind, multi: true })),
});

/** A document, and the text that the positions of its nodes refer to. */
export interface Parsed {
  /** Undefined for a document without content. */
  readonly root: YamlNode | undefined;
  readonly text: string;
  /** The position of more text after the root; undefined if there is none. */
  readonly end: number | undefined;
}

/**
 * Parses the only document of a text. As in Go's library, what follows an object or a list in brackets has no effect.
 *
 * @param text - the text
 * @returns the document
 * @throws YAMLException if it isn't YAML
 */
export function parseNodes(text: string): Parsed {
  const empty = emptyItems(text);
  if (empty.length === 0) return parseWithKeys(text);
  const all = withInsertions(text, empty, explicitNull);
  const { nulls } = build(all);
  // A line of a text can look like an empty item.
  const items = empty.filter((position, index) => nulls.has(position + index * explicitNull.length + 1));
  return parseWithKeys(items.length === empty.length ? all : withInsertions(text, items, explicitNull));
}

/** The most aliases that are keys without a space in front of the colon: each of them takes time to find. */
const maxAliasKeys = 20;

/** Parses a text in which aliases may be keys: the library takes the colon of `*a: 1` for a part of the name. */
function parseWithKeys(text: string): Parsed {
  let changed = text;
  for (let count = 0; ; count++) {
    try {
      const { root, end } = build(changed);
      return { text: changed, root, end };
    } catch (error) {
      const isKey = error instanceof YAMLException && /^unidentified alias "[\w-]+:"$/.test(error.reason);
      if (!isKey || count === maxAliasKeys) throw error;
      changed = withInsertions(changed, [(error.mark?.position ?? 1) - 1], " ");
    }
  }
}

function build(text: string): NodeBuilder {
  const builder = new NodeBuilder(hasWrongEscapes(text));
  try {
    loadAll(text, null, { schema, listener: (event, state) => builder.on(event, state as NodeState) });
  } catch (error) {
    const isAfterRoot = error instanceof YAMLException && /a document separator is expected/.test(error.reason);
    if (!isAfterRoot || !isInBrackets(builder.root, text)) throw error;
    builder.end = error.mark?.position;
  }
  return builder;
}

/** The text that is added to empty items. */
const explicitNull = " ~";

/**
 * Finds empty items in front of an item with less indentation, which the library adds to the wrong list:
 * `- -`, and below it `- a`.
 *
 * @returns the positions after the dashes
 */
function emptyItems(text: string): number[] {
  const positions: number[] = [];
  let empty: { column: number; position: number } | undefined;
  for (const { line, index } of linesOf(text)) {
    const indentation = /^[ \t]*(?=[^\s#])/.exec(line)?.[0].length;
    if (indentation === undefined) continue;
    const isItem = /^-(?=[ \t]|$)/.test(line.slice(indentation, indentation + 2));
    if (empty !== undefined && isItem && indentation < empty.column) positions.push(empty.position);
    const last = !isItem ? null : /^[ \t]*(?:-[ \t]+)*-(?=[ \t]*(?:#|$))/.exec(line);
    empty = last === null ? undefined : { column: last[0].length - 1, position: index + last[0].length };
  }
  return positions;
}

function withInsertions(text: string, positions: readonly number[], insertion: string): string {
  let changed = "";
  let end = 0;
  for (const position of positions) {
    changed += text.slice(end, position) + insertion;
    end = position;
  }
  return changed + text.slice(end);
}

/** Replaces each value that the library reads by its node. */
class NodeBuilder {
  /** The last value that isn't within another one. */
  root: YamlNode | undefined;
  end: number | undefined;
  /** The positions of nulls that have the form `~`. */
  readonly nulls = new Set<number>();
  /** The positions of the present values of each depth. */
  readonly #positions: number[] = [];
  /** The keys of the present value of each depth. */
  readonly #keys: YamlNode[][] = [];
  #depth = 0;
  readonly #checksEscapes: boolean;

  /** @param checksEscapes - whether escapes may occur that Go's library doesn't know */
  constructor(checksEscapes: boolean) {
    this.#checksEscapes = checksEscapes;
  }

  on(event: string, state: NodeState): void {
    if (event === "open") {
      this.#depth = state.depth;
      this.#positions[state.depth] = state.position;
      this.#keys[state.depth] = [];
      return;
    }
    const node = this.#read(state, this.#positions[state.depth] as number);
    this.#depth = state.depth - 1;
    if (state.depth === 1) this.root = node;
    if (node === undefined) return;
    state.result = new Built(node, this);
    if (state.anchor !== null) state.anchorMap[state.anchor] = state.result;
    // The library merges the values of keys with this tag.
    if (state.tag === "tag:yaml.org,2002:merge") state.tag = "!";
  }

  /** @returns the number of a key of the value that is being read */
  addKey(node: YamlNode): string {
    return String((this.#keys[this.#depth] as YamlNode[]).push(node) - 1);
  }

  /** @returns undefined for an empty value, which the library has to find again */
  #read(state: NodeState, position: number): YamlNode | undefined {
    const result = state.result as unknown;
    const tag = state.tag === null || state.tag === "?" ? undefined : state.tag;
    if (result === null) return tag === undefined ? undefined : new Scalar(position, "", true, tag);
    const node = result instanceof Built ? result.node : undefined;
    const alias = state.kind === null && !(node instanceof Alias) ? aliasAt(state.input, position) : undefined;
    if (alias !== undefined) return new Alias(position, alias, node);
    if (node instanceof Scalar && tag !== undefined) return new Scalar(position, node.text, node.isPlain, tag);
    if (node !== undefined) return node;
    if (typeof result === "string") {
      if (this.#checksEscapes) checkEscapes(state.input, position, state.position);
      if (result === "~") this.nulls.add(position);
      return new Scalar(position, result, state.tag === "?", tag);
    }
    return nodeOf(result, this.#keys[state.depth] as YamlNode[], position);
  }
}

/** A node, as the library receives it. */
class Built {
  readonly node: YamlNode;
  readonly #builder: NodeBuilder;

  constructor(node: YamlNode, builder: NodeBuilder) {
    this.node = node;
    this.#builder = builder;
  }

  /** The library makes no texts of keys that are plain objects. */
  get [Symbol.toStringTag](): string {
    return "YamlNode";
  }

  /** The library makes texts of keys only. */
  toString(): string {
    return this.#builder.addKey(this.node);
  }
}

function nodeOf(value: unknown, keys: readonly YamlNode[], position: number): YamlNode {
  if (value instanceof Built) return value.node;
  if (Array.isArray(value)) {
    return new List(
      position,
      value.map((item) => nodeOf(item, keys, position)),
    );
  }
  if (typeof value !== "object" || value === null) return new Scalar(position, "", true);
  const pairs = Object.entries(value).map(([number, item]) => {
    const key = keys[Number(number)] ?? new Scalar(position, "", true);
    return [key, nodeOf(item, keys, key.position)] as const;
  });
  return new Mapping(position, pairs);
}

/** Escapes of JSON that Go's library doesn't have: of a slash, and of halves of characters. */
const escapesOfJson = /\\(?:\/|u[dD][89a-fA-F])/;

/** Reports whether a document may have such escapes. JSON may: kubectl doesn't read it as YAML. */
function hasWrongEscapes(text: string): boolean {
  return escapesOfJson.test(text) && !/^\s*\{/.test(text);
}

function checkEscapes(text: string, start: number, end: number): void {
  const quote = startOf(text, start);
  if (text[quote] !== '"') return;
  for (let at = text.indexOf("\\", quote); at !== -1 && at < end; at = text.indexOf("\\", at + 2)) {
    if (!escapesOfJson.test(text.slice(at, at + 4))) continue;
    const problem = text[at + 1] === "/" ? "unknown escape character" : "invalid Unicode character escape code";
    const line = text.slice(0, at).split("\n").length;
    throw new DecodeProblem(`${line === 1 ? "" : `line ${line}: `}found ${problem}`);
  }
}

/** @returns where a node begins behind spaces, comments, tag and anchor */
function startOf(text: string, position: number): number {
  const before = /(?:---)?(?:[\s\ufeff]|[!&]\S*\s|#.*)*/y;
  before.lastIndex = position;
  before.test(text);
  return before.lastIndex;
}

/** Reports whether a node is an object or a list in brackets. */
function isInBrackets(node: YamlNode | undefined, text: string): boolean {
  if (!(node instanceof Mapping || node instanceof List)) return false;
  return /[[{]/.test(text[startOf(text, node.position)] ?? "");
}

/** Reads the name of an alias; undefined if there is none. */
function aliasAt(text: string, position: number): string | undefined {
  const alias = /(?:[ \t\r\n]|#[^\r\n]*(?:[\r\n]|$))*\*([^\s,[\]{}]+)/y;
  alias.lastIndex = position;
  return alias.exec(text)?.[1];
}
