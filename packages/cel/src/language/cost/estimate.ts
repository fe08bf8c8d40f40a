import type { CheckedExpression } from "../check/checker.ts";
import { dynType, type Type } from "../declarations/type.ts";
import type { Call, Comprehension, Expr } from "../syntax/ast.ts";
import { codePoints } from "../values/value.ts";
import { estimateLibraryCall } from "./library-estimate.ts";
import type { CallEstimate, SizedNode, SizeOfPath } from "./node.ts";
import { add, addSizes, fixed, type Range, scale, times, union, unknown } from "./range.ts";

/** The smallest and the largest cost of an expression. */
export type CostEstimate = Range;

interface EntrySize {
  list: boolean;
  key: Range;
  value: Range;
}

interface Local {
  path: readonly string[];
  size: Range | undefined;
  entry: EntrySize | undefined;
}

/**
 * Estimates the cost of an expression.
 *
 * @param checked - the expression
 * @param sizeOf - the sizes of data
 * @returns the estimate
 */
export function estimateCost(checked: CheckedExpression, sizeOf: SizeOfPath): CostEstimate {
  return new Estimator(checked, sizeOf).cost(checked.expr);
}

const scalars = new Set(["bool", "double", "duration", "int", "timestamp", "uint"]);
const compared = /^(less|greater|less_equals|greater_equals)_(string|bytes)$|^(not_)?equals$/;

class Estimator {
  readonly #checked: CheckedExpression;
  readonly #sizeOf: SizeOfPath;
  readonly #paths = new Map<number, readonly string[]>();
  readonly #sizes = new Map<number, Range>();
  readonly #entries = new Map<number, EntrySize>();
  readonly #locals = new Map<string, Local[]>();

  constructor(checked: CheckedExpression, sizeOf: SizeOfPath) {
    this.#checked = checked;
    this.#sizeOf = sizeOf;
  }

  cost(expr: Expr): Range {
    switch (expr.kind) {
      case "literal":
        return fixed(0);
      case "ident":
        this.#paths.set(expr.id, this.#local(expr.name)?.path ?? [expr.name]);
        return fixed(1);
      case "select": {
        const operand = this.cost(expr.operand);
        if (expr.test) return operand;
        const kind = this.#type(expr.operand).kind;
        this.#paths.set(expr.id, [...this.#path(expr.operand), expr.field]);
        return kind === "map" || kind === "struct" || kind === "param" ? add(operand, fixed(1)) : operand;
      }
      case "call":
        return this.#call(expr);
      case "list": {
        const sum = this.#sum(expr.elements);
        this.#entries.set(expr.id, { list: true, key: fixed(1), value: this.#joined(expr.elements) });
        return add(sum, fixed(10));
      }
      case "map": {
        const [keys, values] = [expr.entries.map(({ key }) => key), expr.entries.map(({ value }) => value)];
        const sum = this.#sum(expr.entries.flatMap(({ key, value }) => [key, value]));
        this.#entries.set(expr.id, { list: false, key: this.#joined(keys), value: this.#joined(values) });
        return add(sum, fixed(30));
      }
      case "struct":
        return add(this.#sum(expr.fields.map(({ value }) => value)), fixed(40));
      case "comprehension":
        return this.#isBinding(expr) ? this.#binding(expr) : this.#comprehension(expr);
    }
  }

  #sum(exprs: readonly Expr[]): Range {
    return exprs.reduce((sum, expr) => add(sum, this.cost(expr)), fixed(0));
  }

  #joined(exprs: readonly Expr[]): Range {
    if (exprs.length === 0) return fixed(0);
    return exprs.map((expr) => this.#size(expr) ?? unknown).reduce(union);
  }

