import type { FieldOwner } from "../protocol/protocol.ts";

/** A line of YAML, and who owns its field. */
export interface OwnedLine {
  readonly text: string;
  readonly owners: readonly FieldOwner[];
}

interface Node {
  readonly line: number;
  /** The first line after the node. */
  end: number;
  readonly fields: Map<string, Node>;
  readonly items: Node[];
  readonly scalar: string | undefined;
}

/**
 * Finds the owners of each line of YAML as the session prints it: block style, two spaces, sequences indented. A field
 * below an owned one has the same owners, unless it has its own.
 */
export function ownedLines(yaml: string, owners: readonly FieldOwner[]): OwnedLine[] {
  const lines = yaml.replace(/\n$/, "").split("\n");
  const root = parse(lines);
  const byLine = lines.map((): FieldOwner[] => []);
  for (const owner of owners) {
    for (const path of owner.paths) {
      for (const node of nodesAt(root, path)) {
        for (let line = node.line; line < node.end; line++) {
          const at = byLine[line];
          if (at && !at.includes(owner)) at.push(owner);
        }
      }
    }
  }
  return lines.map((text, index) => ({ text, owners: byLine[index] ?? [] }));
}

/** Parses the structure of block-style YAML. */
function parse(lines: readonly string[]): Node {
  const root = newNode(0, undefined);
  root.end = lines.length;
  // Open nodes with the column of their children.
  const open: { readonly node: Node; readonly column: number }[] = [{ node: root, column: -1 }];
  let textColumn = -1;
  for (const [number, line] of lines.entries()) {
    const indent = line.search(/\S/);
    if (indent < 0 || (textColumn >= 0 && indent > textColumn)) continue;
    textColumn = -1;
    close(open, indent, number);
    let column = indent;
    let rest = line.slice(indent);
    while (/^-( |$)/.test(rest)) {
      const content = rest.slice(1).trimStart();
      const item = newNode(number, keyOf(content) || /^-( |$)/.test(content) ? undefined : unquoted(content));
      open.at(-1)?.node.items.push(item);
      open.push({ node: item, column });
      column += rest.length - content.length;
      rest = content;
    }
    const key = keyOf(rest);
    if (!key) continue;
    const isText = /^[|>][-+0-9]*$/.test(key.value);
    const field = newNode(number, key.value === "" || isText ? undefined : unquoted(key.value));
    open.at(-1)?.node.fields.set(key.name, field);
    open.push({ node: field, column });
    if (isText) textColumn = column;
  }
  close(open, -1, lines.length);
  return root;
}

function newNode(line: number, scalar: string | undefined): Node {
  return { line, end: line + 1, fields: new Map(), items: [], scalar };
}

/** Closes nodes that can't contain a line with this indentation. */
function close(open: { readonly node: Node; readonly column: number }[], indent: number, line: number): void {
  for (let last = open.at(-1); last && open.length > 1 && last.column >= indent; last = open.at(-1)) {
    last.node.end = line;
    open.pop();
  }
}

function keyOf(text: string): { name: string; value: string } | undefined {
  const match =
    /^('(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[^\s'"#[{|>&*!%@`-][^:]*(?::[^\s:][^:]*)*|-[^\s:][^:]*):(?: +(.*))?$/.exec(
      text,
    );
  if (!match?.[1]) return undefined;
  return { name: unquoted(match[1]), value: (match[2] ?? "").trim() };
}

function unquoted(text: string): string {
  if (text.startsWith("'") && text.endsWith("'") && text.length > 1) return text.slice(1, -1).replaceAll("''", "'");
  if (!text.startsWith('"')) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

/** Returns the nodes at a path such as `spec.containers[name=app].image`. Names of fields may contain dots. */
function nodesAt(node: Node, path: string): Node[] {
  if (path === "") return [node];
  if (path.startsWith("[")) return itemsAt(node, path);
  const nodes: Node[] = [];
  for (const [name, field] of node.fields) {
    if (!path.startsWith(name)) continue;
    const rest = path.slice(name.length);
    if (rest === "") nodes.push(field);
    else if (rest.startsWith(".")) nodes.push(...nodesAt(field, rest.slice(1)));
    else if (rest.startsWith("[")) nodes.push(...nodesAt(field, rest));
  }
  return nodes;
}

function itemsAt(node: Node, path: string): Node[] {
  // A value may contain brackets.
  for (let end = path.indexOf("]"); end >= 0; end = path.indexOf("]", end + 1)) {
    const selector = path.slice(1, end);
    const rest = path.slice(end + 1).replace(/^\./, "");
    const items = node.items.filter((item, index) => isSelected(item, index, selector));
    if (items.length > 0) return items.flatMap((item) => nodesAt(item, rest));
  }
  return [];
}

/** Selectors: the values of keys (`name=app,protocol=TCP`), a value as JSON (`"a"`), or an index (`0`). */
function isSelected(item: Node, index: number, selector: string): boolean {
  if (item.scalar !== undefined) return item.scalar === unquoted(selector) || String(index) === selector;
  if (!selector.includes("=")) return String(index) === selector;
  return selector.split(/,(?=[A-Za-z]+=)/).every((pair) => {
    const at = pair.indexOf("=");
    return item.fields.get(pair.slice(0, at))?.scalar === pair.slice(at + 1);
  });
}
