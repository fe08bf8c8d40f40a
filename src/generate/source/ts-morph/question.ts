// Questions to the checker: small files with access to the names of one of the program's files, without creating a new
// program. TypeScript has no public API for this; all uses of its internals are in this file.

import { ts } from "ts-morph";
import type { Position } from "../model.ts";

interface Binder {
  bindSourceFile(file: ts.SourceFile, options: ts.CompilerOptions): void;
}
interface Bound {
  path: string;
  resolvedPath: string;
  parent: ts.Node;
  readonly locals: Map<string, ts.Symbol>;
  readonly symbol: ts.Symbol;
}

/**
 * Parses `text` as if it were in `place`. Its exports can be resolved immediately.
 *
 * @param names additional names in the text, with their symbols
 */
export function createQuestion(
  place: ts.SourceFile | ts.ModuleBlock,
  text: string,
  names: ReadonlyMap<string, ts.Symbol>,
): ts.SourceFile {
  const home = place.getSourceFile();
  const languageVersion = ts.ScriptTarget.ES2022;
  const file = ts.createSourceFile(home.fileName, text, languageVersion, true);
  const question = file as unknown as Bound;
  // The text has the same imports as the home file, because it has the same path.
  question.path = (home as unknown as Bound).path;
  question.resolvedPath = (home as unknown as Bound).resolvedPath;
  (ts as unknown as Binder).bindSourceFile(file, {});
  question.parent = place;
  for (const [name, symbol] of names) question.locals.set(name, symbol);
  return file;
}

interface Container {
  readonly locals?: ReadonlyMap<string, ts.Symbol & { readonly exportSymbol?: ts.Symbol }>;
  readonly symbol?: ts.Symbol;
}

/** Returns the symbol that a file declares under a name, exported or not; `A.B` is declared in a namespace. */
export function symbolIn(file: ts.SourceFile, name: string): ts.Symbol | undefined {
  let containers: readonly ts.Node[] = [file];
  let match: ts.Symbol | undefined;
  for (const part of name.split(".")) {
    match = containers.map((container) => declaredIn(container, part)).find((symbol) => symbol !== undefined);
    containers = match?.declarations ?? [];
  }
  return match;
}

function declaredIn(container: ts.Node, name: string): ts.Symbol | undefined {
  const { locals, symbol } = container as Container;
  const local = locals?.get(name);
  return local?.exportSymbol ?? local ?? symbol?.exports?.get(name as ts.__String);
}

/** Returns the innermost namespace around a position, or the file itself. */
export function namespaceAt(file: ts.SourceFile, at: Position): ts.SourceFile | ts.ModuleBlock {
  const offset = ts.getPositionOfLineAndCharacter(file, at.line - 1, at.column - 1);
  const within = (outer: ts.SourceFile | ts.ModuleBlock): ts.SourceFile | ts.ModuleBlock => {
    for (const statement of outer.statements) {
      let body: ts.Node | undefined = statement.end > offset && statement.pos <= offset ? statement : undefined;
      while (body && ts.isModuleDeclaration(body)) body = body.body;
      if (body && ts.isModuleBlock(body)) return within(body);
    }
    return outer;
  };
  return within(file);
}
