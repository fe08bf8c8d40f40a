import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ts } from "ts-morph";

/** A regular expression in the sources. */
export interface Expression {
  /** The file, from the root of the repository. */
  file: string;
  line: number;
  regex: RegExp;
}

/** Texts that stand for parts of an expression that aren't constants. */
const unknownPart = "1";

/**
 * Finds all regular expressions in the sources of some folders: literals, and calls of the constructor whose parts are constants.
 *
 * @param root - the root of the repository
 * @param folders - the folders
 * @returns one expression per place
 */
export function findExpressions(root: string, folders: readonly string[]): Expression[] {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
      .filter((path) => /\.ts$/.test(path) && !/\.(?:test|fixture|d)\.ts$|\/test-support\/|\/testdata\//.test(path)),
  );
  return files.sort().flatMap((file) => expressionsOf(new SourceFile(root, file)));
}

/** A parsed file, with the constants that its expressions consist of. */
class SourceFile {
  readonly file: string;
  readonly tree: ts.SourceFile;
  readonly #root: string;
  readonly #constants = new Map<string, ts.Expression>();

  constructor(root: string, file: string) {
    this.#root = root;
    this.file = file;
    this.tree = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      const isConstant = ts.isVariableDeclaration(node) && node.initializer !== undefined && ts.isIdentifier(node.name);
      if (isConstant) this.#constants.set((node.name as ts.Identifier).text, node.initializer as ts.Expression);
      ts.forEachChild(node, visit);
    };
    visit(this.tree);
  }

  /** Returns the text of an expression of constants. */
  textOf(node: ts.Expression): string {
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isRegularExpressionLiteral(node)) return partsOf(node).source;
    if (ts.isTaggedTemplateExpression(node)) return this.#template(node.template, true);
    if (ts.isTemplateExpression(node)) return this.#template(node, false);
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return this.textOf(node.expression);
    if (ts.isBinaryExpression(node)) return this.textOf(node.left) + this.textOf(node.right);
    if (ts.isIdentifier(node)) return this.#constant(node.text);
    if (ts.isPropertyAccessExpression(node) && node.name.text === "source") return this.textOf(node.expression);
    const isJoin = ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression);
    if (isJoin) return this.#joined(node.expression as ts.PropertyAccessExpression, node.arguments[0]);
    return unknownPart;
  }

  #joined({ name, expression }: ts.PropertyAccessExpression, separator: ts.Expression | undefined): string {
    const list = ts.isIdentifier(expression) ? this.#constants.get(expression.text) : expression;
    if (name.text !== "join" || list === undefined || !ts.isArrayLiteralExpression(list)) return unknownPart;
    return list.elements.map((element) => this.textOf(element)).join(separator ? this.textOf(separator) : ",");
  }

  #template(node: ts.TemplateLiteral, isRaw: boolean): string {
    const text = (part: ts.TemplateLiteralLikeNode): string => (isRaw ? part.rawText : undefined) ?? part.text;
    if (ts.isNoSubstitutionTemplateLiteral(node)) return text(node);
    const spans = node.templateSpans.map((span) => this.textOf(span.expression) + text(span.literal));
    return text(node.head) + spans.join("");
  }

  #constant(name: string): string {
    const own = this.#constants.get(name);
    if (own !== undefined) return this.textOf(own);
    for (const statement of this.tree.statements) {
      if (!ts.isImportDeclaration(statement)) continue;
      const from = (statement.moduleSpecifier as ts.StringLiteral).text;
      const names = statement.importClause?.namedBindings;
      if (!from.startsWith(".") || names === undefined || !ts.isNamedImports(names)) continue;
      const imported = names.elements.find((element) => element.name.text === name);
      if (imported === undefined) continue;
      const original = (imported.propertyName ?? imported.name).text;
      return new SourceFile(this.#root, join(dirname(this.file), from)).#constant(original);
    }
    return unknownPart;
  }
}

function partsOf(node: ts.RegularExpressionLiteral): { source: string; flags: string } {
  const end = node.text.lastIndexOf("/");
  return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
}

/** Replaces the unknown name of a property, such as that of a script, by one that exists. */
function withProperty(pattern: string): string {
  return pattern.replaceAll(`\\p{${unknownPart}}`, "\\p{L}");
}

function expressionsOf(source: SourceFile): Expression[] {
  const expressions: Expression[] = [];
  const add = (node: ts.Node, pattern: string, flags: string): void => {
    const line = source.tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    expressions.push({ file: source.file, line, regex: new RegExp(withProperty(pattern), flags) });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const parts = partsOf(node);
      add(node, parts.source, parts.flags);
    }
    const isConstructor =
      (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === "RegExp";
    const pattern = isConstructor ? node.arguments?.[0] : undefined;
    if (pattern !== undefined) {
      const flags = (node as ts.NewExpression).arguments?.[1];
      const text = source.textOf(pattern);
      if (text !== unknownPart) add(node, text, flags && ts.isStringLiteralLike(flags) ? flags.text : "");
    }
    ts.forEachChild(node, visit);
  };
  visit(source.tree);
  return expressions;
}
