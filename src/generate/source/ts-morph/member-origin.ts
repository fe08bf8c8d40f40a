import { createWrappedNode, ts } from "ts-morph";
import type { Member, RawComment, TypeExpr } from "../model.ts";
import type { FileNames } from "../names.ts";
import type { ConvertContext, Origin } from "./check-context.ts";
import { collectNames } from "./names.ts";
import { leadingComments, parameterComments, positionOf, type ReadContext, startOf } from "./positions.ts";
import { runtimeSpecifier } from "./program.ts";
import { readType } from "./types.ts";

/** A property as the checker represents it. */
export interface CheckedProperty {
  readonly symbol: ts.Symbol;
  readonly value: ts.Type;
  /** `value` as an expression. */
  readonly type: TypeExpr;
  readonly optional: boolean;
  /** Whether it belongs to a mapped type, which may have changed its declared type. */
  readonly mapped: boolean;
}

/**
 * Converts a property of a type that the checker has resolved. It has the comments of its declaration. If its type is
 * unchanged, it also has the declared type, as written.
 */
export function memberOf(context: ConvertContext, { symbol, value, type, optional, mapped }: CheckedProperty): Member {
  const bare: Member = { name: symbol.name, optional, type, method: false, leading: [], at: context.at };
  const node = declarationsOf(symbol).find((declaration) => isProperty(declaration));
  if (!node) return bare;
  const source = node.getSourceFile();
  const core = runtimeMember(context, node, value);
  if (core) return { ...bare, type: core };
  const origin = context.origins.get(source);
  const asked = origin?.printed.members.get(node.getStart() - origin.start);
  const same = unchanged(context, node, value);
  const comments = (leading: Member["leading"]) => (same || !mapped ? leading : leading.map(withoutMarkers));
  if (asked) return { ...asked, optional, leading: comments(asked.leading), ...(same ? {} : { type }) };
  if (origin) {
    const moved = movedTo(origin, node);
    return moved ? { ...bare, leading: comments(moved.leading), at: moved.at } : bare;
  }
  const read = readContext(source);
  const commentsOf = ts.isParameter(node) ? parameterComments : leadingComments;
  const member = { ...bare, leading: comments(commentsOf(read, node.getFullStart())), at: startOf(read, node) };
  if (!node.type || !same) return member;
  const names = { ...namesOf(source), namespace: namespaceOf(node) };
  return { ...member, type: readType({ ...read, names, parameters: new Set() }, node.type) };
}

/**
 * Removes the markers from a comment: if the type of a property changes, its description still applies, but its markers may
 * not.
 */
function withoutMarkers(comment: RawComment): RawComment {
  if (comment.kind === "line") return /^\/\/\s*\+/.test(comment.text) ? { ...comment, text: "//" } : comment;
  return { ...comment, text: comment.text.replace(/^(\/\*\*|[ \t]*\*|[ \t]*(?=\+))[ \t]*\+.*?(\*\/)?$/gm, "$1$2") };
}

/**
 * Returns the declarations of a property. If a mapped type selects properties by a condition, the checker only keeps their
 * origin.
 */
function declarationsOf(symbol: ts.Symbol): readonly ts.Declaration[] {
  const origin = (symbol as { links?: { syntheticOrigin?: ts.Symbol } }).links?.syntheticOrigin;
  return symbol.declarations ?? (origin?.name === symbol.name ? origin.declarations : undefined) ?? [];
}

type Property = ts.PropertySignature | ts.PropertyDeclaration | ts.ParameterPropertyDeclaration;

function isProperty(node: ts.Declaration): node is Property {
  const { isPropertySignature, isPropertyDeclaration, isParameterPropertyDeclaration } = ts;
  return isPropertySignature(node) || isPropertyDeclaration(node) || isParameterPropertyDeclaration(node, node.parent);
}

function readContext(source: ts.SourceFile): ReadContext {
  return { file: source, path: source.fileName };
}

/** Returns whether a property has the type of its declaration, ignoring `undefined`, which `?` adds. */
function unchanged({ checker }: ConvertContext, node: Property, value: ts.Type): boolean {
  if (!node.type) return false;
  const written = checker.getTypeFromTypeNode(node.type);
  if (written === value) return true;
  const parts = (type: ts.Type) =>
    new Set((type.isUnion() ? type.types : [type]).filter((each) => !(each.flags & ts.TypeFlags.Undefined)));
  const [a, b] = [parts(written), parts(value)];
  return a.size === b.size && [...a].every((each) => b.has(each));
}

/**
 * Returns a property of a built-in API type as an expression such as `PodSpec["containers"]`: its schema contains more than
 * its type.
 */
function runtimeMember(context: ConvertContext, node: Property, value: ts.Type): TypeExpr | undefined {
  const { at } = context;
  const specifier = runtimeSpecifier(node.getSourceFile().fileName);
  const owner = node.parent;
  if (specifier === undefined || !ts.isInterfaceDeclaration(owner) || !unchanged(context, node, value))
    return undefined;
  const name = owner.name.text;
  const object: TypeExpr = {
    kind: "ref",
    text: name,
    target: { kind: "import", file: at.file, specifier, name },
    args: [],
    at,
  };
  return { kind: "indexed", object, index: { kind: "literal", value: (node.name as ts.Identifier).text, at }, at };
}

/** Returns the original position and comments of a property in unparsed text, which a question contains unchanged. */
function movedTo({ home, start, expr }: Origin, node: Property): Pick<Member, "leading" | "at"> | undefined {
  if (expr.kind !== "other") return undefined;
  const { line, column } = expr.at;
  // The question has the text in parentheses.
  const shift = ts.getPositionOfLineAndCharacter(home, line - 1, column - 1) - (start + 1);
  const read = readContext(home);
  // The comments at the original position.
  const leading = leadingComments(read, node.getFullStart() + shift);
  return { leading, at: positionOf(read, node.getStart() + shift) };
}

const namesByFile = new WeakMap<ts.SourceFile, FileNames>();

function namesOf(file: ts.SourceFile): FileNames {
  const names = namesByFile.get(file) ?? collectNames(createWrappedNode(file).getStatements());
  namesByFile.set(file, names);
  return names;
}

function namespaceOf(node: ts.Node): string {
  const names: string[] = [];
  for (let ancestor = node.parent; ancestor; ancestor = ancestor.parent)
    if (ts.isModuleDeclaration(ancestor)) names.unshift(ancestor.name.text);
  return names.join(".");
}
