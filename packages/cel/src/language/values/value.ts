import type { Json, JsonObject } from "../../json/json.ts";
import { isWrittenAsFloat } from "../../json/notation.ts";

/** A value of CEL. Integers are bigints and doubles are numbers, so that the type of a value is always known. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | Timestamp
  | Duration
  | ListValue
  | MapValue
  | Optional
  | TypeValue
  | OpaqueValue;

/** An unsigned integer. */
export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** A point in time, in nanoseconds since 1970. The zone, for example `+02:00`, is that of its text only. */
export class Timestamp {
  readonly nanos: bigint;
  readonly zone: string;

  constructor(nanos: bigint, zone = "Z") {
    this.nanos = nanos;
    this.zone = zone;
  }
}

/** A duration in nanoseconds. */
export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A type as a value, the result of `type(x)`. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A value that may be absent. */
export class Optional {
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }
}

/** The optional value that is absent. */
export const noValue: Optional = new Optional(undefined);

/** A value of a library's type. */
export abstract class OpaqueValue {
  abstract readonly typeName: string;
  /** Compares with a value of the same class. */
  abstract equals(other: this): boolean;
}

/** A list. */
export abstract class ListValue {
  abstract readonly length: number;
  abstract at(index: number): Value;

  /** Compares with another list; lists of schemas may ignore the order. */
  equals(other: ListValue): boolean {
    if (this.length !== other.length) return false;
    for (let index = 0; index < this.length; index++) {
      if (!equal(this.at(index), other.at(index))) return false;
    }
    return true;
  }

  /** Appends another list. */
  concat(other: ListValue): ListValue {
    return this.length === 0 ? other : other.length === 0 ? this : new ConcatenatedList(this, other);
  }

  *[Symbol.iterator](): Iterator<Value> {
    for (let index = 0; index < this.length; index++) yield this.at(index);
  }
}

/** A list of computed values. */
export class ArrayList extends ListValue {
  readonly items: readonly Value[];

  constructor(items: readonly Value[]) {
    super();
    this.items = items;
  }

  get length(): number {
    return this.items.length;
  }

  at(index: number): Value {
    return this.items[index] as Value;
  }
}

/** Two lists in sequence. Appends of single items share one array, so that a fold that builds a list is linear. */
class ConcatenatedList extends ListValue {
  readonly #items: Value[];
  readonly length: number;

  constructor(left: ListValue, right: ListValue) {
    super();
    const shared = left instanceof ConcatenatedList && left.#items.length === left.length;
    this.#items = shared ? left.#items : [...left];
    for (const item of right) this.#items.push(item);
    this.length = this.#items.length;
  }

  at(index: number): Value {
    return this.#items[index] as Value;
  }
}

/** A map, or an object with fields. */
export abstract class MapValue {
  /** The name of the type. */
  get typeName(): string {
    return "map";
  }
  abstract readonly size: number;
  abstract get(key: Value): Value | undefined;
  abstract keys(): Iterable<Value>;
}

/** A map of computed values. */
export class EntryMap extends MapValue {
  readonly #entries: ReadonlyMap<string, readonly [Value, Value]>;

  constructor(entries: ReadonlyMap<string, readonly [Value, Value]>) {
    super();
    this.#entries = entries;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Value): Value | undefined {
    const name = keyOf(key);
    return name === undefined ? undefined : this.#entries.get(name)?.[1];
  }

