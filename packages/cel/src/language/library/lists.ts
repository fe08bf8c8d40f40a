import { define, type Functions } from "../declarations/function.ts";
import { EvaluationError, noSuchOverload } from "../values/evaluation-error.ts";
import { minTimestamp } from "../values/time.ts";
import {
  ArrayList,
  compare,
  Duration,
  equal,
  ListValue,
  noValue,
  Optional,
  Timestamp,
  typeName,
  Uint,
  type Value,
} from "../values/value.ts";

const comparable = ["int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"];
const summable = ["int", "uint", "double", "duration"];

/** Reports whether an item comes after another. Items that can't be compared don't. */
function isAfter(a: Value, b: Value, sign: 1 | -1 = 1): boolean {
  const order = compare(a, b);
  return order !== undefined && order * sign > 0;
}

function isSorted(list: ListValue): boolean {
  for (let index = 1; index < list.length; index++) if (isAfter(list.at(index - 1), list.at(index))) return false;
  return true;
}

function extreme(list: ListValue, name: string, sign: 1 | -1): Value {
  if (list.length === 0) throw new EvaluationError(`${name} called on empty list`);
  let best = list.at(0);
  for (const item of list) if (isAfter(item, best, sign)) best = item;
  return best;
}

function range(count: bigint): ListValue {
  const size = count > 0n ? Number(count) : 0;
  if (size > 10_000_000) throw new EvaluationError("operation cancelled: actual cost limit exceeded");
  return new ArrayList(Array.from({ length: size }, (_, index) => BigInt(index)));
}

function flatten(list: ListValue, depth: bigint): Value[] {
  if (depth < 0n) throw new EvaluationError("level must be non-negative");
  const items: Value[] = [];
  for (const item of list) {
    if (depth > 0n && item instanceof ListValue) for (const inner of flatten(item, depth - 1n)) items.push(inner);
    else items.push(item);
  }
  return items;
}

function slice(list: ListValue, start: bigint, end: bigint): ListValue {
  const shown = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) throw new EvaluationError(`${shown}, negative indexes not supported`);
  if (start > end) throw new EvaluationError(`${shown}, start index must be less than or equal to end index`);
  if (BigInt(list.length) < end) throw new EvaluationError(`${shown}, list is length ${list.length}`);
  return new ArrayList([...list].slice(Number(start), Number(end)));
}

function distinct(list: ListValue): ListValue {
  const distinctValues: Value[] = [];
  for (const item of list) if (!distinctValues.some((other) => equal(item, other))) distinctValues.push(item);
  return new ArrayList(distinctValues);
}

function sortBy(list: ListValue, keys: ListValue): ListValue {
  if (list.length === 0) return list;
  const first = keys.at(0);
  if (compare(first, first) === undefined) throw new EvaluationError("list elements must be comparable");
  const entries = [...list].map((item, index) => ({ item, key: keys.at(index) }));
  if (entries.some(({ key }) => typeName(key) !== typeName(first))) {
    throw new EvaluationError("list elements must have the same type");
  }
  return new ArrayList(entries.sort((a, b) => compare(a.key, b.key) as number).map(({ item }) => item));
}

/**
 * Declares the functions of lists, of Kubernetes and of CEL's extension.
 *
 * @param functions - receives the declarations
 */
export function defineLists(functions: Functions): void {
  const zeros: Record<string, Value> = { int: 0n, uint: new Uint(0n), double: 0, duration: new Duration(0n) };
  const add = functions.get("_+_")?.overloads ?? [];
  const ids: Record<string, string> = {
    int: "add_int64",
    uint: "add_uint64",
    double: "add_double",
    duration: "add_duration_duration",
  };
  for (const type of comparable) {
    define(functions, "isSorted", [`list_${type}_is_sorted_bool`, `list(${type}).() -> bool`, isSorted]);
    define(functions, "max", [
      `list_${type}_max_${type}`,
      `list(${type}).() -> ${type}`,
      (list: ListValue) => extreme(list, "max", 1),
    ]);
    define(functions, "min", [
      `list_${type}_min_${type}`,
      `list(${type}).() -> ${type}`,
      (list: ListValue) => extreme(list, "min", -1),
    ]);
    define(functions, "sort", [
      `list_${type}_sort`,
      `list(${type}).() -> list(${type})`,
      (list: ListValue) => sortBy(list, list),
    ]);
    define(functions, "@sortByAssociatedKeys", [
      `list_${type}_sortByAssociatedKeys`,
      `list(T).(list(${type})) -> list(T)`,
      sortBy,
    ]);
  }
  for (const type of summable) {
    const plus = add.find(({ id }) => id === ids[type])?.run as (a: Value, b: Value) => Value;
    const sum = (list: ListValue) =>
      [...list].reduce((total, item) => {
        if (typeName(item) !== typeName(total)) throw noSuchOverload();
        return plus(total, item);
      }, zeros[type] as Value);
    define(functions, "sum", [`list_${type}_sum_${type}`, `list(${type}).() -> ${type}`, sum]);
  }
  define(functions, "indexOf", [
    "list_a_index_of_int",
    "list(A).(A) -> int",
    (list: ListValue, item: Value) => BigInt([...list].findIndex((other) => equal(item, other))),
  ]);
  define(functions, "lastIndexOf", [
    "list_a_last_index_of_int",
    "list(A).(A) -> int",
    (list: ListValue, item: Value) => BigInt([...list].findLastIndex((other) => equal(item, other))),
  ]);
  define(functions, "slice", ["list_slice", "list(T).(int, int) -> list(T)", slice]);
  const flat = (list: ListValue, depth = 1n) => new ArrayList(flatten(list, depth));
  define(
    functions,
    "flatten",
    ["list_flatten", "list(list(T)).() -> list(T)", flat],
    ["list_flatten_int", "list(dyn).(int) -> list(dyn)", flat],
  );
  define(functions, "lists.range", ["lists_range", "(int) -> list(int)", range]);
  define(functions, "reverse", [
    "list_reverse",
    "list(T).() -> list(T)",
    (list: ListValue) => new ArrayList([...list].reverse()),
  ]);
  define(functions, "distinct", ["list_distinct", "list(T).() -> list(T)", distinct]);
  const has = (list: ListValue, item: Value) => [...list].some((other) => equal(item, other));
  const containsAll = (list: ListValue, sub: ListValue) => [...sub].every((item) => has(list, item));
  define(functions, "sets.contains", ["list_sets_contains_list", "(list(T), list(T)) -> bool", containsAll]);
  define(functions, "sets.equivalent", [
    "list_sets_equivalent_list",
    "(list(T), list(T)) -> bool",
    (a: ListValue, b: ListValue) => containsAll(a, b) && containsAll(b, a),
  ]);
  define(functions, "sets.intersects", [
    "list_sets_intersects_list",
    "(list(T), list(T)) -> bool",
    (a: ListValue, b: ListValue) => [...a].some((item) => has(b, item)),
  ]);
}

