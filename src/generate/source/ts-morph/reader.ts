import { createWrappedNode, type ExportDeclaration, Node, type Statement, SyntaxKind, ts } from "ts-morph";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import type { Declaration, LooseComments, ReExport, SourceFile } from "../model.ts";
import type { SourceReader } from "../reader.ts";
import { createChecker } from "./checker.ts";
import { readAugmentations, readDeclarations } from "./declarations.ts";
import { collectNames, moduleOf, nameOf, targetOf } from "./names.ts";
import { leadingComments, positionOf, type ReadContext, startOf } from "./positions.ts";
import { keepProject } from "./program.ts";
import type { TypeScope } from "./types.ts";

/**
 * Creates the reader of a session. Its type checkers share a project. Parsed files aren't part of it: the model has everything
 * that a run needs, and few runs need a checker.
 */
export function createReader(): SourceReader {
  const open = keepProject();
  return { parse, createChecker: (input) => createChecker(input, open) };
}

function parse(path: string, text: string): SourceFile {
  // Raw comment text is read from the trivia; parsing JSDoc as well would only cost time.
  const { ParseNone } = ts.JSDocParsingMode;
  const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ParseNone };
  const file = ts.createSourceFile(path, text, options, true);
  const statements = createWrappedNode(file).getStatements();
  const context: ReadContext = { file, path };
  const scope: TypeScope = { ...context, names: collectNames(statements), parameters: new Set() };
  const declarations: Declaration[] = [];
  const reExports: ReExport[] = [];
  const loose: LooseComments[] = [];
  const augmentations = statements.flatMap((statement) => readAugmentations(scope, statement));
  for (const statement of statements) {
    const read = readDeclarations(scope, statement);
    declarations.push(...read.map((declaration) => Object.freeze(declaration)));
    reExports.push(...readReExports(scope, statement));
    if (read.length > 0) continue;
    const comments = leadingComments(context, statement.getFullStart());
    if (comments.length > 0) loose.push({ comments, nextLine: startOf(context, statement.compilerNode).line });
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

function readReExports(scope: TypeScope, node: Statement): ReExport[] {
  if (Node.isExportDeclaration(node)) return readExports(scope, node);
  if (Node.isExportAssignment(node)) {
    const value = node.getExpression();
    return Node.isIdentifier(value) ? [local(scope, node.isExportEquals() ? "export=" : "default", value)] : [];
  }
  if (!Node.isModifierable(node) || !node.hasModifier(SyntaxKind.DefaultKeyword)) return [];
  const isNamed =
    Node.isClassDeclaration(node) || Node.isFunctionDeclaration(node) || Node.isInterfaceDeclaration(node);
  const name = isNamed ? node.getNameNode() : undefined;
  return name ? [local(scope, "default", name)] : [];
}

function readExports(scope: TypeScope, node: ExportDeclaration): ReExport[] {
  const specifier = moduleOf(node.compilerNode.moduleSpecifier);
  const namespace = node.getNamespaceExport();
  if (namespace || node.isNamespaceExport()) {
    const exported = namespace ? nameOf(namespace.getNameNode()) : "*";
    return specifier === undefined ? [] : [{ exported, name: "*", specifier }];
  }
  return node.getNamedExports().map((element) => {
    const name = element.getNameNode();
    const exported = nameOf(element.getAliasNode() ?? name);
    if (specifier !== undefined) return { exported, name: nameOf(name), specifier };
    return Node.isIdentifier(name) ? local(scope, exported, name) : { exported, name: nameOf(name) };
  });
}

function local(scope: TypeScope, exported: string, name: Node): ReExport {
  const target = targetOf(scope, scope.names, name.compilerNode as ts.Identifier, new Set());
  return { exported, name: nameOf(name), target };
}

function syntaxErrors({ file, path }: ReadContext): Diagnostic[] {
  // `parseDiagnostics` contains the syntax errors that a program would report; creating a program isn't necessary.
  const diagnostics = (file as ts.SourceFile & { parseDiagnostics?: readonly ts.Diagnostic[] }).parseDiagnostics ?? [];
  return diagnostics.map((diagnostic) => ({
    id: "syntax-error",
    severity: "error",
    message: ts.flattenDiagnosticMessageText(diagnostic.messageText, " "),
    ...positionOf({ file, path }, diagnostic.start ?? 0),
  }));
}
