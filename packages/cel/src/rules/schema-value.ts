import { tryParseDuration } from "../duration/duration.ts";
import { namedDuration } from "../formats/formats.ts";
import { fromBase64 } from "../json/bytes.ts";
import { isObject, type Json, type JsonObject } from "../json/json.ts";
import { WholeFloat } from "../json/notation.ts";
import { EvaluationError } from "../language/values/evaluation-error.ts";
import { parseTime, zoneOf } from "../language/values/time.ts";
import { ArrayList, Duration, equal, ListValue, MapValue, Timestamp, type Value } from "../language/values/value.ts";
import type { Schema } from "../schema/schema.ts";
import { escapeName, keywords, withObjectMeta } from "./schema-type.ts";

/**
 * Converts data to the type that its schema declares. Lists and objects are converted when they are read.
 *
 * @param data - the data
 * @param schema - its structural schema
 * @returns the value
 * @throws EvaluationError if the data doesn't conform to the schema
 */
export function schemaValue(data: Json, schema: Schema): Value {
  if (data === null) {
    if (schema.nullable) return null;
    throw new EvaluationError("invalid data, got null for schema with nullable=false");
  }
  if (data instanceof WholeFloat) {
    if (schema.type === "number") return data.value;
    if (schema.type === "integer") throw new EvaluationError("invalid data, expected int, got float64");
  }
  if (schema["x-kubernetes-int-or-string"]) {
    if (typeof data === "string") return data;
    if (typeof data === "number" && Number.isInteger(data)) return BigInt(data);
    throw new EvaluationError("invalid data, expected XIntOrString value to be either a string or integer");
  }
  if (Array.isArray(data)) return schema.items === undefined ? new ArrayList([]) : new SchemaList(data, schema);
  if (isObject(data)) {
    if (typeof schema.additionalProperties === "object") return new SchemaMap(data, schema.additionalProperties);
    return new SchemaObject(data, schema["x-kubernetes-embedded-resource"] ? withObjectMeta(schema) : schema);
  }
  if (typeof data === "number") {
    if (schema.type === "integer" && Number.isInteger(data)) return BigInt(data);
    return data;
  }
  return typeof data === "string" ? textValue(data, schema.format) : data;
}

function textValue(text: string, format: string | undefined): Value {
  const parsed = (nanos: bigint | undefined, type: string): bigint => {
    if (nanos === undefined) throw new EvaluationError(`Invalid ${type} ${text}`);
    return nanos;
  };
  switch (format) {
    case "duration":
      return new Duration(parsed(tryParseDuration(text) ?? namedDuration(text), "duration"));
    case "date":
      return new Timestamp(parsed(parseTime(`${text}T00:00:00Z`), "date formatted string"));
    case "date-time":
      return new Timestamp(parsed(parseTime(text), "date-time formatted string"), zoneOf(text));
    case "byte":
      return fromBase64(text);
    default:
      return text;
  }
}

const names = new WeakMap<Schema, ReadonlyMap<string, string>>();

/** Returns the names of properties by escaped name. */
function properties(schema: Schema): ReadonlyMap<string, string> {
  const cached = names.get(schema);
  if (cached !== undefined) return cached;
  const byName = new Map<string, string>();
  for (const name of Object.keys(schema.properties ?? {})) {
    const escaped = escapeName(name);
    if (escaped !== undefined) byName.set(escaped, name);
  }
  names.set(schema, byName);
  return byName;
}

/** Objects and maps of data have only texts as keys, and refuse others. */
function textKey(key: Value): string {
  if (typeof key !== "string") throw new EvaluationError("no such overload");
  return key;
}

class SchemaObject extends MapValue {
  readonly #raw: JsonObject;
  readonly #schema: Schema;

  constructor(raw: JsonObject, schema: Schema) {
    super();
    this.#raw = raw;
    this.#schema = schema;
  }

  override get typeName(): string {
    return "object";
  }