/**
 * Declares the functions of optional values.
 *
 * @param functions - receives the declarations
 */
export function defineOptional(functions: Functions): void {
  const isZero = (value: Value): boolean => {
    if (value === null || value === false || value === 0 || value === 0n || value === "") return true;
    if (value instanceof Uint) return value.value === 0n;
    if (value instanceof Duration) return value.nanos === 0n;
    if (value instanceof Timestamp) return value.nanos === minTimestamp;
    return typeof value === "object" && ("length" in value ? value.length === 0 : "size" in value && value.size === 0);
  };
  const unwrap = (optional: Optional) => {
    if (optional.value === undefined) throw new EvaluationError("optional.none() dereference");
    return optional.value;
  };
  const present = (list: ListValue) =>
    new ArrayList(
      [...list].flatMap((item) => (item instanceof Optional && item.value !== undefined ? [item.value] : [])),
    );
  define(functions, "optional.of", ["optional_of", "(V) -> optional(V)", (value: Value) => new Optional(value)]);
  define(functions, "optional.ofNonZeroValue", [
    "optional_ofNonZeroValue",
    "(V) -> optional(V)",
    (value: Value) => (isZero(value) ? noValue : new Optional(value)),
  ]);
  define(functions, "optional.none", ["optional_none", "() -> optional(V)", () => noValue]);
  define(functions, "value", ["optional_value", "optional(V).() -> V", unwrap]);
  define(functions, "hasValue", [
    "optional_hasValue",
    "optional(V).() -> bool",
    (optional: Optional) => optional.value !== undefined,
  ]);
  define(functions, "or", [
    "optional_or_optional",
    "optional(V).(optional(V)) -> optional(V)",
    (a: Optional, b: Optional) => (a.value === undefined ? b : a),
  ]);
  define(functions, "orValue", [
    "optional_orValue_value",
    "optional(V).(V) -> V",
    (a: Optional, b: Value) => (a.value === undefined ? b : a.value),
  ]);
  define(functions, "optional.unwrap", ["optional_unwrap", "(list(optional(V))) -> list(V)", present]);
  define(functions, "unwrapOpt", ["optional_unwrapOpt", "list(optional(V)).() -> list(V)", present]);
  define(functions, "first", [
    "list_first",
    "list(V).() -> optional(V)",
    (list: ListValue) => (list.length === 0 ? noValue : new Optional(list.at(0))),
  ]);
  define(functions, "last", [
    "list_last",
    "list(V).() -> optional(V)",
    (list: ListValue) => (list.length === 0 ? noValue : new Optional(list.at(list.length - 1))),
  ]);
  define(
    functions,
    "_[_]",
    ["optional_list_index_int", "(optional(list(V)), int) -> optional(V)", () => noValue],
    ["optional_map_index_value", "(optional(map(K, V)), K) -> optional(V)", () => noValue],
  );
  define(
    functions,
    "_[?_]",
    ["list_optindex_optional_int", "(list(V), int) -> optional(V)", () => noValue],
    ["optional_list_optindex_optional_int", "(optional(list(V)), int) -> optional(V)", () => noValue],
    ["map_optindex_optional_value", "(map(K, V), K) -> optional(V)", () => noValue],
    ["optional_map_optindex_optional_value", "(optional(map(K, V)), K) -> optional(V)", () => noValue],
  );
}
