import { ts } from "ts-morph";
import { byBytes } from "../../../text/byte-order.ts";
import type { Member, Position, Target, TupleMode, TypeExpr } from "../model.ts";
import type { Checked } from "../reader.ts";
import { tupleOf } from "../tuple.ts";
import type { ConvertContext } from "./check-context.ts";
import { memberOf } from "./member-origin.ts";
import { runtimeSpecifier } from "./program.ts";
import { isLibraryFile } from "./project.ts";
import type { Tagged } from "./tags.ts";

/** Thrown for a type that can't be converted; caught where the conversion began. */
class ConversionError extends Error {}

const deepest = 40;

/** Maximum number of expressions in one result: a CRD that the API server accepts can't contain more. */
const largest = 100_000;

/** Converts the checker's result to an expression. Named types remain names; types without a name are written out. */
export function convertType(given: Omit<ConvertContext, "count">, type: ts.Type): Checked {
  let left = largest;
  const count = () => {
    if (left-- <= 0) throw new ConversionError("it is too large");
  };
  try {
    return { expr: convert({ ...given, count }, type, [], true) };
  } catch (error) {
    if (error instanceof ConversionError) return { problem: error.message };
    throw error;
  }
}

function convert(context: ConvertContext, type: ts.Type, open: readonly ts.Type[], top = false): TypeExpr {
  const { at, tags } = context;
  const { TypeFlags } = ts;
  context.count();
  const is = (flags: ts.TypeFlags) => (type.flags & flags) !== 0;
  if ((type as { intrinsicName?: string }).intrinsicName === "error")
    throw new ConversionError("it refers to an unknown type");
  const tag = tagOf(context, type);
  if (tag) return tagged(context, tag);
  const keyword = keywordOf(type.flags);
  if (keyword) return { kind: "keyword", name: keyword, at };
  if (is(TypeFlags.Null)) return { kind: "literal", value: null, at };
  if (is(TypeFlags.BooleanLiteral)) {
    return { kind: "literal", value: (type as { intrinsicName?: string }).intrinsicName === "true", at };
  }
  const alias = top ? undefined : aliasOf(context, type, open);
  if (alias) return alias;
  if (type.isStringLiteral()) {
    // A template over a tagged alias: `${Name}-x`.
    return tags.byValue(type.value)
      ? { kind: "keyword", name: "string", at }
      : { kind: "literal", value: type.value, at };
  }
  if (type.isNumberLiteral()) return { kind: "literal", value: type.value, at };
  if (is(TypeFlags.TemplateLiteral | TypeFlags.StringMapping)) return { kind: "keyword", name: "string", at };
  if (is(TypeFlags.Enum)) return named(context, type.symbol, [], open);
  if (type.isUnion()) return union(context, type, open);
  if (open.includes(type)) return { kind: "other", syntax: "recursion", text: shown(context, type), at };
  if (open.length > deepest) throw new ConversionError("it is infinitely recursive");
  const inner = [...open, type];
  if (type.isIntersection()) return intersection(context, type, inner);
  if (is(TypeFlags.Object)) return object(context, type as ts.ObjectType, inner);
  throw new ConversionError(`it results in ${shown(context, type)}`);
}

/** Formats a type as TypeScript would show it. */
function shown({ checker, tags }: ConvertContext, type: ts.Type): string {
  return checker.typeToString(type).replace(/\$[\w$]+/g, (name) => tags.byName(name)?.name ?? name);
}

function keywordOf(flags: ts.TypeFlags) {
  const { TypeFlags } = ts;
  if (flags & TypeFlags.Any) return "any";
  if (flags & TypeFlags.Unknown) return "unknown";
  if (flags & TypeFlags.String) return "string";
  if (flags & TypeFlags.Number) return "number";
  if (flags & TypeFlags.Boolean) return "boolean";
  if (flags & TypeFlags.BigIntLike) return "bigint";
  if (flags & TypeFlags.ESSymbolLike) return "symbol";
  if (flags & TypeFlags.Undefined) return "undefined";
  if (flags & TypeFlags.Void) return "void";
  if (flags & TypeFlags.Never) return "never";
  return flags & TypeFlags.NonPrimitive ? "object" : undefined;
}

