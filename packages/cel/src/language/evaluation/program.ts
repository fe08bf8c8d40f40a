import type { CheckedExpression } from "../check/checker.ts";
import { CostTracker, callCost } from "../cost/runtime.ts";
import { type Environment, lookUp } from "../declarations/environment.ts";
import { accepts, type Overload } from "../declarations/function.ts";
import { enumValues, messages } from "../declarations/messages.ts";
import { isOptionalType } from "../declarations/type.ts";
import { constantPatternProblem } from "../library/regex.ts";
import type { Call, Comprehension, Expr } from "../syntax/ast.ts";
import { EvaluationError, noSuchOverload } from "../values/evaluation-error.ts";
import { StructValue } from "../values/struct-value.ts";
import {
  ArrayList,
  compare,
  EntryMap,
  keyOf,
  ListValue,
  MapValue,
  TypeValue,
  typeName,
  type Value,
} from "../values/value.ts";
import {
  type Activation,
  attempt,
  attribute,
  checkKey,
  conditional,
  constant,
  constantSet,
  type Frame,
  indexOf,
  logical,
  notStrictlyFalse,
  optionalEntry,
  orElse,
  presence,
  qualify,
  type Run,
  type Step,
} from "./step.ts";

/** The result of an evaluation. */
export interface Evaluation {
  value: Value | undefined;
  error: EvaluationError | undefined;
  cost: number;
}

/** A compiled expression. */
export interface Program {
  evaluate(activation: Activation, limit: number): Evaluation;
}

/**
 * Compiles a checked expression to closures.
 *
 * @param checked - the expression
 * @param environment - the declarations that it was checked with
 * @returns the program
 * @throws EvaluationError if a conversion of a constant fails
 */
export function compileProgram(checked: CheckedExpression, environment: Environment): Program {
  const { run } = new Compiler(checked, environment).compile(checked.expr);
  return {
    evaluate(activation, limit) {
      const cost = new CostTracker(limit);
      try {
        return { value: run({ activation, cost, locals: [] }), error: undefined, cost: cost.total };
      } catch (error) {
        if (error instanceof EvaluationError) return { value: undefined, error, cost: cost.total };
        if (error instanceof RangeError) {
          return {
            value: undefined,
            error: new EvaluationError(`value too large: ${error.message}`),
            cost: cost.total,
          };
        }
        throw error;
      }
    },
  };
}

const conversions = new Set([
  "bool",
  "bytes",
  "double",
  "duration",
  "dyn",
  "int",
  "string",
  "timestamp",
  "type",
  "uint",
]);

class Compiler {
  readonly #checked: CheckedExpression;
  readonly #environment: Environment;
  readonly #locals: string[] = [];

  constructor(checked: CheckedExpression, environment: Environment) {
    this.#checked = checked;
    this.#environment = environment;
  }

  compile(expr: Expr): Step {
    switch (expr.kind) {
      case "literal":
        return constant(expr.value);
      case "ident":
        return this.#ident(expr.name);
      case "select": {
        const operand = this.compile(expr.operand);
        if (expr.test) return presence(operand, expr.field, this.#isOptionalSelection(expr.operand));
        return qualify(operand, () => expr.field, false);
      }
      case "call":
        return this.#call(expr);
      case "list":
        return this.#list(expr.elements, expr.optional);
      case "map":
        return this.#map(expr.entries);
      case "struct": {
        const fields = expr.fields.map((field) => ({ ...field, run: this.compile(field.value).run }));
        const message = messages.get(expr.name);
        return {
          run: (frame) => {
            const entries = evaluateFields(frame, fields);
            if (message === undefined) return new StructValue(expr.name, entries);
            return message.convert(new Map([...entries.values()].map(([name, value]) => [String(name), value])));
          },
        };
      }
      case "comprehension":
        return this.#comprehension(expr);
    }
  }

  /** Returns true for `.?a` and `[?a]`, and for selections from an optional value. */
  #isOptionalSelection(expr: Expr): boolean {
    if (expr.kind === "call") return expr.fn === "_?._" || expr.fn === "_[?_]";
    if (expr.kind !== "select") return false;
    const type = this.#checked.types[expr.operand.id];
    return (type !== undefined && isOptionalType(type)) || this.#isOptionalSelection(expr.operand);
  }

