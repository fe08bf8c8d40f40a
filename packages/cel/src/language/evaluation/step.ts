import type { CostTracker } from "../cost/runtime.ts";
import { isPrimitive } from "../library/standard.ts";
import { EvaluationError, noSuchOverload } from "../values/evaluation-error.ts";
import {
  Duration,
  keyOf,
  ListValue,
  MapValue,
  noValue,
  Optional,
  Timestamp,
  typeName,
  Uint,
  type Value,
} from "../values/value.ts";

/** Returns the value of a variable, or undefined if it has none. */
export type Activation = (name: string) => Value | undefined;

/** The state of one evaluation. */
export interface Frame {
  readonly activation: Activation;
  readonly cost: CostTracker;
  /** The variables of comprehensions; an error is kept until the variable is read. */
  readonly locals: (Value | EvaluationError)[];
}

/** Computes the value of a node. */
export type Run = (frame: Frame) => Value;

/** A compiled node. An attribute (a variable or a selection) costs 1 when it is read as a whole. */
export interface Step {
  run: Run;
  /** Reads an attribute without the cost of reading it as a whole. */
  resolve?: Run;
  constant?: { value: Value };
}

export function attempt(run: Run, frame: Frame): Value | EvaluationError {
  try {
    return run(frame);
  } catch (error) {
    if (error instanceof EvaluationError && frame.cost.within) return error;
    throw error;
  }
}

export function constant(value: Value): Step {
  return { run: () => value, constant: { value } };
}

export function attribute(resolve: Run): Step {
  return {
    resolve,
    run: (frame) => {
      frame.cost.charge(1);
      return resolve(frame);
    },
  };
}

/** Returns how a key is computed: a whole attribute in brackets doesn't cost more than its qualifiers. */
export function indexOf(step: Step): Run {
  return step.resolve ?? step.run;
}

/** Checks a constant key, which no value of some types can be. */
export function checkKey({ constant: key }: Step): void {
  if (key === undefined) return;
  const type = keyTypes.find((keyType) => (keyType === null ? key.value === null : key.value instanceof keyType));
  if (type === undefined) return;
  const name = type === null ? "Null" : type === Uint8Array ? "Bytes" : type.name;
  throw new EvaluationError(`invalid qualifier type: types.${name}`);
}

const keyTypes = [null, Uint8Array, Timestamp, Duration] as const;

export function qualify(operand: Step, key: Run, optional: boolean): Step {
  const base = operand.resolve ?? operand.run;
  return attribute((frame) => {
    const container = base(frame);
    const index = key(frame);
    const inner = container instanceof Optional ? container.value : container;
    if (inner === undefined) return noValue;
    if (!(container instanceof Optional) && !optional) {
      frame.cost.charge(1);
      return read(container, index);
    }
    const element = find(inner, index);
    if (element !== undefined) frame.cost.charge(1);
    return element === undefined ? noValue : new Optional(element);
  });
}

/** @param isOptional - true if the operand is an optional selection: the test of one that finds nothing is free */
export function presence(operand: Step, field: string, isOptional: boolean): Step {
  const base = operand.resolve ?? operand.run;
  return {
    run: (frame) => {
      const container = base(frame);
      const inner = container instanceof Optional ? container.value : container;
      const isPresent = inner !== undefined && find(inner, field) !== undefined;
      if (isPresent || !isOptional) frame.cost.charge(1);
      return isPresent;
    },
  };
}

function read(container: Value, key: Value): Value {
  const value = find(container, key);
  if (value !== undefined) return value;
  const shown = key instanceof Uint ? key.value : key;
  throw new EvaluationError(container instanceof ListValue ? `index out of bounds: ${shown}` : `no such key: ${shown}`);
}

function find(container: Value, key: Value): Value | undefined {
  if (container instanceof MapValue) return container.get(key);
  // Other values have no parts.
  if (!(container instanceof ListValue)) return undefined;
  const index = key instanceof Uint ? Number(key.value) : Number(key);
  if (typeof key !== "bigint" && typeof key !== "number" && !(key instanceof Uint)) {
    throw new EvaluationError(`unsupported index type '${typeName(key)}' in list`);
  }
  if (!Number.isInteger(index)) throw new EvaluationError(`unsupported index value ${index} in list`);
  return index >= 0 && index < container.length ? container.at(index) : undefined;
}

/** Evaluates both operands unless the first one decides; an operand that decides wins over an error of the other. */
export function logical(left: Run, right: Run, decisive: boolean): Run {
  const operand = (run: Run, frame: Frame): boolean | EvaluationError => {
    const value = attempt(run, frame);
    return typeof value === "boolean" || value instanceof EvaluationError ? value : noSuchOverload();
  };
  return (frame) => {
    const first = operand(left, frame);
    if (first === decisive) return decisive;
    const second = operand(right, frame);
    if (second === decisive) return decisive;
    if (first instanceof EvaluationError) throw first;
    if (second instanceof EvaluationError) throw second;
    return !decisive;
  };
}

export function conditional(condition: Run, truthy: Step, falsy: Step): Step {
  const [left, right] = [truthy.resolve ?? truthy.run, falsy.resolve ?? falsy.run];
  const resolve: Run = (frame) => {
    const value = condition(frame);
    if (typeof value !== "boolean") throw noSuchOverload();
    return value ? left(frame) : right(frame);
  };
  return { run: resolve, resolve };
}

export function notStrictlyFalse(frame: Frame, run: Run): boolean {
  const value = attempt(run, frame);
  frame.cost.charge(1);
  return value !== false;
}

export function orElse(left: Run, right: Run, fn: string): Step {
  return {
    run: (frame) => {
      const value = left(frame);
      if (!(value instanceof Optional)) throw noSuchOverload(fn);
      if (value.value === undefined) return right(frame);
      return fn === "or" ? value : value.value;
    },
  };
}

export function constantSet(list: Value, run: Run): Step | undefined {
  if (!(list instanceof ListValue)) return undefined;
  if (list.length === 0) return constant(false);
  const keys = new Set<string>();
  for (const item of list) {
    if (!isPrimitive(item)) return undefined;
    keys.add(keyOf(item) ?? `d${item}`);
  }
  return {
    run: (frame) => {
      const value = run(frame);
      return keys.has(keyOf(value) ?? `d${typeof value === "number" ? value : ""}`);
    },
  };
}

export function optionalEntry(value: Value): Value | undefined {
  if (!(value instanceof Optional)) throw noSuchOverload();
  return value.value;
}
