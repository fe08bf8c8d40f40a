import { isObject, type Json, type JsonObject } from "../../json/json.ts";
import { namedDuration } from "../../schema/formats.ts";
import type { Schema } from "../../schema/schema.ts";
import { EvaluationError } from "../evaluation-error.ts";
import { parseDuration, parseTime, zoneOf } from "../time.ts";
import { ArrayList, Duration, equal, ListValue, MapValue, Timestamp, type Value } from "../value.ts";
import { escapeName, withObjectMeta } from "./schema-type.ts";

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
  const found = (nanos: bigint | undefined, type: string): bigint => {
    if (nanos === undefined) throw new EvaluationError(`Invalid ${type} ${text}`);
    return nanos;
  };
  switch (format) {
    case "duration":
      return new Duration(found(parseDuration(text) ?? namedDuration(text), "duration"));
    case "date":
      return new Timestamp(found(parseTime(`${text}T00:00:00Z`), "date formatted string"));
    case "date-time":
      return new Timestamp(found(parseTime(text), "date-time formatted string"), zoneOf(text));
    case "byte":
      return Uint8Array.from(Buffer.from(text, "base64"));
    default:
      return text;
  }
}

const names = new WeakMap<Schema, ReadonlyMap<string, string>>();

/** Returns the names of properties by escaped name. */
function properties(schema: Schema): ReadonlyMap<string, string> {
  const known = names.get(schema);
  if (known !== undefined) return known;
  const byName = new Map<string, string>();
  for (const name of Object.keys(schema.properties ?? {})) {
    const escaped = escapeName(name);
    if (escaped !== undefined) byName.set(escaped, name);
  }
  names.set(schema, byName);
  return byName;
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
    const name = typeof key === "string" ? properties(this.#schema).get(key) : undefined;
    const raw = name === undefined || !Object.hasOwn(this.#raw, name) ? undefined : this.#raw[name];
    // A property that is null counts as missing, also where the schema allows null.
    const isMissing = raw === undefined || raw === null;
    return isMissing ? undefined : schemaValue(raw, this.#schema.properties?.[name as string] as Schema);
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
    const raw = typeof key === "string" && Object.hasOwn(this.#raw, key) ? this.#raw[key] : undefined;
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
    return (this.#schema["x-kubernetes-list-map-keys"] ?? [])
      .map((key) => printed(item.get(escapeName(key) ?? key) ?? null))
      .join();
  }

  override equals(other: ListValue): boolean {
    if (this.#keyOf("") === undefined && this.#schema["x-kubernetes-list-type"] !== "map") return super.equals(other);
    if (this.length !== other.length) return false;
    const items = new Map([...this].map((item) => [this.#keyOf(item), item]));
    return [...other].every((item) => {
      const own = items.get(this.#keyOf(item));
      return own !== undefined && equal(own, item);
    });
  }

  override concat(other: ListValue): ListValue {
    const type = this.#schema["x-kubernetes-list-type"];
    if (type !== "set" && type !== "map") return super.concat(other);
    const merged = new Map([...this].map((item) => [this.#keyOf(item), item]));
    for (const item of other) merged.set(this.#keyOf(item), item);
    return new ArrayList([...merged.values()]);
  }
}

function printed(value: Value): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? `${item}n` : item));
}
