import type { ts } from "ts-morph";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import type { Declaration, LooseComments, ReExport, SourceFile, SourceReader } from "../model.ts";
import { loadCompiler } from "./compiler.ts";
import { readAugmentations, readDeclarations } from "./declarations.ts";
import { collectNames, targetOf } from "./names.ts";
import { leadingComments, positionOf, type ReadContext, startOf } from "./positions.ts";
import type { TypeScope } from "./types.ts";

/** Creates a reader. The compiler is loaded for the first file. */
export function createReader(): SourceReader {
  return { parse: (path, text) => parse(loadCompiler(), path, text) };
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
  const augmentations = file.statements.flatMap((statement) => readAugmentations(scope, statement));
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
    ...(augmentations.length > 0 ? { augmentations: Object.freeze(augmentations) } : {}),
    diagnostics: Object.freeze(syntaxErrors(context)),
  });
}

function readReExports(scope: TypeScope, node: ts.Statement): ReExport[] {
  const { ts } = scope;
  const local = (exported: string, name: ts.Identifier): ReExport => ({
    exported,
    name: name.text,
    target: targetOf(scope, scope.names, name, new Set()),
  });
  if (ts.isExportAssignment(node)) {
    const exported = node.isExportEquals ? "export=" : "default";
    return ts.isIdentifier(node.expression) ? [local(exported, node.expression)] : [];
  }
  if (!ts.isExportDeclaration(node)) return defaultName(ts, node).map((name) => local("default", name));
  const specifier =
    node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : undefined;
  if (!node.exportClause) return specifier === undefined ? [] : [{ exported: "*", name: "*", specifier }];
  if (!ts.isNamedExports(node.exportClause)) {
    return specifier === undefined ? [] : [{ exported: node.exportClause.name.text, name: "*", specifier }];
  }
  return node.exportClause.elements.map((element) => {
    const name = element.propertyName ?? element.name;
    if (specifier !== undefined) return { exported: element.name.text, name: name.text, specifier };
    return ts.isIdentifier(name) ? local(element.name.text, name) : { exported: element.name.text, name: name.text };
  });
}

/** Returns the name of a declaration that is a default export. */
function defaultName(compiler: typeof ts, node: ts.Statement): ts.Identifier[] {
  const modifiers = compiler.canHaveModifiers(node) ? compiler.getModifiers(node) : undefined;
  const isDefault = modifiers?.some((modifier) => modifier.kind === compiler.SyntaxKind.DefaultKeyword) === true;
  const name = isDefault && "name" in node ? (node.name as ts.Node | undefined) : undefined;
  return name && compiler.isIdentifier(name) ? [name] : [];
}

function syntaxErrors(context: ReadContext): Diagnostic[] {
  // `parseDiagnostics` contains the syntax errors that a program would report; creating a program isn't necessary.
  const found =
    (context.file as ts.SourceFile & { parseDiagnostics?: readonly ts.Diagnostic[] }).parseDiagnostics ?? [];
  return found.map((diagnostic) => ({
    id: "syntax-error",
    severity: "error",
    message: context.ts.flattenDiagnosticMessageText(diagnostic.messageText, " "),
    ...positionOf(context, diagnostic.start ?? 0),
  }));
}
