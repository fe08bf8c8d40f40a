import type { Argument, ArrayExpressionElement, CallExpression, Expression, ObjectExpression } from "oxc-parser";
import type { ConstValue } from "../model.ts";
import { targetOf } from "../names.ts";
import { positionOf } from "./positions.ts";
import type { TypeScope } from "./scope.ts";

/** Reads the constant parts of an expression. */
export function readConstant(scope: TypeScope, node: Expression | Argument | ArrayExpressionElement): ConstValue {
  switch (node?.type) {
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "ParenthesizedExpression":
    case "ChainExpression":
      return readConstant(scope, node.expression);
    case "Literal": {
      const { value } = node;
      const plain = value === null ? node.raw === "null" : ["string", "number", "boolean"].includes(typeof value);
      return plain ? { kind: "literal", value: value as string | number | boolean | null } : { kind: "unknown" };
    }
    case "TemplateLiteral": {
      const text = node.expressions.length === 0 ? node.quasis[0]?.value.cooked : undefined;
      return typeof text === "string" ? { kind: "literal", value: text } : { kind: "unknown" };
    }
    case "UnaryExpression": {
      const inner = node.operator === "-" ? readConstant(scope, node.argument) : undefined;
      if (inner?.kind !== "literal" || typeof inner.value !== "number") return { kind: "unknown" };
      return { kind: "literal", value: -inner.value };
    }
    case "ArrayExpression":
      return { kind: "array", elements: node.elements.map((element) => readConstant(scope, element)) };
    case "ObjectExpression":
      return { kind: "object", properties: readProperties(scope, node) };
    case "Identifier":
      return { kind: "reference", target: nameTarget(scope, node.name) };
    case "CallExpression":
      return readCall(scope, node);
    default:
      return { kind: "unknown" };
  }
}

function nameTarget(scope: TypeScope, name: string) {
  return targetOf(scope.path, scope.names, { parts: [name], text: name }, new Set());
}

function readProperties(scope: TypeScope, node: ObjectExpression): { name: string; value: ConstValue }[] {
  return node.properties.flatMap((property) => {
    if (property.type !== "Property" || property.kind !== "init") return [];
    if (property.method || property.shorthand || property.computed) return [];
    const { key } = property;
    const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? key.value : undefined;
    if (typeof name !== "string" && typeof name !== "number") return [];
    return [{ name: String(name), value: readConstant(scope, property.value) }];
  });
}

function readCall(scope: TypeScope, node: CallExpression): ConstValue {
  if (node.callee.type !== "Identifier") return { kind: "unknown" };
  return {
    kind: "call",
    callee: nameTarget(scope, node.callee.name),
    args: node.arguments.map((argument) => readConstant(scope, argument)),
    at: positionOf(scope, node.start),
  };
}
