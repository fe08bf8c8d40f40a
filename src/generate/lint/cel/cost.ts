// Estimates the maximum cost of a rule as the API server does. If it isn't certain how the server counts, the lower estimate
// is used: a rule that the API server accepts is never over budget here.

import { type CelFunction, functions, methods } from "./cost-functions.ts";
import type { DeclType } from "./decl-type.ts";
import type { CelNode } from "./parse.ts";
import { type CelValue, computed, partOf, times, traversal, unclear } from "./value.ts";

type Scope = ReadonlyMap<string, CelValue>;

/**
 * Estimates the cost of evaluating an expression once.
 *
 * @param self the type of the value that the rule validates
 * @param oldIsOptional whether `oldSelf` is an optional value
 * @returns units of cost, never more than the API server counts; Infinity if the server can't bound the cost
 */
export function estimateCost(ast: CelNode, self: DeclType, oldIsOptional: boolean): number {
  const value: CelValue = { cost: 1, size: self.max, type: self, below: "declared" };
  const scope = new Map([
    ["self", value],
    ["oldSelf", oldIsOptional ? unclear(1) : value],
    // The API server treats the name of a type as one more name of the value itself.
    ["", value],
  ]);
  return visit(ast, scope).cost;
}

function visit(node: CelNode, scope: Scope): CelValue {
  switch (node.op) {
    case "value":
      return literal(node.args);
    case "id":
      return scope.get(node.args as string) ?? { ...unclear(1), size: scope.get("")!.size };
    case ".":
      return select(node.args as [CelNode, string], scope);
    case "[]":
      return index(node.args as [CelNode, CelNode], scope);
    case ".?":
      return unclear(1 + visit((node.args as [CelNode, string])[0], scope).cost);
    case "?:":
      return conditional((node.args as CelNode[]).map((arg) => visit(arg, scope)) as never);
    case "list": {
      const elements = (node.args as CelNode[]).map((arg) => visit(arg, scope));
      return computed(10 + costOf(elements), "list", elements.length);
    }
    case "map": {
      const entries = node.args as CelNode[][];
      return computed(30 + costOf(entries.flat().map((arg) => visit(arg, scope))), "map", entries.length);
    }
    case "call":
      return call(node.args as [string, CelNode[]], scope);
    case "rcall":
      return methodCall(node.args as [string, CelNode, CelNode[]], scope);
    case "!_":
    case "-_": {
      const operand = node.args as CelNode;
      const value = visit(operand, scope);
      return operand.op === "value" ? value : computed(1 + value.cost, node.op === "!_" ? "bool" : "int", 1);
    }
    default: {
      const args = Array.isArray(node.args) ? (node.args as unknown[]).filter(isNode) : [];
      const [left, right] = args.map((arg) => visit(arg, scope));
      return left && right ? binary(node.op, left, right) : unclear(left?.cost ?? 0);
    }
  }
}

function literal(value: unknown): CelValue {
  if (typeof value === "string") return computed(0, "string", [...value].length);
  if (value instanceof Uint8Array) return computed(0, "bytes", value.length);
  if (typeof value === "bigint") return computed(0, "int", 1);
  if (typeof value === "number") return computed(0, "double", 1);
  return typeof value === "boolean" ? computed(0, "bool", 1) : { ...unclear(0), size: 1 };
}

function select([operand, name]: [CelNode, string], scope: Scope): CelValue {
  const whole = visit(operand, scope);
  const { kind, fields, element } = whole.type ?? {};
  // The estimator treats a map as having values but no fields.
  if (kind === "map") return partOf(whole, whole.cost + 1, element, false);
  return kind === "object" ? partOf(whole, whole.cost + 1, fields?.get(name)) : unclear(whole.cost);
}

function index([operand, key]: [CelNode, CelNode], scope: Scope): CelValue {
  const whole = visit(operand, scope);
  return partOf(whole, 1 + whole.cost + visit(key, scope).cost, whole.type?.element);
}

function conditional([condition, yes, no]: [CelValue, CelValue, CelValue]): CelValue {
  const cost = condition.cost + Math.max(yes.cost, no.cost);
  const size = Math.max(yes.size, no.size);
  return yes.type && yes.type.kind === no.type?.kind
    ? { ...computed(cost, yes.type.kind, size) }
    : { ...unclear(cost), size };
}

