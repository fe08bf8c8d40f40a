import type { Value } from "../values/value.ts";
import { accumulator, type Comprehension, type Expr } from "./ast.ts";

/** The parts of the parser that the expansion of macros needs. */
export interface MacroContext {
  /** The positions by id. */
  readonly positions: readonly number[];
  /** True if the macro `cel.bind` exists. */
  readonly hasBind: boolean;
  /** Allocates an id at an offset. */
  id(offset: number): number;
  /** Reports a problem at the position of an id. */
  issue(id: number, message: string): Expr;
}

type Expansion = (build: Builder, target: Expr, args: readonly Expr[]) => Expr | undefined;

/** Creates nodes at the position of the macro. */
class Builder {
  readonly #context: MacroContext;
  readonly #offset: number;

  constructor(context: MacroContext, id: number) {
    this.#context = context;
    this.#offset = context.positions[id] as number;
  }

  #id(): number {
    return this.#context.id(this.#offset);
  }

  literal(value: Value): Expr {
    return { kind: "literal", id: this.#id(), value };
  }

  ident(name: string): Expr {
    return { kind: "ident", id: this.#id(), name };
  }

  accu(): Expr {
    return this.ident(accumulator);
  }

  call(fn: string, ...args: Expr[]): Expr {
    return { kind: "call", id: this.#id(), target: undefined, fn, args };
  }

  member(target: Expr, fn: string): Expr {
    return { kind: "call", id: this.#id(), target, fn, args: [] };
  }

  list(...elements: Expr[]): Expr {
    return { kind: "list", id: this.#id(), elements, optional: new Set() };
  }

  map(...entries: [key: Expr, value: Expr][]): Expr {
    const id = this.#id();
    return {
      kind: "map",
      id,
      entries: entries.map(([key, value]) => ({ id: this.#id(), key, value, optional: false })),
    };
  }

  test(operand: Expr, field: string): Expr {
    return { kind: "select", id: this.#id(), operand, field, test: true };
  }

  fold(parts: Omit<Comprehension, "kind" | "id" | "accuVar" | "result"> & Partial<Comprehension>): Expr {
    const result = parts.result ?? this.accu();
    return { accuVar: accumulator, ...parts, kind: "comprehension", id: this.#id(), result };
  }

  bind(name: string, value: Expr, body: Expr): Expr {
    const fold = { range: this.list(), iterVar: "#unused", iterVar2: undefined, condition: this.literal(false) };
    return this.fold({ ...fold, accuVar: name, accuInit: value, step: this.ident(name), result: body });
  }

  copy(expr: Expr): Expr {
    const id = this.#context.id(this.#context.positions[expr.id] as number);
    switch (expr.kind) {
      case "literal":
      case "ident":
        return { ...expr, id };
      case "select":
        return { ...expr, id, operand: this.copy(expr.operand) };
      case "call": {
        const target = expr.target === undefined ? undefined : this.copy(expr.target);
        return { ...expr, id, target, args: expr.args.map((arg) => this.copy(arg)) };
      }
      case "list":
        return { ...expr, id, elements: expr.elements.map((element) => this.copy(element)) };
      case "map": {
        const entries = expr.entries.map((entry) => ({
          ...entry,
          id: this.#context.id(this.#context.positions[entry.id] as number),
          key: this.copy(entry.key),
          value: this.copy(entry.value),
        }));
        return { ...expr, id, entries };
      }
      case "struct":
        return { ...expr, id, fields: expr.fields.map((field) => ({ ...field, value: this.copy(field.value) })) };
      case "comprehension":
        return {
          ...expr,
          id,
          range: this.copy(expr.range),
          accuInit: this.copy(expr.accuInit),
          condition: this.copy(expr.condition),
          step: this.copy(expr.step),
          result: this.copy(expr.result),
        };
    }
  }

  fail(expr: Expr, message: string): Expr {
    return this.#context.issue(expr.id, message);
  }

  /** Returns the names of loop variables, or the node of an error. */
  variables(args: readonly Expr[], count: 1 | 2): { iterVar: string; iterVar2: string | undefined } | Expr {
    const names: string[] = [];
    for (const arg of args.slice(0, count)) {
      if (arg.kind !== "ident") return this.fail(arg, count === 1 ? "argument is not an identifier" : simpleName);
      if (count === 2 && arg.name.startsWith(".")) return this.fail(arg, simpleName);
      names.push(arg.name);
    }
    if (count === 2 && names[0] === names[1]) {
      return this.fail(args[1] as Expr, `duplicate variable name: ${names[0]}`);
    }
    for (const [index, name] of names.entries()) {
      if (name === accumulator || name === "__result__") return this.fail(args[index] as Expr, overwrites);
    }
    return { iterVar: names[0] as string, iterVar2: names[1] };
  }
}

const simpleName = "argument must be a simple name";
const overwrites = "iteration variable overwrites accumulator variable";

type Quantifier = "all" | "exists" | "exists_one";

function quantifier(kind: Quantifier, count: 1 | 2): Expansion {
  return (build, target, args) => {
    const names =
      count === 1 && args[0]?.kind !== "ident" ? build.fail(args[0] as Expr, simpleName) : build.variables(args, count);
    if ("kind" in names) return names;
    const predicate = args[count] as Expr;
    const fold = { range: target, ...names };
    if (kind === "exists_one") {
      const [init, condition] = [build.literal(0n), build.literal(true)];
      const step = build.call("_?_:_", predicate, build.call("_+_", build.accu(), build.literal(1n)), build.accu());
      const result = build.call("_==_", build.accu(), build.literal(1n));
      return build.fold({ ...fold, accuInit: init, condition, step, result });
    }
    const init = build.literal(kind === "all");
    const seen = kind === "all" ? build.accu() : build.call("!_", build.accu());
    const condition = build.call("@not_strictly_false", seen);
    const step = build.call(kind === "all" ? "_&&_" : "_||_", build.accu(), predicate);
    return build.fold({ ...fold, accuInit: init, condition, step });
  };
}

function listFold(count: 1 | 2, withFilter: boolean, keep: boolean): Expansion {
  return (build, target, args) => {
    const names = build.variables(args, count);
    if ("kind" in names) return names;
    const init = build.list();
    const condition = build.literal(true);
    const filter = withFilter ? args[count] : undefined;
    const item = keep ? (args[0] as Expr) : (args[args.length - 1] as Expr);
    let step = build.call("_+_", build.accu(), build.list(item));
    if (filter !== undefined) step = build.call("_?_:_", filter, step, build.accu());
    return build.fold({ range: target, ...names, accuInit: init, condition, step });
  };
}

function mapFold(withFilter: boolean, entry: boolean): Expansion {
  return (build, target, args) => {
    const names = build.variables(args, 2);
    if ("kind" in names) return names;
    const init = build.map();
    const condition = build.literal(true);
    const value = args[args.length - 1] as Expr;
    let step = entry
      ? build.call("cel.@mapInsert", build.accu(), value)
      : build.call("cel.@mapInsert", build.accu(), build.ident(names.iterVar), value);
    if (withFilter) step = build.call("_?_:_", args[2] as Expr, step, build.accu());
    return build.fold({ range: target, ...names, accuInit: init, condition, step });
  };
}

function optionalMap(name: "optMap" | "optFlatMap"): Expansion {
  return (build, target, args) => {
    const [variable, body] = args as [Expr, Expr];
    if (variable.kind !== "ident") return build.fail(variable, `${name}() variable name must be a simple identifier`);
    const bound = build.bind(variable.name, build.member(build.copy(target), "value"), body);
    const value = name === "optMap" ? build.call("optional.of", bound) : bound;
    return build.call("_?_:_", build.member(target, "hasValue"), value, build.call("optional.none"));
  };
}

const sortByMacro: Expansion = (build, target, args) => {
  const [variable, key] = args as [Expr, Expr];
  if (["literal", "map", "struct"].includes(target.kind)) {
    return build.fail(
      target,
      "sortBy can only be applied to a list, identifier, comprehension, call or select expression",
    );
  }
  const names = build.variables([variable], 1);
  if ("kind" in names) return names;
  const name = "@__sortBy_input__";
  const keys = listFold(1, false, false)(build, build.ident(name), [variable, key]) as Expr;
  const sorted: Expr = {
    ...(build.member(build.ident(name), "@sortByAssociatedKeys") as Expr & { kind: "call" }),
    args: [keys],
  };
  return build.bind(name, target, sorted);
};

/** Gives a value a name: `cel.bind(name, value, expression)`. */
const bindMacro: Expansion = (build, _target, args) => {
  const [variable, value, body] = args as [Expr, Expr, Expr];
  if (variable.kind !== "ident") return build.fail(variable, "cel.bind() variable names must be simple identifiers");
  return build.bind(variable.name, value, body);
};

const receiverMacros: Record<string, Expansion> = {
  "all/2": quantifier("all", 1),
  "exists/2": quantifier("exists", 1),
  "exists_one/2": quantifier("exists_one", 1),
  "map/2": listFold(1, false, false),
  "map/3": listFold(1, true, false),
  "filter/2": (build, target, args) => {
    const [variable, predicate] = args as [Expr, Expr];
    return listFold(1, true, true)(build, target, [variable, predicate]);
  },
  "all/3": quantifier("all", 2),
  "exists/3": quantifier("exists", 2),
  "exists_one/3": quantifier("exists_one", 2),
  "existsOne/3": quantifier("exists_one", 2),
  "transformList/3": listFold(2, false, false),
  "transformList/4": listFold(2, true, false),
  "transformMap/3": mapFold(false, false),
  "transformMap/4": mapFold(true, false),
  "transformMapEntry/3": mapFold(false, true),
  "transformMapEntry/4": mapFold(true, true),
  "optMap/2": optionalMap("optMap"),
  "optFlatMap/2": optionalMap("optFlatMap"),
  "sortBy/2": sortByMacro,
};

/**
 * Expands a call of a macro.
 *
 * @param context - the parser
 * @param id - the id of the call
 * @param target - the receiver, if any
 * @param name - the name of the function
 * @param args - the arguments
 * @returns the expansion, or undefined if the call isn't one of a macro
 */
export function expandMacro(
  context: MacroContext,
  id: number,
  target: Expr | undefined,
  name: string,
  args: readonly Expr[],
): Expr | undefined {
  const build = new Builder(context, id);
  if (target !== undefined) {
    const isBind = context.hasBind && name === "bind" && args.length === 3;
    if (isBind && target.kind === "ident" && target.name === "cel") return bindMacro(build, target, args);
    const macro = Object.hasOwn(receiverMacros, `${name}/${args.length}`)
      ? receiverMacros[`${name}/${args.length}`]
      : undefined;
    return macro?.(build, target, args);
  }
  if (name !== "has" || args.length !== 1) return undefined;
  const arg = args[0] as Expr;
  if (arg.kind === "select") return build.test(arg.operand, arg.field);
  return build.fail(arg, "invalid argument to has() macro");
}
