// Detects syntax that the parser accepts and TypeScript rejects. Each check is narrow on purpose: anything unusual is left
// to the complete reader.
import type { Decorator, PropertyKey, Span, Statement } from "oxc-parser";
import type { ReadContext } from "./positions.ts";

const keywords: Readonly<Record<string, string>> = {
  TSInterfaceDeclaration: "interface",
  ClassDeclaration: "class",
  TSTypeAliasDeclaration: "type",
  TSEnumDeclaration: "enum",
  FunctionDeclaration: "function\\b *\\*?",
  TSDeclareFunction: "function",
  TSModuleDeclaration: "(?:namespace|module)?",
  VariableDeclaration: "(?:const|let|var|(?:await )?using)",
};

/**
 * Checks that the text before a declaration's name consists of modifiers and the keyword on one line. TypeScript allows no
 * line breaks after them, and decorators only on classes.
 */
export function checkHeader(context: ReadContext, statement: Statement, node: Statement): void {
  const keyword = keywords[node.type];
  const name = nameOf(node);
  if (keyword === undefined) return;
  if (!name && statement.type !== "ExportDefaultDeclaration") context.unsettled("a declaration without a name");
  const header = context.text.slice(afterDecorators(statement.start, node), name?.start ?? bodyOf(node));
  const expected = `^\\s*(?:(?:export|default|declare|abstract|async|const) +)*${keyword} *$`;
  if (!new RegExp(expected).test(header)) context.unsettled("an unusual declaration");
  const heritage = node.type === "ClassDeclaration" ? context.text.slice(name?.end ?? node.start, node.body.start) : "";
  if (/\b(?:extends|implements|,)\s*(?:implements|export)\b/.test(heritage)) context.unsettled("an unusual class");
}

function nameOf(node: Statement): Span | null | undefined {
  if (node.type === "VariableDeclaration") return node.declarations[0];
  return "id" in node ? node.id : undefined;
}

/** Returns the end of the header of a class or function without a name. */
function bodyOf(node: Statement): number {
  return node.type === "ClassDeclaration" && !node.superClass && !node.implements?.length
    ? node.body.start
    : node.start;
}

function afterDecorators(start: number, node: object): number {
  const decorators = (node as { decorators?: readonly Decorator[] }).decorators ?? [];
  return Math.max(start, decorators.at(-1)?.end ?? 0);
}

const memberPrefix =
  /^\s*(?:(?:public|private|protected|static|abstract|override|readonly|declare|accessor|async|get|set) +)*(?:\* *)?(?:\[ *)?$/;
const modifierName =
  /^(?:public|private|protected|static|abstract|override|readonly|declare|accessor|async|get|set|export|default|const|in|out)$/;

/** The text between a name and the `!` of a definite assignment. */
const definiteMark = /^(?:\s|\]|\/\/.*(?=[\n\r\u2028\u2029]|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*!/;

/**
 * Checks that the text before a member's name consists of modifiers on one line. The `!` of a definite assignment must be on
 * the line of the name. A name that may be a modifier must have a type.
 */
export function checkMember(
  context: ReadContext,
  node: Span & { decorators?: readonly Decorator[] },
  key: PropertyKey,
  typed: boolean,
): void {
  const prefix = context.text.slice(afterDecorators(node.start, node), key.start);
  if (!memberPrefix.test(prefix) || /\breadonly +(?:get|set) /.test(prefix)) context.unsettled("an unusual member");
  const [mark = ""] = definiteMark.exec(context.text.slice(key.end, node.end)) ?? [];
  if (/[\n\r\u2028\u2029]/.test(mark)) context.unsettled("an unusual member");
  if (!typed && key.type === "Identifier" && modifierName.test(key.name)) {
    context.unsettled("a member named like a modifier");
  }
}

/** The last four aren't reserved words, but begin a type. */
const reserved = new Set(
  (
    "break case catch class const continue debugger default delete do else enum export extends false finally for " +
    "function if import in instanceof new null return super switch this throw true try typeof var void while with " +
    "asserts infer keyof unique"
  ).split(" "),
);

/** Checks that no type, index key or tuple element has a reserved word as its name. */
export function checkWords(context: ReadContext, node: unknown, parent = ""): void {
  if (Array.isArray(node)) {
    for (const each of node) checkWords(context, each, parent);
    return;
  }
  if (typeof node !== "object" || node === null || !("type" in node)) return;
  const type = String(node.type);
  const name = wordIn(type, node as WordHolder);
  // In `as const`, `const` only looks like a type.
  const isConst = name === "const" && /^TS(As|Satisfies|TypeAssertion)/.test(parent);
  if (reserved.has(name) && !isConst) context.unsettled(`the name ${name}`);
  if (unusualExpression(type, node as ExpressionParts)) context.unsettled("an unusual expression");
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === "object" && !(key === "key" && isField(node))) checkWords(context, value, type);
  }
}

/** Returns whether a node is a field with a plain name, which may be any word. */
function isField(node: object): boolean {
  const { type, computed, key } = node as { type: string; computed?: boolean; key?: { type: string } };
  return /^(TSPropertySignature|PropertyDefinition)$/.test(type) && !computed && key?.type === "Identifier";
}

interface ExpressionParts {
  readonly raw?: unknown;
  readonly name?: unknown;
  readonly operator?: string;
  readonly left?: { readonly operator?: string };
  readonly optional?: boolean;
  readonly property?: { readonly type: string };
}

/**
 * Returns whether an expression is unusual: an octal number, a variable `await` or `interface`, `a?.#b`, or `a < b > c`. The
 * last one may be meant as type arguments.
 */
function unusualExpression(type: string, { raw, name, operator, left, optional, property }: ExpressionParts): boolean {
  if (type === "Identifier") return name === "await" || name === "interface";
  if (type === "Literal") return /^0\d/.test(String(raw));
  if (type === "BinaryExpression") return operator === ">" && left?.operator === "<";
  return optional === true && property?.type === "PrivateIdentifier";
}

interface WordHolder {
  readonly label?: unknown;
  readonly typeName?: unknown;
  readonly parameterName?: unknown;
  readonly parameters?: readonly unknown[];
}

function wordIn(type: string, node: WordHolder): string {
  if (type === "TSTypeReference") return firstName(node.typeName);
  if (type === "TSNamedTupleMember") return firstName(node.label);
  if (type === "TSTypePredicate") return firstName(node.parameterName);
  return type === "TSIndexSignature" ? firstName(node.parameters?.[0]) : "";
}

function firstName(node: unknown): string {
  const { name, left } = (node ?? {}) as { name?: unknown; left?: unknown };
  return left === undefined ? String(name ?? "") : firstName(left);
}

/** Checks that there is nothing between the types and the strings of a template. */
export function checkTemplate(context: ReadContext, texts: readonly Span[], types: readonly Span[]): void {
  const inPlace = types.every((type, index) => {
    const before = context.text.slice(texts[index]?.end, type.start);
    return `${before}${context.text.slice(type.end, texts[index + 1]?.start)}`.trim() === "";
  });
  if (!inPlace || texts.length !== types.length + 1) context.unsettled("an unusual template");
}
