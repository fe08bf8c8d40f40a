import type { ModuleExportName, Statement } from "oxc-parser";
import { openOxc, type Parse } from "../../../parser/oxc.ts";
import type { Declaration, LooseComments, ReExport, SourceFile, SourceReader } from "../model.ts";
import { targetOf } from "../names.ts";
import { readDeclarations, statementStart } from "./declarations.ts";
import { mayBeDeep } from "./depth.ts";
import { collectNames, declarationIn } from "./names.ts";
import { leadingComments, lineStartsOf, positionOf, type ReadContext } from "./positions.ts";
import type { TypeScope } from "./scope.ts";
import { checkWords } from "./strict.ts";

/**
 * Creates the fast reader, which loads in a few hundredths of a second. A file with a syntax error or unknown syntax is read
 * by `complete`, which also reports the errors. Function bodies aren't part of the model. The rare errors in them that only
 * TypeScript's parser finds are left to TypeScript.
 *
 * @returns undefined if the parser has no binary for this platform
 */
export async function createOxcReader(complete: SourceReader): Promise<SourceReader | undefined> {
  const parse = await openOxc();
  return parse && { parse: (path, text) => settle(parse, path, text) ?? complete.parse(path, text) };
}

/** Whitespace for both parsers, but not for JavaScript's `trim`, with which this reader searches for comments. */
const oddBlanks = /[\u0085\u180e\u200b]/;

function settle(parse: Parse, path: string, text: string): SourceFile | undefined {
  if (oddBlanks.test(text) || mayBeDeep(text)) return undefined;
  const result = parse(path, text);
  if (result.errors.length > 0) return undefined;
  const unknown: string[] = [];
  const { comments, program } = result;
  const unsettled = (syntax: string) => void unknown.push(syntax);
  const context: ReadContext = { path, text, comments, lineStarts: lineStartsOf(text), unsettled };
  checkWords(context, program.body);
  const file = readFile(context, program.body);
  return unknown.length > 0 ? undefined : file;
}

function readFile(context: ReadContext, statements: readonly Statement[]): SourceFile {
  const scope: TypeScope = { ...context, names: collectNames(statements), parameters: new Set() };
  const declarations: Declaration[] = [];
  const reExports: ReExport[] = [];
  const loose: LooseComments[] = [];
  for (const statement of statements) {
    if (isWord(statement)) scope.unsettled(statement.type);
    const found = readDeclarations(scope, statement);
    declarations.push(...found.map((declaration) => Object.freeze(declaration)));
    reExports.push(...readReExports(scope, statement));
    if (found.length > 0) continue;
    const start = statementStart(statement);
    const comments = leadingComments(scope, start);
    if (comments.length > 0) loose.push({ comments, nextLine: positionOf(scope, start).line });
  }
  const last = leadingComments(scope, scope.text.length);
  if (last.length > 0) loose.push({ comments: last, nextLine: 0 });
  return Object.freeze({
    path: scope.path,
    declarations: Object.freeze(declarations),
    reExports: Object.freeze(reExports),
    loose: Object.freeze(loose),
    diagnostics: Object.freeze([]),
  });
}

/** Returns whether a statement is a single word, which TypeScript may read as a modifier of the next statement. */
function isWord(statement: Statement): boolean {
  return statement.type === "ExpressionStatement" && statement.expression.type === "Identifier";
}

function readReExports(scope: TypeScope, node: Statement): ReExport[] {
  const local = (exported: string, name: string): ReExport => ({
    exported,
    name,
    target: targetOf(scope.path, scope.names, { parts: [name], text: name }, new Set()),
  });
  if (node.type === "ExportAllDeclaration") {
    return [{ exported: node.exported ? nameOf(node.exported) : "*", name: "*", specifier: node.source.value }];
  }
  if (node.type === "ExportDefaultDeclaration") {
    const { declaration } = node;
    if (declaration.type === "Identifier") return [local("default", declaration.name)];
    return "id" in declaration && declaration.id?.type === "Identifier" && declarationIn(node)
      ? [local("default", declaration.id.name)]
      : [];
  }
  if (node.type !== "ExportNamedDeclaration") return [];
  return node.specifiers.map((each) => {
    const exported = nameOf(each.exported);
    const name = nameOf(each.local);
    if (node.source) return { exported, name, specifier: node.source.value };
    return each.local.type === "Literal" ? { exported, name } : local(exported, name);
  });
}

function nameOf(node: ModuleExportName): string {
  return node.type === "Literal" ? node.value : node.name;
}
