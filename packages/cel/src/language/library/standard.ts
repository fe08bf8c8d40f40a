import { define, type Functions, type Implementation } from "../declarations/function.ts";
import {
  int64,
  toBool,
  toBytes,
  toDouble,
  toDuration,
  toInt,
  toText,
  toTimestamp,
  toUint,
  uint64,
} from "../values/conversion.ts";
import { EvaluationError, noSuchOverload } from "../values/evaluation-error.ts";
import { duration, inZone, timestamp } from "../values/time.ts";
import {
  compare,
  type Duration,
  equal,
  isNumber,
  type ListValue,
  type MapValue,
  sizeOf,
  type Timestamp,
  TypeValue,
  typeName,
  type Uint,
  type Value,
} from "../values/value.ts";
import { matches } from "./regex.ts";

const numeric = ["int", "uint", "double"];

function arithmetic(functions: Functions): void {
  const zeroGuard = (run: (a: bigint, b: bigint) => bigint, problem: string) => (a: bigint, b: bigint) => {
    if (b === 0n) throw new EvaluationError(problem);
    return run(a, b);
  };
  const divide = zeroGuard((a, b) => a / b, "division by zero");
  const modulo = zeroGuard((a, b) => a % b, "modulus by zero");
  const define2 = (
    fn: string,
    name: string,
    ints: (a: bigint, b: bigint) => bigint,
    doubles?: (a: number, b: number) => number,
  ) => {
    define(
      functions,
      fn,
      [`${name}_int64`, "(int, int) -> int", (a: bigint, b: bigint) => int64(ints(a, b))],
      [`${name}_uint64`, "(uint, uint) -> uint", (a: Uint, b: Uint) => uint64(ints(a.value, b.value))],
    );
    if (doubles !== undefined) define(functions, fn, [`${name}_double`, "(double, double) -> double", doubles]);
  };
  define(
    functions,
    "_+_",
    ["add_bytes", "(bytes, bytes) -> bytes", (a: Uint8Array, b: Uint8Array) => Uint8Array.from([...a, ...b])],
    [
      "add_duration_duration",
      "(duration, duration) -> duration",
      (a: Duration, b: Duration) => duration(a.nanos + b.nanos),
    ],
    [
      "add_duration_timestamp",
      "(duration, timestamp) -> timestamp",
      (a: Duration, b: Timestamp) => timestamp(a.nanos + b.nanos, b.zone),
    ],
    [
      "add_timestamp_duration",
      "(timestamp, duration) -> timestamp",
      (a: Timestamp, b: Duration) => timestamp(a.nanos + b.nanos, a.zone),
    ],
    ["add_list", "(list(A), list(A)) -> list(A)", (a: ListValue, b: ListValue) => a.concat(b)],
    ["add_string", "(string, string) -> string", (a: string, b: string) => a + b],
  );
  define2(
    "_+_",
    "add",
    (a, b) => a + b,
    (a, b) => a + b,
  );
  define2(
    "_-_",
    "subtract",
    (a, b) => a - b,
    (a, b) => a - b,
  );
  define(
    functions,
    "_-_",
    [
      "subtract_duration_duration",
      "(duration, duration) -> duration",
      (a: Duration, b: Duration) => duration(a.nanos - b.nanos),
    ],
    [
      "subtract_timestamp_duration",
      "(timestamp, duration) -> timestamp",
      (a: Timestamp, b: Duration) => timestamp(a.nanos - b.nanos, a.zone),
    ],
    [
      "subtract_timestamp_timestamp",
      "(timestamp, timestamp) -> duration",
      (a: Timestamp, b: Timestamp) => duration(a.nanos - b.nanos),
    ],
  );
  define2(
    "_*_",
    "multiply",
    (a, b) => a * b,
    (a, b) => a * b,
  );
  define2("_/_", "divide", divide, (a, b) => a / b);
  define2("_%_", "modulo", modulo);
  define(
    functions,
    "-_",
    ["negate_int64", "(int) -> int", (a: bigint) => int64(-a)],
    ["negate_double", "(double) -> double", (a: number) => -a],
  );
}

function comparisons(functions: Functions): void {
  const operators: [fn: string, name: string, holds: (order: number) => boolean][] = [
    ["_<_", "less", (order) => order < 0],
    ["_<=_", "less_equals", (order) => order <= 0],
    ["_>_", "greater", (order) => order > 0],
    ["_>=_", "greater_equals", (order) => order >= 0],
  ];
  for (const [fn, name, holds] of operators) {
    const run = (a: Value, b: Value) => {
      const order = compare(a, b);
      if (order === undefined) throw noSuchOverload();
      if (Number.isNaN(order)) throw new EvaluationError("NaN values cannot be ordered");
      return holds(order);
    };
    const ids: [string, string][] = [
      ["bool", "bool"],
      ["int64", "int"],
      ["uint64", "uint"],
      ["double", "double"],
      ["string", "string"],
      ["bytes", "bytes"],
      ["timestamp", "timestamp"],
      ["duration", "duration"],
    ];
    for (const [id, type] of ids) define(functions, fn, [`${name}_${id}`, `(${type}, ${type}) -> bool`, run]);
    for (const left of numeric) {
      for (const right of numeric) {
        const id = (type: string) => (type === "double" ? type : `${type}64`);
        if (left !== right)
          define(functions, fn, [`${name}_${id(left)}_${id(right)}`, `(${left}, ${right}) -> bool`, run]);
      }
    }
  }
}

/** Tests whether a list or a map contains a value. */
function contains(value: Value, list: ListValue): boolean {
  for (let index = 0; index < list.length; index++) if (equal(value, list.at(index))) return true;
  return false;
}