  #ident(name: string): Step {
    const local = this.#locals.lastIndexOf(name);
    if (local >= 0) {
      return attribute((frame) => {
        const value = frame.locals[local] as Value | EvaluationError;
        if (value instanceof EvaluationError) throw value;
        return value;
      });
    }
    const isVariable = this.#environment.variables.has(name);
    const enumValue = enumValues.get(name);
    if (enumValue !== undefined && !isVariable) return constant(enumValue);
    const declared = isVariable ? undefined : lookUp(this.#environment, name);
    if (declared !== undefined) return constant(new TypeValue((declared.params[0] ?? declared).name));
    return attribute((frame) => {
      const value = frame.activation(name);
      if (value === undefined) throw new EvaluationError(`no such attribute(s): ${name}`);
      return value;
    });
  }

  #call(expr: Call): Step {
    const operands = expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    if (expr.fn === "_[_]" || expr.fn === "_[?_]") checkKey(this.compile(operands[1] as Expr));
    const steps = operands.map((operand) => this.compile(operand));
    const [first, second, third] = steps as [Step, Step, Step];
    switch (expr.fn) {
      case "_&&_":
        return { run: logical(first.run, second.run, false) };
      case "_||_":
        return { run: logical(first.run, second.run, true) };
      case "_?_:_":
        return conditional(first.run, second, third);
      case "_[_]":
        return qualify(first, indexOf(second), false);
      case "_[?_]":
      case "_?._":
        return qualify(first, indexOf(second), true);
      case "@not_strictly_false":
        return { run: (frame) => notStrictlyFalse(frame, first.run) };
      default:
    }
    const overloads = this.#checked.overloads.get(expr.id) ?? [];
    const id = overloads.length === 1 ? (overloads[0] as Overload).id : "";
    if (id === "optional_or_optional" || id === "optional_orValue_value") return orElse(first.run, second.run, expr.fn);
    if (expr.fn === "@in" && second.constant !== undefined && id === "in_list") {
      const membership = constantSet(second.constant.value, first.run);
      if (membership !== undefined) return membership;
    }
    if (patternFunctions.has(expr.fn) && typeof second?.constant?.value === "string") {
      const problem = constantPatternProblem(second.constant.value);
      if (problem !== undefined) throw new EvaluationError(problem);
    }
    const run = dispatch(
      expr.fn,
      id,
      this.#candidates(expr, overloads),
      steps.map((step) => step.run),
    );
    if (steps.length === 1 && first.constant !== undefined && conversions.has(expr.fn)) {
      return constant(
        run({ activation: () => undefined, cost: new CostTracker(Number.POSITIVE_INFINITY), locals: [] }),
      );
    }
    return { run };
  }

  /** Returns the overload that the checker found, or all overloads if it found several. */
  #candidates(expr: Call, overloads: readonly Overload[]): readonly Overload[] {
    if (overloads.length === 1) return overloads;
    return this.#environment.functions.get(expr.fn)?.overloads ?? overloads;
  }

  #list(elements: readonly Expr[], optional: ReadonlySet<number>): Step {
    const steps = elements.map((element) => this.compile(element));
    if (steps.every((step) => step.constant !== undefined) && optional.size === 0) {
      return constant(new ArrayList(steps.map((step) => step.constant?.value as Value)));
    }
    return {
      run: (frame) => {
        // A list whose items fail is paid for as well; so are maps and objects below.
        frame.cost.charge(10);
        const items: Value[] = [];
        for (let index = 0; index < steps.length; index++) {
          const item = (steps[index] as Step).run(frame);
          if (!optional.has(index)) items.push(item);
          else {
            const value = optionalEntry(item);
            if (value !== undefined) items.push(value);
          }
        }
        return new ArrayList(items);
      },
    };
  }

  #map(entries: readonly { key: Expr; value: Expr; optional: boolean }[]): Step {
    const steps = entries.map(({ key, value, optional }) => ({
      key: this.compile(key),
      value: this.compile(value),
      optional,
    }));
    const build = (frame: Frame): Value => {
      const result = new Map<string, [Value, Value]>();
      for (const [index, step] of steps.entries()) {
        const key = step.key.run(frame);
        const item = step.value.run(frame);
        const value = step.optional ? optionalEntry(item) : item;
        // Keys of any type are allowed, although only those with a name can be found.
        const name = keyOf(key) ?? `other${index}`;
        if (value !== undefined) result.set(name, [key, value]);
      }
      return new EntryMap(result);
    };
    if (steps.every(({ key, value, optional }) => key.constant && value.constant && !optional)) {
      return constant(
        build({ activation: () => undefined, cost: new CostTracker(Number.POSITIVE_INFINITY), locals: [] }),
      );
    }
    return {
      run: (frame) => {
        frame.cost.charge(30);
        return build(frame);
      },
    };
  }

  #comprehension(expr: Comprehension): Step {
    const range = this.compile(expr.range).run;
    const init = this.compile(expr.accuInit).run;
    const accu = this.#locals.push(expr.accuVar) - 1;
    const first = this.#locals.push(expr.iterVar) - 1;
    const second = expr.iterVar2 === undefined ? -1 : this.#locals.push(expr.iterVar2) - 1;
    const condition = this.compile(expr.condition).run;
    const step = this.compile(expr.step).run;
    this.#locals.length = accu + 1;
    const result = this.compile(expr.result).run;
    this.#locals.length = accu;
    return {
      run: (frame) => {
        const values = range(frame);
        frame.locals[accu] = attempt(init, frame);
        const visit = (a: Value, b: Value | undefined): boolean => {
          frame.locals[first] = a;
          if (second >= 0) frame.locals[second] = b as Value;
          if (condition(frame) !== true) return false;
          frame.locals[accu] = attempt(step, frame);
          return true;
        };
        if (values instanceof ListValue) {
          for (let index = 0; index < values.length; index++) {
            const item = values.at(index);
            if (!(second < 0 ? visit(item, undefined) : visit(BigInt(index), item))) break;
          }
        } else if (values instanceof MapValue) {
          for (const key of values.keys()) if (!visit(key, second < 0 ? undefined : (values.get(key) as Value))) break;
        } else throw noSuchOverload();
        return result(frame);
      },
    };
  }
}