  get size(): number {
    return [...this.#present()].length;
  }

  get(key: Value): Value | undefined {
    const name = this.#nameOf(textKey(key));
    return name === undefined ? undefined : this.property(name);
  }

  /** @returns the value of a property by its name in the schema. A property that is null is absent. */
  property(name: string): Value | undefined {
    const raw = Object.hasOwn(this.#raw, name) ? this.#raw[name] : undefined;
    const schema = this.#schema.properties?.[name];
    return raw === undefined || raw === null || schema === undefined ? undefined : schemaValue(raw, schema);
  }

  /** Keywords can be used as names of fields, with and without escapes. */
  #nameOf(key: string): string | undefined {
    const declared = properties(this.#schema);
    return declared.get(key) ?? (keywords.has(key) ? declared.get(`__${key}__`) : undefined);
  }

  *keys(): Iterable<Value> {
    for (const [escaped, name] of this.#present()) if (this.#raw[name] !== null) yield escaped;
  }

  #present(): [string, string][] {
    return [...properties(this.#schema)].filter(([, name]) => Object.hasOwn(this.#raw, name));
  }
}

class SchemaMap extends MapValue {
  readonly #raw: JsonObject;
  readonly #schema: Schema;

  constructor(raw: JsonObject, schema: Schema) {
    super();
    this.#raw = raw;
    this.#schema = schema;
  }

  get size(): number {
    return Object.keys(this.#raw).length;
  }

  get(key: Value): Value | undefined {
    const name = textKey(key);
    const raw = Object.hasOwn(this.#raw, name) ? this.#raw[name] : undefined;
    return raw === undefined ? undefined : schemaValue(raw, this.#schema);
  }

  keys(): Iterable<Value> {
    return Object.keys(this.#raw);
  }
}

class SchemaList extends ListValue {
  readonly #raw: readonly Json[];
  readonly #schema: Schema;

  constructor(raw: readonly Json[], schema: Schema) {
    super();
    this.#raw = raw;
    this.#schema = schema;
  }

  get length(): number {
    return this.#raw.length;
  }

  at(index: number): Value {
    return schemaValue(this.#raw[index] as Json, this.#schema.items as Schema);
  }

  /** Returns what identifies an item in a set or a map, or undefined in other lists. */
  #keyOf(item: Value): string | undefined {
    const type = this.#schema["x-kubernetes-list-type"];
    if (type === "set") return printed(item);
    if (type !== "map" || !(item instanceof MapValue)) return undefined;
    return (this.#schema["x-kubernetes-list-map-keys"] ?? []).map((key) => printed(propertyOf(item, key))).join();
  }

  override equals(other: ListValue): boolean {
    if (!this.#isKeyed) return super.equals(other);
    return equalByKeys(this, other, (item) => this.#keyOf(item));
  }

  override concat(other: ListValue): ListValue {
    if (!this.#isKeyed) return super.concat(other);
    return concatByKeys(this, other, (item) => this.#keyOf(item));
  }

  get #isKeyed(): boolean {
    const type = this.#schema["x-kubernetes-list-type"];
    return type === "set" || type === "map";
  }
}

type KeyOf = (item: Value) => string | undefined;

/** The result of the concatenation of sets or maps, which is one as well. */
class MergedList extends ArrayList {
  readonly #keyOf: KeyOf;

  constructor(items: readonly Value[], keyOf: KeyOf) {
    super(items);
    this.#keyOf = keyOf;
  }

  override equals(other: ListValue): boolean {
    return equalByKeys(this, other, this.#keyOf);
  }

  override concat(other: ListValue): ListValue {
    return concatByKeys(this, other, this.#keyOf);
  }
}

function equalByKeys(list: ListValue, other: ListValue, keyOf: KeyOf): boolean {
  if (list.length !== other.length) return false;
  const items = new Map([...list].map((item) => [keyOf(item), item]));
  return [...other].every((item) => {
    const own = items.get(keyOf(item));
    return own !== undefined && equal(own, item);
  });
}

function concatByKeys(list: ListValue, other: ListValue, keyOf: KeyOf): ListValue {
  const merged = new Map([...list].map((item) => [keyOf(item), item]));
  for (const item of other) merged.set(keyOf(item), item);
  return new MergedList([...merged.values()], keyOf);
}

/** Returns a property of an item, also one whose name expressions can't contain. */
function propertyOf(item: MapValue, name: string): Value {
  if (item instanceof SchemaObject) return item.property(name) ?? null;
  return item.get(escapeName(name) ?? name) ?? null;
}

function printed(value: Value): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? `${item}n` : item));
}
