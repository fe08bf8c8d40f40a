import { yamlOf } from "../../yaml/plain-documents.ts";
import { isFields, isList, type Value } from "../../yaml/plain-values.ts";
import type { Condition } from "./conditions.ts";
import { asList, asMap, type Either, type ListNode, type MapNode, type Node } from "./nodes.ts";
import { escaped, hasMarks, type Texts } from "./texts.ts";

/** Returns the lines of a template with one object. */
export function emit(node: Node, texts: Texts): string[] {
  return new Emitter(texts).below(node, 0);
}

const blanks = (count: number) => " ".repeat(count);

/** Returns the lines of several parts. Adjacent parts with the same condition share one `if`. */
function together<T extends { readonly when: Condition }>(
  parts: readonly T[],
  indent: number,
  lines: (part: T) => readonly string[],
): string[] {
  return parts.flatMap((part, at) => {
    const { when } = part;
    if (when === undefined) return lines(part);
    const [first, last] = [parts[at - 1]?.when !== when, parts[at + 1]?.when !== when];
    return [
      ...(first ? [`${blanks(indent)}{{- if ${when} }}`] : []),
      ...lines(part),
      ...(last ? [`${blanks(indent)}{{- end }}`] : []),
    ];
  });
}

class Emitter {
  readonly #texts: Texts;

  constructor(texts: Texts) {
    this.#texts = texts;
  }

  /** Returns the lines of a node that begins on a line of its own. */
  below(node: Node, indent: number): string[] {
    switch (node.is) {
      case "map":
        return together(node.entries, indent, (entry) => this.#entry(entry.key, entry.node, indent));
      case "list":
        return together(node.items, indent, (each) => this.#item(each.node, indent));
      case "block":
        return [...node.lines(indent)];
      case "either":
        return this.#cases(node, indent, (each) => this.below(each, indent));
      case "expression":
        return [`${blanks(indent)}${node.text}`];
      default:
        return this.#plain(node.value, indent);
    }
  }

  #plain(value: Value, indent: number): string[] {
    const open = hasMarks(value) ? (asMap({ is: "plain", value }) ?? asList({ is: "plain", value })) : undefined;
    if (open !== undefined) return this.below(open, indent);
    if (typeof value === "string" && hasMarks(value)) return [`${blanks(indent)}${this.#texts.scalar(value)}`];
    return escaped(yamlOf(value))
      .split("\n")
      .map((line) => (line === "" ? line : `${blanks(indent)}${line}`));
  }

  #entry(key: string, node: Node, indent: number): string[] {
    if (key === "" && node.is === "block") return [...node.lines(indent)];
    const head = `${blanks(indent)}${escaped(yamlOf(key))}:`;
    switch (node.is) {
      case "either":
        return this.#cases(node, indent, (each) => this.#entry(key, each, indent));
      case "map":
      case "list":
        return this.#perhaps(node, indent, [head, ...this.below(node, indent + 2)], head);
      case "block":
        return [head, ...node.lines(indent + 2)];
      case "expression":
        return [`${head} ${node.text}`];
      default: {
        const { value } = node;
        if ((isFields(value) || isList(value)) && Object.keys(value).length > 0) {
          return [head, ...this.below(node, indent + 2)];
        }
        // Strings of several lines begin after the key, and their other lines are indented.
        const [first = "", ...rest] = this.#plain(value, 0);
        return [`${head} ${first}`, ...rest.map((line) => (line === "" ? line : `${blanks(indent)}${line}`))];
      }
    }
  }

  #item(node: Node, indent: number): readonly string[] {
    if (node.is === "block") return node.lines(indent);
    if (node.is === "either") return this.#cases(node, indent, (each) => this.#item(each, indent));
    const lines = this.below(node, indent + 2);
    const [first = ""] = lines;
    // A condition before the first key needs a line of its own.
    return first.trimStart().startsWith("{{-")
      ? [`${blanks(indent)}-`, ...lines]
      : [`${blanks(indent)}- ${first.trimStart()}`, ...lines.slice(1)];
  }

  #cases({ cases }: Either, indent: number, lines: (node: Node) => readonly string[]): string[] {
    const some = cases.flatMap(({ when, node }, at) => {
      const last = at === cases.length - 1;
      const word = at === 0 ? `if ${when}` : last ? "else" : `else if ${when}`;
      return [`${blanks(indent)}{{- ${word} }}`, ...lines(node)];
    });
    return [...some, `${blanks(indent)}{{- end }}`];
  }

  /** Adds the empty form of a map or list, for conditions under which it has no entries. */
  #perhaps(node: MapNode | ListNode, indent: number, lines: readonly string[], head: string): string[] {
    const empty = `${head} ${node.is === "map" ? "{}" : "[]"}`;
    if ((node.is === "map" ? node.entries : node.items).length === 0) return [empty];
    if (node.some === undefined) return [...lines];
    const at = blanks(indent);
    return [`${at}{{- if ${node.some} }}`, ...lines, `${at}{{- else }}`, empty, `${at}{{- end }}`];
  }
}
