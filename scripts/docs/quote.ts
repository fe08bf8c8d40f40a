import { readFileSync } from "node:fs";
import { join } from "node:path";
import { diffLines } from "diff";
import ts from "typescript";
import { root } from "./pages.ts";

/** A range of a file's text. */
interface Piece {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the text for a block with `[path#part,…]`: a whole file, or parts of it in the given order. A part is the text
 * between the comments `#region part` and `#endregion part`. In TypeScript it can also be a declaration (`Game`: all with
 * this name), a member (`GameReconciler.reconcile`), or the comments above one (`GameReconciler:head`).
 *
 * @throws Error if a part doesn't exist
 */
export function quote(reference: string): string {
  const [path = "", parts] = reference.split("#");
  const text = readFileSync(join(root, path), "utf8");
  if (parts === undefined) return tidy(text);
  const pieces = parts.split(",").flatMap((part) => regionOf(text, part) ?? declarationsOf(path, text, part));
  return pieces
    .map((piece, index) => gap(text, pieces[index - 1], piece) + tidy(text.slice(piece.start, piece.end)))
    .join("");
}

/**
 * Returns the lines of a text that an earlier version doesn't have, such as `3,5-7`: VitePress highlights them.
 *
 * @param before - the earlier version
 * @param text - the text
 */
export function newLines(before: string, text: string): string {
  let line = 1;
  return diffLines(before, text)
    .flatMap(({ added, removed, count }) => {
      if (removed) return [];
      const [first, last] = [line, line + count - 1];
      line += count;
      return added ? [first === last ? `${first}` : `${first}-${last}`] : [];
    })
    .join(",");
}

function regionOf(text: string, name: string): Piece | undefined {
  const begin = new RegExp(`#region ${name}\\b.*\\n`).exec(text);
  const end = new RegExp(`^.*#endregion ${name}\\b`, "m").exec(text);
  return begin && end ? { start: begin.index + begin[0].length, end: end.index } : undefined;
}

function declarationsOf(path: string, text: string, part: string): Piece[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const [, name = "", member, head] = /^([\w$]+)(?:\.([\w$]+))?(:head)?$/.exec(part) ?? [];
  const declared = source.statements.filter((statement) => namesOf(statement).includes(name));
  const nodes = member === undefined ? declared : declared.flatMap((node) => membersOf(node, member));
  if (nodes.length === 0) throw new Error(`${path} has no ${part}`);
  return nodes.map((node) => ({
    start: node.getFullStart(),
    end: head === undefined ? node.getEnd() : node.getStart(source, false),
  }));
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = statement as { name?: ts.Node };
  return name === undefined ? [] : [name.getText()];
}

function membersOf(node: ts.Node, member: string): ts.Node[] {
  if (!ts.isClassDeclaration(node) && !ts.isInterfaceDeclaration(node)) return [];
  return (node.members as ts.NodeArray<ts.ClassElement | ts.TypeElement>).filter(
    (element) => (element.name?.getText() ?? "constructor") === member,
  );
}

/** Removes region comments and the indentation. */
function tidy(text: string): string {
  const lines = text.split("\n").filter((line) => !/^\s*(\/\/|#) ?#(end)?region\b/.test(line));
  while (lines[0]?.trim() === "") lines.shift();
  while (lines.at(-1)?.trim() === "") lines.pop();
  const indent = /^ */.exec(lines[0] ?? "")?.[0].length ?? 0;
  return `${lines.map((line) => line.replace(new RegExp(`^ {0,${indent}}`), "")).join("\n")}\n`;
}

/** Returns an empty line, unless the parts are adjacent in the file. */
function gap(text: string, before: Piece | undefined, piece: Piece): string {
  if (before === undefined) return "";
  return before.end === piece.start && /^\r?\n\S/.test(text.slice(piece.start)) ? "" : "\n";
}
