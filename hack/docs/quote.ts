import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "./pages.ts";

/** A stretch of a file's text. */
interface Piece {
  readonly start: number;
  readonly end: number;
}

/**
 * The text that a block with `[path#part,…]` must hold: a whole file, or parts of it in the order in which they are named.
 * A part is what stands between the comments `#region part` and `#endregion part`, and in TypeScript without such comments a
 * declaration (`Game`: all of that name), a member (`GameReconciler.reconcile`) or the comments above one
 * (`GameReconciler:head`). Throws an `Error` for what isn't there.
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

function regionOf(text: string, name: string): Piece | undefined {
  const begin = new RegExp(`#region ${name}\\b.*\\n`).exec(text);
  const end = new RegExp(`^.*#endregion ${name}\\b`, "m").exec(text);
  return begin && end ? { start: begin.index + begin[0].length, end: end.index } : undefined;
}

function declarationsOf(path: string, text: string, part: string): Piece[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const [, name = "", member, head] = /^([\w$]+)(?:\.([\w$]+))?(:head)?$/.exec(part) ?? [];
  const declared = source.statements.filter((statement) => namesOf(statement).includes(name));
  const found = member === undefined ? declared : declared.flatMap((node) => membersOf(node, member));
  if (found.length === 0) throw new Error(`${path} has no ${part}`);
  return found.map((node) => ({
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

/** Without the comments that name regions, moved to the left margin. */
function tidy(text: string): string {
  const lines = text.split("\n").filter((line) => !/^\s*(\/\/|#) ?#(end)?region\b/.test(line));
  while (lines[0]?.trim() === "") lines.shift();
  while (lines.at(-1)?.trim() === "") lines.pop();
  const indent = /^ */.exec(lines[0] ?? "")?.[0].length ?? 0;
  return `${lines.map((line) => line.replace(new RegExp(`^ {0,${indent}}`), "")).join("\n")}\n`;
}

/** A blank line, but between what stands together in the file. */
function gap(text: string, before: Piece | undefined, piece: Piece): string {
  if (before === undefined) return "";
  return before.end === piece.start && /^\r?\n\S/.test(text.slice(piece.start)) ? "" : "\n";
}