function tagOf({ tags }: ConvertContext, type: ts.Type): Tagged | undefined {
  if ((type.flags & ts.TypeFlags.EnumLike) === 0 || !type.symbol) return undefined;
  const own = tags.byName(type.symbol.name);
  if (own) return own;
  // For an enum with one member, the checker uses the type of that member.
  const parent = (type.symbol as ts.Symbol & { parent?: ts.Symbol }).parent;
  return parent && tags.byName(parent.name);
}

function tagged({ at }: ConvertContext, { name, file, specifier }: Tagged): TypeExpr {
  const target: Target =
    file === undefined
      ? { kind: "import", file: at.file, specifier: specifier ?? "", name }
      : { kind: "local", file, name };
  return { kind: "ref", text: name, target, args: [], at };
}

/** Returns the name under which a union or an object is declared. Names that exist only in questions are ignored. */
function aliasOf(context: ConvertContext, type: ts.Type, open: readonly ts.Type[]): TypeExpr | undefined {
  const symbol = type.aliasSymbol;
  if (!symbol || /^\$[qx]\d*/.test(symbol.name)) return undefined;
  const parent = symbol.declarations?.[0]?.parent;
  const topLevel = parent && ts.isSourceFile(parent);
  return topLevel ? named(context, symbol, type.aliasTypeArguments ?? [], open) : undefined;
}

function named(
  context: ConvertContext,
  symbol: ts.Symbol,
  args: readonly ts.Type[],
  open: readonly ts.Type[],
): TypeExpr {
  const { at } = context;
  if (open.length > deepest) throw new ConversionError("it is infinitely recursive");
  const target = targetOf(context, symbol);
  const converted = args.map((arg) => convert(context, arg, open));
  return { kind: "ref", text: target.name, target, args: converted, at };
}

function targetOf({ at }: ConvertContext, symbol: ts.Symbol): Target & { name: string } {
  const declaration = symbol.declarations?.[0];
  const path = declaration?.getSourceFile().fileName ?? "";
  if (isLibraryFile(path)) return { kind: "global", name: symbol.name };
  const specifier = runtimeSpecifier(path);
  if (specifier !== undefined) return { kind: "import", file: at.file, specifier, name: symbol.name };
  const names = [symbol.name];
  for (let node = declaration?.parent; node; node = node.parent) {
    if (!ts.isModuleDeclaration(node)) continue;
    // Declarations in `declare module "…"` belong to that module.
    if (ts.isStringLiteral(node.name)) {
      return { kind: "import", file: path, specifier: node.name.text, name: names.join(".") };
    }
    names.unshift(node.name.text);
  }
  return { kind: "local", file: path, name: names.join(".") };
}

/** Returns whether several files declare parts of a type in `declare global`: then its name isn't complete in any of them. */
function isScattered(symbol: ts.Symbol): boolean {
  const { GlobalAugmentation } = ts.NodeFlags;
  const files = (symbol.declarations ?? []).flatMap((node) =>
    node.parent?.parent && node.parent.parent.flags & GlobalAugmentation ? [node.getSourceFile()] : [],
  );
  return new Set(files).size > 1;
}

function union(context: ConvertContext, type: ts.UnionType, open: readonly ts.Type[]): TypeExpr {
  const { at } = context;
  // A user's enum is a union as a whole; its single members are literals.
  if (type.flags & ts.TypeFlags.EnumLiteral && type.symbol) return named(context, type.symbol, [], open);
  const parts = new Map<string, TypeExpr>();
  for (const member of type.types) {
    const part = convert(context, member, open);
    parts.set(
      part.kind === "ref" ? JSON.stringify([part.target, part.args]) : JSON.stringify([part, parts.size]),
      part,
    );
  }
  return { kind: "union", types: withBoolean([...parts.values()].sort(inOrder), at), at };
}

/** Orders literals by value, because the checker doesn't keep the order in which they are written. */
function inOrder(a: TypeExpr, b: TypeExpr): number {
  if (a.kind !== "literal" || b.kind !== "literal") return 0;
  if (typeof a.value === "string" && typeof b.value === "string") return byBytes(a.value, b.value);
  return typeof a.value === "number" && typeof b.value === "number" ? a.value - b.value : 0;
}

function withBoolean(types: readonly TypeExpr[], at: Position): TypeExpr[] {
  const isBoolean = (type: TypeExpr) => type.kind === "literal" && typeof type.value === "boolean";
  if (types.filter(isBoolean).length < 2) return [...types];
  return [...types.filter((type) => !isBoolean(type)), { kind: "keyword", name: "boolean", at }];
}