  *keys(): Iterable<Value> {
    for (const [key] of this.#entries.values()) yield key;
  }

  /** Returns the map with another entry. */
  with(key: Value, value: Value): EntryMap {
    return new EntryMap(new Map(this.#entries).set(keyOf(key) as string, [key, value]));
  }
}

/**
 * Returns the key under which a map stores a value. Numbers of all types that are equal have the same key.
 *
 * @param value - the key in the expression
 * @returns a text that is unique for the key, or undefined for values that can't be keys
 */
export function keyOf(value: Value): string | undefined {
  switch (typeof value) {
    case "string":
      return `s${value}`;
    case "boolean":
      return `b${value}`;
    case "bigint":
      return `n${value}`;
    case "number":
      return Number.isInteger(value) ? `n${BigInt(value)}` : `f${value}`;
    default:
      if (value === null) return "null";
      return value instanceof Uint ? `n${value.value}` : undefined;
  }
}

/** A JSON object without a schema. */
export class JsonMap extends MapValue {
  readonly raw: JsonObject;

  constructor(raw: JsonObject) {
    super();
    this.raw = raw;
  }

  get size(): number {
    return Object.keys(this.raw).length;
  }

  get(key: Value): Value | undefined {
    if (typeof key !== "string" || !Object.hasOwn(this.raw, key)) return undefined;
    const value = this.raw[key];
    return value === undefined ? undefined : partOf(this.raw, key, value);
  }

  keys(): Iterable<Value> {
    return Object.keys(this.raw);
  }
}

class JsonList extends ListValue {
  readonly #raw: readonly Json[];

  constructor(raw: readonly Json[]) {
    super();
    this.#raw = raw;
  }

  get length(): number {
    return this.#raw.length;
  }

  at(index: number): Value {
    return partOf(this.#raw, index, this.#raw[index] as Json);
  }
}

/**
 * Converts JSON without a schema. Integral numbers become integers.
 *
 * @param json - any JSON
 * @returns the value; lists and objects are converted when they are read
 */
export function fromJson(json: Json): Value {
  if (typeof json === "number") return Number.isSafeInteger(json) ? BigInt(json) : json;
  if (json === null || typeof json !== "object") return json;
  return Array.isArray(json) ? new JsonList(json) : new JsonMap(json);
}

/** Converts a part of JSON, which can be a whole number that was written as a float. */
function partOf(container: object, key: string | number, part: Json): Value {
  return isWrittenAsFloat(container, key, part) ? (part as number) : fromJson(part);
}

/** @returns the name of the type of a value, for example `int` or `google.protobuf.Timestamp` */
export function typeName(value: Value): string {
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "bigint":
      return "int";
    case "number":
      return "double";
    case "string":
      return "string";
    default:
  }
  if (value === null) return "null_type";
  if (value instanceof ListValue) return "list";
  if (value instanceof MapValue || value instanceof OpaqueValue) return value.typeName;
  if (value instanceof Uint8Array) return "bytes";
  if (value instanceof Uint) return "uint";
  if (value instanceof Timestamp) return "google.protobuf.Timestamp";
  if (value instanceof Duration) return "google.protobuf.Duration";
  return value instanceof Optional ? "optional_type" : "type";
}

/**
 * Compares two values of any types for equality. Numbers are compared by their mathematical value.
 *
 * @returns true if the values are equal
 */
export function equal(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (typeof a !== "object" && typeof a === typeof b) return false;
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b) === 0;
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
  if (a instanceof ListValue) return b instanceof ListValue && a.equals(b);
  if (a instanceof MapValue) return b instanceof MapValue && equalMaps(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof Optional) {
    if (!(b instanceof Optional)) return false;
    if (a.value === undefined || b.value === undefined) return a.value === b.value;
    return equal(a.value, b.value);
  }
  return a instanceof OpaqueValue && b instanceof OpaqueValue && a.constructor === b.constructor && a.equals(b);
}

function equalMaps(a: MapValue, b: MapValue): boolean {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    const other = b.get(key);
    if (other === undefined || !equal(a.get(key) as Value, other)) return false;
  }
  return true;
}

/** @returns true for integers and doubles */
export function isNumber(value: Value): value is bigint | number | Uint {
  return typeof value === "bigint" || typeof value === "number" || value instanceof Uint;
}

/**
 * Orders two values.
 *
 * @returns a negative number, 0 or a positive number; NaN for doubles that aren't ordered; undefined if the types have no order
 */
export function compare(a: Value, b: Value): number | undefined {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (typeof a === "string" && typeof b === "string") return compareStrings(a, b);
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  if (a instanceof Timestamp && b instanceof Timestamp) return order(a.nanos, b.nanos);
  if (a instanceof Duration && b instanceof Duration) return order(a.nanos, b.nanos);
  return undefined;
}

function compareNumbers(a: bigint | number | Uint, b: bigint | number | Uint): number {
  const left = a instanceof Uint ? a.value : a;
  const right = b instanceof Uint ? b.value : b;
  if (Number.isNaN(left) || Number.isNaN(right)) return Number.NaN;
  // As in Go, an integer is rounded to a double before it is compared with one, unless the double is out of its range.
  if (typeof left === "number" && typeof right === "bigint") return compareWithInteger(left, right, b instanceof Uint);
  if (typeof left === "bigint" && typeof right === "number") return -compareWithInteger(right, left, a instanceof Uint);
  return left < right ? -1 : left > right ? 1 : 0;
}

function compareWithInteger(double: number, integer: bigint, isUnsigned: boolean): number {
  if (double < (isUnsigned ? 0 : -(2 ** 63))) return -1;
  if (double > 2 ** (isUnsigned ? 64 : 63)) return 1;
  const rounded = Number(integer);
  return double < rounded ? -1 : double > rounded ? 1 : 0;
}

function order(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Orders texts by code points, as the order of their UTF-8 bytes does. */
function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) {
      const surrogate = (code: number) => code >= 0xd800 && code < 0xe000;
      if (surrogate(left) !== surrogate(right)) return surrogate(left) ? 1 : -1;
      return left - right;
    }
  }
  return a.length - b.length;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = (a[index] as number) - (b[index] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** @returns the number of code points of a text */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0xd800 && code < 0xdc00 && index + 1 < text.length) {
      const next = text.charCodeAt(index + 1);
      if (next >= 0xdc00 && next < 0xe000) {
        count--;
        index++;
      }
    }
  }
  return count;
}

/** @returns the result of `size()`, or undefined for values without a size */
export function sizeOf(value: Value): number | undefined {
  if (typeof value === "string") return codePoints(value);
  if (value instanceof ListValue || value instanceof Uint8Array) return value.length;
  return value instanceof MapValue ? value.size : undefined;
}
