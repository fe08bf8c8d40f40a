import type {
  Expression,
  Span,
  TSImportType,
  TSLiteral,
  TSMappedType,
  TSTupleElement,
  TSType,
  TSTypeName,
  TSTypeParameterInstantiation,
} from "oxc-parser";
import type { KeywordName, Position, TypeExpr } from "../model.ts";
import { targetOf } from "../names.ts";
import { type TupleElement, tupleOf } from "../tuple.ts";
import { readMembers } from "./members.ts";
import { entityName } from "./names.ts";
import { positionOf, textOf } from "./positions.ts";
import { type TypeScope, withParameters } from "./scope.ts";
import { checkTemplate } from "./strict.ts";

const keywords: Readonly<Record<string, KeywordName>> = {
  TSStringKeyword: "string",
  TSNumberKeyword: "number",
  TSBooleanKeyword: "boolean",
  TSAnyKeyword: "any",
  TSUnknownKeyword: "unknown",
  TSObjectKeyword: "object",
  TSUndefinedKeyword: "undefined",
  TSNeverKeyword: "never",
  TSVoidKeyword: "void",
  TSBigIntKeyword: "bigint",
  TSSymbolKeyword: "symbol",
};

/** Reads a type expression. */
export function readType(scope: TypeScope, node: TSType): TypeExpr {
  return Object.freeze(convert(scope, node));
}

function convert(scope: TypeScope, node: TSType): TypeExpr {
  const at = positionOf(scope, node.start);
  const keyword = keywords[node.type];
  if (keyword) return { kind: "keyword", name: keyword, at };
  const read = (type: TSType) => readType(scope, type);
  switch (node.type) {
    case "TSParenthesizedType":
      return convert(scope, node.typeAnnotation);
    case "TSNullKeyword":
      return { kind: "literal", value: null, at };
    case "TSLiteralType":
      return literal(scope, node.literal, node, at);
    case "TSArrayType":
      return { kind: "array", element: read(node.elementType), at };
    case "TSTypeOperator":
      if (node.operator === "readonly") return convert(scope, node.typeAnnotation);
      if (node.operator === "keyof") return { kind: "keyof", type: read(node.typeAnnotation), at };
      return other(scope, node);
    case "TSTupleType":
      return tupleOf(
        node.elementTypes.map((element) => tupleElement(scope, element)),
        at,
      );
    case "TSUnionType":
      return { kind: "union", types: node.types.map(read), at };
    case "TSIntersectionType":
      return { kind: "intersection", types: node.types.map(read), at };
    case "TSTypeReference":
      return reference(scope, node.typeName, node.typeArguments, node);
    case "TSTypeLiteral":
      return { kind: "object", ...readMembers(scope, node.members, readType), at };
    case "TSIndexedAccessType":
      return { kind: "indexed", object: read(node.objectType), index: read(node.indexType), at };
    case "TSTypeQuery": {
      if (node.exprName.type === "TSImportType") return other(scope, node);
      const name = entityName(scope, node.exprName);
      return { kind: "typeof", text: name.text, target: targetOf(scope.path, scope.names, name, new Set()), at };
    }
    case "TSMappedType":
      return mapped(scope, node);
    case "TSTemplateLiteralType":
      checkTemplate(scope, node.quasis, node.types);
      return {
        kind: "template",
        texts: node.quasis.map(({ value }) => value.cooked ?? value.raw),
        types: node.types.map(read),
        at,
      };
    case "TSImportType":
      return importType(scope, node);
    case "TSFunctionType":
    case "TSConstructorType":
      return other(scope, node, "function");
    case "TSConditionalType":
      return other(scope, node, "conditional");
    case "TSThisType":
    case "TSInferType":
    case "TSIntrinsicKeyword":
      return other(scope, node);
    default:
      scope.unsettled(node.type);
      return other(scope, node);
  }
}