function intersection(context: ConvertContext, type: ts.IntersectionType, open: readonly ts.Type[]): TypeExpr {
  // The brand in `string & { readonly brand: … }` exists only for the compiler; the value is a string.
  const { StringLike, NumberLike, BooleanLike, BigIntLike, EnumLike } = ts.TypeFlags;
  const scalar = type.types.find(
    (each) => each.flags & (StringLike | NumberLike | BooleanLike | BigIntLike | EnumLike),
  );
  return scalar ? convert(context, scalar, open) : members(context, type, open);
}

function object(context: ConvertContext, type: ts.ObjectType, open: readonly ts.Type[]): TypeExpr {
  const { checker, at } = context;
  const lists = checker as ts.TypeChecker & {
    isArrayType(type: ts.Type): boolean;
    isTupleType(type: ts.Type): boolean;
  };
  if (lists.isTupleType(type)) return tuple(context, type as ts.TupleTypeReference, open);
  const args = () => checker.getTypeArguments(type as ts.TypeReference);
  if (lists.isArrayType(type)) {
    const [element] = args();
    if (element) return { kind: "array", element: convert(context, element, open), at };
  }
  const target = (type as ts.TypeReference).target as ts.InterfaceType | undefined;
  const isNamed = ((target ?? type).objectFlags & ts.ObjectFlags.ClassOrInterface) !== 0;
  if (isNamed && type.symbol.name !== "__class" && !isScattered(type.symbol)) {
    const parameters = target?.typeParameters?.length ?? 0;
    return named(context, type.symbol, target ? args().slice(0, parameters) : [], open);
  }
  if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0) {
    return { kind: "other", syntax: "function", text: shown(context, type), at };
  }
  return members(context, type, open);
}

function tuple(context: ConvertContext, type: ts.TupleTypeReference, open: readonly ts.Type[]): TypeExpr {
  const { checker, at } = context;
  const flags = type.target.elementFlags;
  const elements = checker.getTypeArguments(type).map((typeArgument) => convert(context, typeArgument, open));
  const { ElementFlags } = ts;
  const modeOf = (flag: ts.ElementFlags | undefined): TupleMode =>
    flag === ElementFlags.Required ? "required" : flag === ElementFlags.Optional ? "optional" : "rest";
  return tupleOf(
    elements.map((type, index) => ({ type, mode: modeOf(flags[index]) })),
    at,
  );
}

function members(context: ConvertContext, type: ts.Type, open: readonly ts.Type[]): TypeExpr {
  const { checker, at } = context;
  const [index] = checker.getIndexInfosOfType(type);
  const mapped = ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped) !== 0;
  const list = checker.getPropertiesOfType(type).flatMap((symbol): Member[] => {
    const value = checker.getTypeOfSymbol(symbol);
    if (symbol.name.startsWith("__@") || isClassMethod(symbol)) return [];
    const optional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
    const type = optional ? withoutUndefined(context, value, open) : convert(context, value, open);
    return [memberOf(context, { symbol, value, type, optional, mapped })];
  });
  const tag = list.length === 1 ? context.tags.byValue(list[0]?.name ?? "") : undefined;
  if (tag && list[0]?.type) {
    return {
      kind: "object",
      members: [],
      index: { key: tagged(context, tag), value: list[0].type },
      checked: true,
      at,
    };
  }
  const key = index && convert(context, index.keyType, open);
  return {
    kind: "object",
    members: list,
    ...(index && key ? { index: { key, value: convert(context, index.type, open) } } : {}),
    checked: true,
    at,
  };
}

/** Returns whether a symbol is a method of a class, which isn't part of the data. */
function isClassMethod(symbol: ts.Symbol): boolean {
  if ((symbol.flags & ts.SymbolFlags.Method) === 0) return false;
  return symbol.declarations?.some(({ parent }) => ts.isClassLike(parent)) === true;
}

/** Converts the type of an optional property: for the checker, `a?: T` is `T | undefined`. */
function withoutUndefined(context: ConvertContext, type: ts.Type, open: readonly ts.Type[]): TypeExpr {
  const converted = convert(context, type, open);
  if (converted.kind !== "union") return converted;
  const types = converted.types.filter((typeExpr) => !(typeExpr.kind === "keyword" && typeExpr.name === "undefined"));
  const [only] = types;
  return types.length === 1 && only ? only : { ...converted, types };
}
