import { createRequire } from "node:module";
import type { ts } from "ts-morph";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import type { Declaration, LooseComments, ReExport, SourceFile, SourceReader } from "../model.ts";
import { readDeclarations } from "./declarations.ts";
import { collectNames, targetOf } from "./names.ts";
import { leadingComments, positionOf, type ReadContext, startOf } from "./positions.ts";
import type { TypeScope } from "./types.ts";

const require = createRequire(import.meta.url);

/** The complete reader. The compiler takes a few tenths of a second to load, so that waits for the first file. */
export function createTsMorphReader(): SourceReader {
  let compiler: typeof ts | undefined;
  return {
    parse(path, text) {
      // Loaded in step, since a reader that hands a file over can't wait; ts-morph is CommonJS.
      compiler ??= (require("ts-morph") as { ts: typeof ts }).ts;
      return parse(compiler, path, text);
    },
  };
}

function parse(compiler: typeof ts, path: string, text: string): SourceFile {
  const file = compiler.createSourceFile(path, text, {
    languageVersion: compiler.ScriptTarget.Latest,
    // Raw comment text is read from the trivia; parsing JSDoc as well would only cost time.
    jsDocParsingMode: compiler.JSDocParsingMode.ParseNone,
  });
  const context: ReadContext = { ts: compiler, file, path };
  const scope: TypeScope = { ...context, names: collectNames(context), parameters: new Set() };
  const declarations: Declaration[] = [];
  const reExports: ReExport[] = [];
  const loose: LooseComments[] = [];
  for (const statement of file.statements) {
    const found = readDeclarations(scope, statement);
    declarations.push(...found.map((declaration) => Object.freeze(declaration)));
    reExports.push(...readReExports(scope, statement));
    if (found.length > 0) continue;
    const comments = leadingComments(context, statement.getFullStart());
    if (comments.length > 0) loose.push({ comments, nextLine: startOf(context, statement).line });
  }
  const last = leadingComments(context, file.endOfFileToken.getFullStart());
  if (last.length > 0) loose.push({ comments: last, nextLine: 0 });
  return Object.freeze({
    path,
    declarations: Object.freeze(declarations),
    reExports: Object.freeze(reExports),
    loose: Object.freeze(loose),
    diagnostics: Object.freeze(syntaxErrors(context)),
  });
}

function readReExports(scope: TypeScope, node: ts.Statement): ReExport[] {
  const { ts } = scope;
  if (!ts.isExportDeclaration(node)) return [];
  const specifier =
    node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : undefined;
  if (!node.exportClause) return specifier === undefined ? [] : [{ exported: "*", name: "*", specifier }];
  if (!ts.isNamedExports(node.exportClause)) return [];
  return node.exportClause.elements.map((element) => {
    const local = element.propertyName ?? element.name;
    const common = { exported: element.name.text, name: local.text };
    if (specifier !== undefined) return { ...common, specifier };
    if (!ts.isIdentifier(local)) return common;
    return { ...common, target: targetOf(scope, scope.names, local, new Set()) };
  });
}

function syntaxErrors(context: ReadContext): Diagnostic[] {
  // `parseDiagnostics` is what a program would report as syntactic diagnostics; a program isn't needed to get it.
  const found =
    (context.file as ts.SourceFile & { parseDiagnostics?: readonly ts.Diagnostic[] }).parseDiagnostics ?? [];
  return found.map((diagnostic) => ({
    id: "syntax-error",
    severity: "error",
    message: context.ts.flattenDiagnosticMessageText(diagnostic.messageText, " "),
    ...positionOf(context, diagnostic.start ?? 0),
  }));
}