function literal(scope: TypeScope, value: TSLiteral, node: Span, at: Position): TypeExpr {
  if (value.type === "TemplateLiteral") {
    const text = value.expressions.length === 0 ? value.quasis[0]?.value.cooked : undefined;
    return typeof text === "string" ? { kind: "literal", value: text, at } : other(scope, node);
  }
  if (value.type === "UnaryExpression") {
    const operand = value.argument;
    if (operand.type !== "Literal" || typeof operand.value !== "number") return other(scope, node);
    return { kind: "literal", value: (value.operator === "-" ? -1 : 1) * operand.value, at };
  }
  const constant = value.value;
  if (typeof constant === "string" || typeof constant === "number" || typeof constant === "boolean") {
    return { kind: "literal", value: constant, at };
  }
  return other(scope, node);
}

function tupleElement(scope: TypeScope, node: TSTupleElement): TupleElement {
  if (node.type === "TSNamedTupleMember") {
    const inner = tupleElement(scope, node.elementType);
    return node.optional ? { ...inner, mode: "optional" } : inner;
  }
  if (node.type === "TSOptionalType") return { type: readType(scope, node.typeAnnotation), mode: "optional" };
  if (node.type !== "TSRestType") return { type: readType(scope, node), mode: "required" };
  const { typeAnnotation } = node;
  const type = typeAnnotation.type === "TSNamedTupleMember" ? typeAnnotation.elementType : typeAnnotation;
  if (type.type === "TSArrayType") return { type: readType(scope, type.elementType), mode: "rest" };
  return { type: Object.freeze(other(scope, node)), mode: "required" };
}

function reference(
  scope: TypeScope,
  name: TSTypeName,
  args: TSTypeParameterInstantiation | null | undefined,
  node: Span,
): TypeExpr {
  const entity = entityName(scope, name);
  return {
    kind: "ref",
    text: entity.text,
    target: targetOf(scope.path, scope.names, entity, scope.parameters),
    args: readArguments(scope, args),
    at: positionOf(scope, node.start),
  };
}

function readArguments(scope: TypeScope, args: TSTypeParameterInstantiation | null | undefined): TypeExpr[] {
  return (args?.params ?? []).map((arg) => readType(scope, arg));
}

/** Reads a clause such as `extends core.Base<T>`, which is an expression for the parser. */
export function readHeritage(
  scope: TypeScope,
  expression: Expression,
  args: TSTypeParameterInstantiation | null | undefined,
): TypeExpr {
  const node = { start: expression.start, end: args?.end ?? expression.end };
  const read = readArguments(scope, args);
  if (expression.type === "ChainExpression") scope.unsettled(expression.type);
  const parts = accessedNames(expression);
  if (!parts) return Object.freeze(other(scope, node));
  const text = textOf(scope, expression);
  return Object.freeze<TypeExpr>({
    kind: "ref",
    text,
    target: targetOf(scope.path, scope.names, { parts, text }, scope.parameters),
    args: read,
    at: positionOf(scope, node.start),
  });
}

function accessedNames(node: Expression): string[] | undefined {
  if (node.type === "Identifier") return [node.name];
  if (node.type !== "MemberExpression" || node.computed || node.optional) return undefined;
  const before = node.property.type === "Identifier" ? accessedNames(node.object) : undefined;
  return before && [...before, (node.property as { name: string }).name];
}

function mapped(scope: TypeScope, node: TSMappedType): TypeExpr {
  if (!node.typeAnnotation) return other(scope, node);
  const parameter = node.key.name;
  const inner = withParameters(scope, [parameter]);
  return {
    kind: "mapped",
    parameter,
    constraint: readType(scope, node.constraint),
    ...(node.nameType ? { name: readType(inner, node.nameType) } : {}),
    type: readType(inner, node.typeAnnotation),
    ...(node.optional ? { optional: node.optional === "-" ? ("-" as const) : ("+" as const) } : {}),
    at: positionOf(scope, node.start),
  };
}

function importType(scope: TypeScope, node: TSImportType): TypeExpr {
  if (!node.qualifier) return other(scope, node);
  const name = textOf(scope, node.qualifier).replace(/\s/g, "");
  return {
    kind: "ref",
    text: textOf(scope, node),
    target: { kind: "import", file: scope.path, specifier: node.source.value, name },
    args: readArguments(scope, node.typeArguments),
    at: positionOf(scope, node.start),
  };
}

function other(scope: TypeScope, node: Span, syntax = "other"): TypeExpr {
  return { kind: "other", syntax, text: textOf(scope, node), at: positionOf(scope, node.start) };
}