function evaluateFields(
  frame: Frame,
  fields: readonly { name: string; optional: boolean; run: Run }[],
): Map<string, [Value, Value]> {
  frame.cost.charge(40);
  const entries = new Map<string, [Value, Value]>();
  for (const field of fields) {
    const item = field.run(frame);
    const value = field.optional ? optionalEntry(item) : item;
    if (value !== undefined) entries.set(keyOf(field.name) as string, [field.name, value]);
  }
  return entries;
}

/** Functions whose second operand is a pattern, which is compiled with the program if it is constant. */
const patternFunctions = new Set(["find", "findAll", "matches"]);

const orders = new Set(["_<_", "_<=_", "_>_", "_>=_"]);

/** Functions of lists whose overloads have one implementation, which looks at the items itself. */
const itemFunctions = new Set(["sort", "@sortByAssociatedKeys"]);

/** Calls the overload that accepts the arguments. */
function dispatch(fn: string, id: string, overloads: readonly Overload[], args: readonly Run[]): Run {
  const candidates = overloads.filter((overload) => overload.args.length === args.length);
  const fits = (overload: Overload, values: readonly Value[]) =>
    overload.args.every((type, index) => accepts(type, values[index] as Value)) ||
    (itemFunctions.has(fn) && values.every((value) => value instanceof ListValue));
  return (frame) => {
    const values: Value[] = [];
    let failure: EvaluationError | undefined;
    for (const arg of args) {
      const value = attempt(arg, frame);
      if (!(value instanceof EvaluationError)) values.push(value);
      else if (args.length > 2) throw value;
      else failure ??= value;
    }
    // The other operand was evaluated, and the call is paid for, although one operand has no value.
    if (failure !== undefined) {
      frame.cost.charge(1);
      throw failure;
    }
    let overload = candidates[0];
    if (overload === undefined || !fits(overload, values)) {
      overload = candidates.find((candidate) => fits(candidate, values));
    }
    if (overload === undefined) {
      if (orders.has(fn) && compare(values[0] as Value, values[0] as Value) === undefined) throw noSuchOverload(fn);
      throw /^(_|-|!|@in)/.test(fn) ? noSuchOverload() : noSuchOverload(fn, values.map(typeName));
    }
    const { run } = overload;
    const result = attempt(() => run(...values), frame);
    const isFailure = result instanceof EvaluationError;
    frame.cost.charge(callCost(fn, id, values, isFailure ? null : result));
    if (isFailure) throw result;
    return result;
  };
}