function conversions(functions: Functions): void {
  const all: [fn: string, to: string, from: string[], run: Implementation][] = [
    ["int", "int", ["int", "double", "duration", "string", "timestamp", "uint"], toInt],
    ["uint", "uint", ["uint", "double", "int", "string"], toUint],
    ["double", "double", ["double", "int", "string", "uint"], toDouble],
    ["bool", "bool", ["bool", "string"], toBool],
    ["string", "string", ["string", "bool", "bytes", "double", "duration", "int", "timestamp", "uint"], toText],
    ["bytes", "bytes", ["bytes", "string"], toBytes],
    ["timestamp", "timestamp", ["timestamp", "int", "string"], toTimestamp],
    ["duration", "duration", ["duration", "string"], toDuration],
  ];
  const id = (type: string) => (type === "int" || type === "uint" ? `${type}64` : type);
  for (const [fn, to, from, run] of all) {
    for (const type of from) define(functions, fn, [`${id(type)}_to_${id(to)}`, `(${type}) -> ${to}`, run]);
  }
  define(functions, "dyn", ["to_dyn", "(A) -> dyn", (value: Value) => value]);
  define(functions, "type", ["type", "(A) -> type(A)", (value: Value) => new TypeValue(typeName(value))]);
}

function times(functions: Functions): void {
  const accessors: [fn: string, id: string, read: (date: Date) => number][] = [
    ["getFullYear", "year", (date) => date.getUTCFullYear()],
    ["getMonth", "month", (date) => date.getUTCMonth()],
    ["getDayOfYear", "day_of_year", dayOfYear],
    ["getDayOfMonth", "day_of_month", (date) => date.getUTCDate() - 1],
    ["getDate", "day_of_month_1_based", (date) => date.getUTCDate()],
    ["getDayOfWeek", "day_of_week", (date) => date.getUTCDay()],
    ["getHours", "hours", (date) => date.getUTCHours()],
    ["getMinutes", "minutes", (date) => date.getUTCMinutes()],
    ["getSeconds", "seconds", (date) => date.getUTCSeconds()],
    ["getMilliseconds", "milliseconds", (date) => date.getUTCMilliseconds()],
  ];
  for (const [fn, id, read] of accessors) {
    const run = (time: Timestamp, zone = "UTC") => BigInt(read(inZone(time, zone)));
    define(
      functions,
      fn,
      [`timestamp_to_${id}`, "timestamp.() -> int", run],
      [`timestamp_to_${id}_with_tz`, "timestamp.(string) -> int", run],
    );
  }
  const units: [fn: string, id: string, nanos: bigint][] = [
    ["getHours", "hours", 3_600_000_000_000n],
    ["getMinutes", "minutes", 60_000_000_000n],
    ["getSeconds", "seconds", 1_000_000_000n],
    ["getMilliseconds", "milliseconds", 1_000_000n],
  ];
  for (const [fn, id, nanos] of units) {
    define(functions, fn, [`duration_to_${id}`, "duration.() -> int", (value: Duration) => value.nanos / nanos]);
  }
}

function dayOfYear(date: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - start.getTime()) / 86_400_000);
}

/**
 * Declares the functions and operators that the language defines. The evaluator implements the logical operators.
 *
 * @param functions - receives the declarations
 */
export function defineStandard(functions: Functions): void {
  const lazy: Implementation = () => {
    throw noSuchOverload();
  };
  define(functions, "_?_:_", ["conditional", "(bool, A, A) -> A", lazy]);
  define(functions, "_&&_", ["logical_and", "(bool, bool) -> bool", lazy]);
  define(functions, "_||_", ["logical_or", "(bool, bool) -> bool", lazy]);
  define(functions, "!_", ["logical_not", "(bool) -> bool", (value: boolean) => !value]);
  define(functions, "@not_strictly_false", ["not_strictly_false", "(bool) -> bool", lazy]);
  define(functions, "_==_", ["equals", "(A, A) -> bool", equal]);
  define(functions, "_!=_", ["not_equals", "(A, A) -> bool", (a: Value, b: Value) => !equal(a, b)]);
  arithmetic(functions);
  comparisons(functions);
  define(functions, "_[_]", ["index_list", "(list(A), int) -> A", lazy], ["index_map", "(map(A, B), A) -> B", lazy]);
  define(
    functions,
    "@in",
    ["in_list", "(A, list(A)) -> bool", contains],
    ["in_map", "(A, map(A, B)) -> bool", (key: Value, map: MapValue) => map.get(key) !== undefined],
  );
  const size = (value: Value) => BigInt(sizeOf(value) as number);
  for (const type of ["bytes", "list(A)", "map(A, B)", "string"]) {
    const id = /^\w+/.exec(type)?.[0];
    define(functions, "size", [`size_${id}`, `(${type}) -> int`, size], [`${id}_size`, `${type}.() -> int`, size]);
  }
  conversions(functions);
  define(functions, "contains", [
    "contains_string",
    "string.(string) -> bool",
    (a: string, b: string) => a.includes(b),
  ]);
  define(functions, "endsWith", [
    "ends_with_string",
    "string.(string) -> bool",
    (a: string, b: string) => a.endsWith(b),
  ]);
  define(functions, "startsWith", [
    "starts_with_string",
    "string.(string) -> bool",
    (a: string, b: string) => a.startsWith(b),
  ]);
  define(
    functions,
    "matches",
    ["matches", "(string, string) -> bool", matches],
    ["matches_string", "string.(string) -> bool", matches],
  );
  times(functions);
}

/** @returns true if a literal can be part of a constant set, which makes `in` fast */
export function isPrimitive(value: Value): boolean {
  return typeof value === "string" || typeof value === "boolean" || isNumber(value);
}