  #type(expr: Expr): Type {
    return this.#checked.types[expr.id] ?? dynType;
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #push(name: string, local: Local): void {
    this.#locals.set(name, [...(this.#locals.get(name) ?? []), local]);
  }

  #pop(name: string): void {
    this.#locals.get(name)?.pop();
  }

  #path(expr: Expr): readonly string[] {
    const local = expr.kind === "ident" ? this.#local(expr.name) : undefined;
    return local?.path ?? this.#paths.get(expr.id) ?? [];
  }

  #size(expr: Expr): Range | undefined {
    const exact = this.#sizes.get(expr.id) ?? literalSize(expr);
    if (exact !== undefined) return exact;
    const path = this.#path(expr);
    const bound = path.length === 0 ? undefined : this.#sizeOf(path);
    if (bound !== undefined) {
      const size = { min: 0, max: bound };
      this.#sizes.set(expr.id, size);
      return size;
    }
    if (isScalar(this.#type(expr))) return fixed(1);
    return expr.kind === "ident" ? this.#local(expr.name)?.size : undefined;
  }

  #entry(expr: Expr): EntrySize | undefined {
    return this.#entries.get(expr.id) ?? (expr.kind === "ident" ? this.#local(expr.name)?.entry : undefined);
  }

  #node(expr: Expr): SizedNode {
    const path = this.#path(expr);
    return { expr, type: this.#type(expr), path: path[0]?.startsWith("@result") ? [] : path, size: this.#size(expr) };
  }

  #call(expr: Call): Range {
    if (expr.fn === "dyn" && expr.args[0] !== undefined) {
      const [arg] = expr.args;
      const cost = add(this.cost(arg), fixed(1));
      this.#copy(expr, arg);
      return cost;
    }
    const costs = expr.args.map((arg) => this.cost(arg));
    const nodes = expr.args.map((arg) => this.#node(arg));
    const overloads =
      this.#checked.overloads.get(expr.id)?.map(({ id }) => id) ??
      (expr.fn === "_?._" ? ["select_optional_field"] : []);
    if (overloads.length === 0) return fixed(0);
    const targetCost = expr.target === undefined ? fixed(0) : this.cost(expr.target);
    const target = expr.target === undefined ? undefined : this.#node(expr.target);
    let cost: Range = { min: Number.POSITIVE_INFINITY, max: 0 };
    let size: Range | undefined;
    for (const overload of overloads) {
      const estimate = this.#overload(expr, overload, target, nodes, costs);
      cost = union(cost, estimate.cost);
      if (estimate.size !== undefined) size = size === undefined ? estimate.size : union(size, estimate.size);
      if ((overload === "index_list" || overload === "index_map") && expr.args[0] !== undefined) {
        size = this.#entry(expr.args[0])?.value;
        this.#paths.set(expr.id, [...this.#path(expr.args[0]), overload === "index_list" ? "@items" : "@values"]);
      }
      size ??= this.#size(expr);
    }
    if (size !== undefined) this.#sizes.set(expr.id, size);
    return add(targetCost, cost);
  }

  #copy(to: Expr, from: Expr): void {
    const size = this.#size(from);
    const entry = this.#entry(from);
    if (size !== undefined) this.#sizes.set(to.id, size);
    if (entry !== undefined) this.#entries.set(to.id, entry);
  }

  #overload(
    expr: Call,
    overload: string,
    target: SizedNode | undefined,
    args: readonly SizedNode[],
    costs: readonly Range[],
  ): CallEstimate {
    const sum = costs.reduce(add, fixed(0));
    const library = estimateLibraryCall(expr.fn, overload, target, args, this.#sizeOf);
    if (library !== undefined) return { ...library, cost: add(library.cost, sum) };
    const size = (node: SizedNode | undefined): Range => node?.size ?? unknown;
    const [first, second] = args;
    const plus = (cost: Range, result?: Range): CallEstimate => ({
      cost: add(cost, sum),
      ...(result === undefined ? {} : { size: result }),
    });
    switch (overload) {
      case "string_format":
        return plus(scale(size(target), 0.1));
      case "string_to_bytes":
        return plus(scale(size(first), 0.1), { min: size(first).min, max: size(first).max * 4 });
      case "bytes_to_string":
        return plus(scale(size(first), 0.1), { min: Math.floor(size(first).min / 4), max: size(first).max });
      case "strings_quote":
        return plus(scale(size(first), 0.1), { min: size(first).min + 2, max: size(first).max * 2 + 2 });
      case "starts_with_string":
      case "ends_with_string":
        return plus(scale(size(first), 0.1));
      case "in_list":
        return plus(size(second));
      case "matches_string":
        return plus(times(scale(addSizes(size(target), fixed(1)), 0.1), scale(size(first), 0.25)));
      case "contains_string":
        return plus(times(scale(size(target), 0.1), scale(size(first), 0.1)));
      case "logical_and":
      case "logical_or":
        return { cost: { min: (costs[0] as Range).min, max: sum.max } };
      case "conditional":
        return this.#conditional(expr, args, costs);
      case "add_string":
      case "add_bytes":
      case "add_list": {
        const result = addSizes(size(first), size(second));
        this.#unionEntries(expr, expr.args[0] as Expr, expr.args[1] as Expr);
        return plus(overload === "add_list" ? fixed(1) : scale(result, 0.1), result);
      }
      default: {
        if (!compared.test(overload)) return plus(fixed(1));
        const max = Math.min(size(first).max, size(second).max);
        return plus(scale({ min: max > 0 ? 1 : 0, max }, 0.1));
      }
    }
  }

  #unionEntries(to: Expr, a: Expr, b: Expr): void {
    const [left, right] = [this.#entry(a), this.#entry(b)];
    if (left === undefined || right === undefined) return;
    this.#entries.set(to.id, {
      list: left.list,
      key: union(left.key, right.key),
      value: union(left.value, right.value),
    });
  }

  #conditional(expr: Call, args: readonly SizedNode[], costs: readonly Range[]): CallEstimate {
    const [condition, truthy, falsy] = costs as [Range, Range, Range];
    this.#unionEntries(expr, expr.args[1] as Expr, expr.args[2] as Expr);
    const size = union(args[1]?.size ?? unknown, args[2]?.size ?? unknown);
    return { cost: add(condition, union(truthy, falsy)), size };
  }

  #isBinding(expr: Comprehension): boolean {
    const { range, condition } = expr;
    const empty = range.kind === "list" && range.elements.length === 0;
    return empty && condition.kind === "literal" && condition.value === false;
  }

  #binding(expr: Comprehension): Range {
    const cost = add(this.cost(expr.range), this.cost(expr.accuInit));
    this.#push(expr.accuVar, {
      path: this.#path(expr.accuInit),
      size: this.#size(expr.accuInit),
      entry: this.#entry(expr.accuInit),
    });
    const result = this.cost(expr.result);
    this.#pop(expr.accuVar);
    this.#copy(expr, expr.result);
    return add(cost, result);
  }

  #comprehension(expr: Comprehension): Range {
    const outside = add(this.cost(expr.range), this.cost(expr.accuInit));
    this.#push(expr.accuVar, {
      path: this.#path(expr.accuInit),
      size: this.#size(expr.accuInit),
      entry: this.#entry(expr.accuInit),
    });
    const entry = this.#entry(expr.range);
    const isList = entry?.list ?? this.#type(expr.range).kind === "list";
    const loop = (part: string, size: Range | undefined): Local => ({
      path: [...this.#path(expr.range), part],
      size,
      entry: undefined,
    });
    if (expr.iterVar2 === undefined) {
      this.#push(expr.iterVar, isList ? loop("@items", entry?.value) : loop("@keys", entry?.key));
    } else {
      this.#push(expr.iterVar, loop(isList ? "@indices" : "@keys", entry?.key));
      this.#push(expr.iterVar2, loop(isList ? "@items" : "@values", entry?.value));
    }
    const perItem = add(this.cost(expr.condition), this.cost(expr.step));
    this.#pop(expr.iterVar);
    if (expr.iterVar2 !== undefined) this.#pop(expr.iterVar2);
    const result = this.cost(expr.result);
    this.#pop(expr.accuVar);
    const count = this.#size(expr.range) ?? unknown;
    if (expr.accuInit.kind === "literal") {
      const size = this.#size(expr.accuInit);
      if (size !== undefined) this.#sizes.set(expr.id, size);
    } else if (expr.accuInit.kind === "list" || expr.accuInit.kind === "map") {
      this.#sizes.set(expr.id, count);
      const step = this.#entry(expr.step);
      if (step !== undefined) this.#entries.set(expr.id, step);
    }
    return add(add(outside, result), times(count, perItem));
  }
}

function literalSize(expr: Expr): Range | undefined {
  if (expr.kind === "list") return fixed(expr.elements.length);
  if (expr.kind === "map") return fixed(expr.entries.length);
  if (expr.kind !== "literal") return undefined;
  if (typeof expr.value === "string") return fixed(codePoints(expr.value));
  return fixed(expr.value instanceof Uint8Array ? expr.value.length : 1);
}

function isScalar(type: Type): boolean {
  return scalars.has(type.kind) || (type.name === "optional_type" && isScalar(type.params[0] ?? dynType));
}