function binary(op: string, left: CelValue, right: CelValue): CelValue {
  const args = left.cost + right.cost;
  const kinds = [left.type?.kind, right.type?.kind];
  const smaller = traversal(Math.min(left.size, right.size));
  const isText = kinds.includes("string") || kinds.includes("bytes");
  const isNumber = kinds.includes("int") || kinds.includes("double");
  switch (op) {
    case "&&":
    case "||":
      return computed(args, "bool", 1);
    case "==":
    case "!=":
      return computed(args + smaller, "bool", 1);
    case "<":
    case "<=":
    case ">":
    case ">=":
      return computed(args + (isText ? smaller : isNumber ? 1 : 0), "bool", 1);
    case "in": {
      const inList = right.type?.kind === "list";
      return computed(args + (inList ? right.size : right.type?.kind === "map" ? 1 : 0), "bool", 1);
    }
    case "+": {
      const size = left.size + right.size;
      if (isText) return computed(args + traversal(size), kinds.includes("string") ? "string" : "bytes", size);
      if (kinds.includes("list")) return computed(args + 1, "list", size);
      return isNumber ? computed(args + 1, "int", 1) : unclear(args);
    }
    default:
      return unclear(args + (isNumber ? 1 : 0));
  }
}

function call([name, args]: [string, CelNode[]], scope: Scope): CelValue {
  const [first] = args;
  if (name === "has" && first?.op === ".") {
    return computed(visit((first.args as [CelNode, string])[0], scope).cost, "bool", 1);
  }
  return apply(
    functions.get(name),
    undefined,
    args.map((arg) => visit(arg, scope)),
  );
}

function methodCall([name, receiver, args]: [string, CelNode, CelNode[]], scope: Scope): CelValue {
  if (receiver.op === "id" && !scope.has(receiver.args as string)) {
    if (receiver.args === "cel" && name === "bind" && args.length === 3) return bind(args as never, scope);
    return apply(
      functions.get(`${String(receiver.args)}.${name}`),
      undefined,
      args.map((arg) => visit(arg, scope)),
    );
  }
  const target = visit(receiver, scope);
  const [variable] = args;
  if (variable?.op === "id" && loops.has(name) && args.length >= 2) {
    return loop(name, target, String(variable.args), args.slice(1), scope);
  }
  return apply(
    methods.get(name),
    target,
    args.map((arg) => visit(arg, scope)),
  );
}

function apply(known: CelFunction | undefined, target: CelValue | undefined, args: readonly CelValue[]): CelValue {
  const before = (target?.cost ?? 0) + costOf(args);
  const result = known?.(target ?? unclear(0), args);
  return result ? { ...result, cost: before + result.cost } : unclear(before);
}

function bind([name, value, body]: [CelNode, CelNode, CelNode], scope: Scope): CelValue {
  const bound = visit(value, scope);
  const result = visit(body, new Map(scope).set(String(name.args), { ...bound, cost: 1 }));
  return { ...result, cost: bound.cost + result.cost };
}

/** The cost of each iteration, without the user's expressions, and the cost of the whole macro. */
const loops = new Map([
  ["all", { each: 3, once: 1 }],
  ["exists", { each: 4, once: 1 }],
  ["exists_one", { each: 2, once: 2 }],
  ["existsOne", { each: 1, once: 0 }],
  ["filter", { each: 13, once: 11 }],
  ["map", { each: 12, once: 11 }],
  ["transformList", { each: 1, once: 10 }],
  ["transformMap", { each: 0, once: 30 }],
]);

function loop(name: string, target: CelValue, variable: string, rest: readonly CelNode[], scope: Scope): CelValue {
  const { each, once } = loops.get(name)!;
  const inner = new Map(scope);
  const element = partOf(target, 1, target.type?.element);
  const key: DeclType = { kind: "string", max: 0, least: 2 };
  const second = rest[0];
  const isTwo = rest.length > 1 && second?.op === "id" && name !== "map";
  if (isTwo) {
    inner.set(variable, unclear(1));
    inner.set(String(second.args), element);
  } else if (target.type?.kind === "map") inner.set(variable, partOf(target, 1, key));
  else inner.set(variable, target.type?.kind === "list" ? element : unclear(1));
  const body = costOf(rest.slice(isTwo ? 1 : 0).map((arg) => visit(arg, inner)));
  const cost = target.cost + once + times(target.size, each + body);
  if (name === "filter" && target.type?.kind === "list") return { ...target, cost, below: "unclear" };
  if (name === "filter" || name === "map") return computed(cost, "list", target.size);
  return each + once > 0 && !name.startsWith("transform") ? computed(cost, "bool", 1) : unclear(cost);
}

function costOf(values: readonly CelValue[]): number {
  return values.reduce((sum, { cost }) => sum + cost, 0);
}

function isNode(value: unknown): value is CelNode {
  return typeof value === "object" && value !== null && "op" in value;
}
