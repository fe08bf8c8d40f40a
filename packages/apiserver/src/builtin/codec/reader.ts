import { compareBytes, isObject, type Json, type JsonObject, writtenText } from "@kubewright/cel/json";
import { canonicalQuantity } from "@kubewright/cel/quantity";
import { normalizeMicroTime, normalizeTime } from "@kubewright/cel/validation";
import { type GoField, type GoStruct, type GoType, goStruct, type SpecialType } from "./go-types.ts";
import { base64Problem, describe, inRange, numberText } from "./scalars.ts";
import { isEmpty, nil, requiredFields, zero } from "./zero-values.ts";

/**
 * The origin of an object: decoded from JSON; from storage, which makes no difference between empty and absent lists and
 * maps; the same before it was checked, with empty values that are refused; or converted from untyped values, which has other
 * messages and wraps numbers that are too large.
 */
export type Form = "decoded" | "stored" | "unchecked" | "converted";

/**
 * The optional fields for which an empty value differs from an absent one: it gets no default, or a message contains it. It
 * is always refused, so that it never reaches the storage, webhooks or managed fields. Besides, an empty list of managed
 * fields resets them.
 */
const keptEmpty: Readonly<Record<string, string>> = {
  "v1.PersistentVolumeSpec": "capacity",
  "v1.PodFailurePolicyOnExitCodesRequirement": "values",
  "v1.ServiceCIDRSpec": "cidrs",
  "v1.SuccessPolicy": "rules",
  "v2.HPAScalingRules": "policies",
};

/** The first moment of Go's times means that there is none. */
const zeroTime = /^0001-01-01T00:00:00(?:\.0+)?Z$/;

const byteType: GoType = { form: "int64", name: "uint8" };

/** The kind that is stored as JSON, which has empty lists, while protobuf hasn't. */
const storedAsJson = "v1.CustomResourceDefinition";

/** Reads a value of a Go type. */
export class Reader {
  /** The first error. Go reads on and reports it at the end. */
  error: string | undefined;
  readonly unknown: string[] = [];
  /** The fields of the root with optional lists or maps that are empty and were dropped. */
  readonly emptied: Set<string> = new Set();
  /** The fields, keys of maps and indexes of lists that lead to the present value. */
  readonly #path: (string | number)[] = [];
  /** The same without keys and indexes: structs and their fields in turn, for errors. */
  readonly #fields: string[] = [];
  readonly #form: Form;
  readonly #stored: boolean;
  #dropsEmptyLists = false;
  /** The object or list that contains the present value. */
  #container: object = {};

  constructor(form: Form) {
    this.#form = form;
    this.#stored = form === "stored" || form === "unchecked";
  }

  root(struct: GoStruct, value: Json): JsonObject {
    this.#dropsEmptyLists = this.#stored && struct.name !== storedAsJson;
    if (value !== null && !isObject(value)) this.typeError(value, struct);
    return this.#readStruct(struct, isObject(value) ? value : {});
  }

  protected fail(message: string): void {
    this.error ??= message;
  }

  protected typeError(value: Json, { name }: Pick<GoType, "name">, shown: string = describe(value)): void {
    this.specialError(value, name, shown);
  }

  /** Reports a value that the decoder of a type of its own, such as a time, refuses. */
  protected specialError(value: Json, name: string, shown: string = describe(value)): void {
    this.fail(`json: cannot unmarshal ${shown} into ${this.#where()} of type ${name}`);
  }

  /** Returns the keys of an object in the order in which they are read. */
  protected keysOf(_struct: GoStruct, value: JsonObject): Iterable<string> {
    return Object.keys(value);
  }

  #where(): string {
    const fields = this.#fields;
    if (fields.length === 0) return "Go value";
    let path = "";
    for (let at = 0; at < fields.length; at += 2) {
      path += `.${fields[at + 1]}`;
    }
    return `Go struct field ${shortName(fields.at(-2) as string)}${path}`;
  }

  #readStruct(struct: GoStruct, value: JsonObject): JsonObject {
    const kept = this.#form === "stored" ? undefined : keptEmpty[struct.name];
    // Most objects have few of the fields, in the order of the struct.
    const fields: Found[] = [];
    let isOrdered = true;
    for (const key of this.keysOf(struct, value)) {
      const field = struct.byName.get(key);
      if (field === undefined) {
        if (value[key] !== undefined) this.unknown.push(this.#pathTo(key));
        continue;
      }
      const given = value[key];
      if (given === undefined) continue;
      this.#fields.push(struct.name, field.path);
      this.#path.push(key);
      this.#container = value;
      const read = key === kept && isEmptyValue(given, field.type) ? given : this.#read(field.type, given);
      this.#path.pop();
      this.#fields.pop();
      this.#fields.pop();
      const last = fields.at(-1);
      if (last !== undefined && last.field.index > field.index) isOrdered = false;
      fields.push({ field, value: read });
    }
    if (!isOrdered) fields.sort((one, other) => one.field.index - other.field.index);

    const object: JsonObject = {};
    const required = requiredFields(struct);
    let next = 0;
    for (const { field, value } of fields) {
      for (; (required[next]?.index ?? Number.POSITIVE_INFINITY) < field.index; next++) setZero(object, required[next]);
      if (required[next] === field) next++;
      const { json, type, omit } = field;
      const isKept = value !== nil && (json === kept || (json === "managedFields" && this.#path.length === 1));
      if (omit !== undefined && !isKept && isEmpty(type, value, omit)) {
        if (value !== nil && (type.form === "list" || type.form === "map"))
          this.emptied.add(String(this.#path[0] ?? json));
        continue;
      }
      object[json] = value === nil ? null : value;
    }
    for (; next < required.length; next++) setZero(object, required[next]);
    return object;
  }

  #pathTo(key: string): string {
    const parts = [...this.#path, key].map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`));
    return parts.join("").slice(1);
  }

  #read(type: GoType, value: Json): Json | typeof nil {
    if (value === null && type.form !== "special" && type.form !== "raw") return zero(type);
    switch (type.form) {
      case "pointer":
        return value === null ? nil : this.#read(type.item, value);
      case "struct":
        if (!isObject(value)) {
          this.typeError(value, type);
          return zero(type);
        }
        return this.#readStruct(type.struct(), value);
      case "list":
        return this.#readList(type, value);
      case "map":
        return this.#readMap(type, value);
      case "special":
        return this.#readSpecial(type.special, value);
      case "raw":
        return value;
      default:
        return this.readScalar(type, value);
    }
  }

  #readList(type: GoType & { form: "list" }, value: Json): Json | typeof nil {
    if (!Array.isArray(value)) {
      this.typeError(value, type);
      return nil;
    }
    if (this.#dropsEmptyLists && value.length === 0) return nil;
    return value.map((one, index) => {
      this.#path.push(index);
      this.#container = value;
      const read = this.#read(type.item, one);
      this.#path.pop();
      return read === nil ? null : read;
    });
  }

  #readMap(type: GoType & { form: "map" }, value: Json): Json | typeof nil {
    if (!isObject(value)) {
      this.typeError(value, type);
      return nil;
    }
    const map: JsonObject = {};
    if (this.#stored && Object.keys(value).length === 0) return nil;
    // Go writes maps in the order of their keys.
    for (const key of Object.keys(value).sort(compareBytes)) {
      const item = value[key];
      if (item === undefined) continue;
      this.#path.push(key);
      this.#container = value;
      const read = this.#read(type.item, item);
      this.#path.pop();
      // In protobuf, a value of a map is there, even if it is empty.
      const empty = !this.#stored ? null : type.item.form === "bytes" ? "" : type.item.form === "list" ? [] : null;
      const entry = read === nil ? empty : read;
      if (key === "__proto__")
        Object.defineProperty(map, key, { value: entry, enumerable: true, writable: true, configurable: true });
      else map[key] = entry;
    }
    return map;
  }

  protected readScalar(type: GoType, value: Json): Json | typeof nil {
    switch (type.form) {
      case "string":
        if (typeof value === "string") return value;
        break;
      case "bool":
        if (typeof value === "boolean") return value;
        break;
      case "bytes":
        if (typeof value === "string") return this.#readBytes(value);
        if (Array.isArray(value)) return this.#readByteList(value);
        break;
      case "float64":
        if (typeof value === "number") return value;
        if (typeof value === "bigint") return Number(value);
        break;
      default:
        if (typeof value === "bigint") {
          if (type.form === "int64") return value;
          this.typeError(value, type, `number ${value}`);
          return 0;
        }
        if (typeof value !== "number") break;
        if (this.#isInteger(value) && inRange(type.form, value)) return value;
        this.typeError(value, type, `number ${this.#numberText(value)}`);
        return 0;
    }
    this.typeError(value, type);
    return zero(type);
  }

  /** Reads a list of numbers, which is another form of bytes. */
  #readByteList(list: readonly Json[]): string {
    const bytes = list.map((item) => {
      if (item === null) return 0;
      if (typeof item === "number" && Number.isInteger(item) && item >= 0 && item < 256) return item;
      const shown = typeof item === "number" ? `number ${numberText(item)}` : describe(item);
      this.typeError(item, byteType, shown);
      return 0;
    });
    return Buffer.from(bytes).toString("base64");
  }

  /** Go reads no integers that are written with a fraction or an exponent. */
  #isInteger(value: number): boolean {
    return Number.isInteger(value) && !/[.eE]/.test(this.#written(value) ?? "");
  }

  #numberText(value: number): string {
    return this.#written(value) ?? numberText(value);
  }

  #quantityText(value: Json): string {
    if (typeof value === "string") return value;
    return typeof value === "number" ? (this.#written(value) ?? String(value)) : "x";
  }

  #written(value: Json): string | undefined {
    return this.#form === "converted" || this.#stored
      ? undefined
      : writtenText(this.#container, this.#path.at(-1) as string | number, value);
  }

  #readBytes(value: string): string {
    const text = value.replace(/[\r\n]/g, "");
    const wrong = base64Problem(text);
    if (wrong !== undefined) this.fail(this.bytesError(`illegal base64 data at input byte ${wrong}`));
    return wrong === undefined ? text : "";
  }

  protected bytesError(message: string): string {
    return message;
  }

  #readSpecial(type: SpecialType, value: Json): Json | typeof nil {
    switch (type) {
      case "Time":
      case "MicroTime":
        if (value === null) return null;
        if (typeof value === "string") return this.#readTime(value, type === "MicroTime");
        this.specialError(value, "string");
        return null;
      case "Quantity": {
        if (value === null) return "0";
        try {
          return canonicalQuantity(this.#quantityText(value).trim());
        } catch (error) {
          this.fail((error as Error).message);
          return "0";
        }
      }
      case "IntOrString":
        if (typeof value === "string") return value;
        if (value === null) return 0;
        if (typeof value === "number" && this.#isInteger(value) && inRange("int32", value)) return value;
        this.specialError(
          value,
          "int32",
          typeof value === "number" ? `number ${this.#numberText(value)}` : describe(value),
        );
        return 0;
      case "Duration":
        if (typeof value === "string") return value;
        this.specialError(value, "string");
        return "0s";
      case "JSONSchemaPropsOrBool":
        if (typeof value === "boolean" || value === null) return value ?? nil;
        if (isObject(value)) return this.#readSchema(value);
        this.fail("boolean or JSON schema expected");
        return false;
      case "JSONSchemaPropsOrArray":
      case "JSONSchemaPropsOrStringArray":
        if (isObject(value)) return this.#readSchema(value);
        if (!Array.isArray(value) || value.length === 0) return null;
        return type === "JSONSchemaPropsOrArray" ? value.map((one) => this.#readSchema(one)) : value;
      default:
        return value === null && type !== "JSON" ? nil : value;
    }
  }

  /** Reads a schema in a schema. It is decoded by itself, so that unknown fields aren't reported. */
  #readSchema(value: Json): JsonObject {
    const schema = goStruct("apiextensions/v1.JSONSchemaProps");
    const reader = this.specialReader();
    const { length } = reader.unknown;
    if (!isObject(value) && value !== null) reader.typeError(value, schema);
    const object = reader.#readStruct(schema, isObject(value) ? value : {});
    reader.unknown.length = length;
    if (reader.error !== undefined) this.fail(reader.error);
    return object;
  }

  /** Returns the reader of a value that has a decoder of its own. */
  protected specialReader(): Reader {
    return this;
  }

  #readTime(text: string, micro: boolean): Json {
    try {
      const time = micro ? normalizeMicroTime(text) : normalizeTime(text);
      return zeroTime.test(time) ? null : time;
    } catch (error) {
      this.fail((error as Error).message);
      return null;
    }
  }
}

/** A field of an object, and its value as Go reads it. */
interface Found {
  field: GoField;
  value: Json | typeof nil;
}

function setZero(object: JsonObject, field: GoField | undefined): void {
  if (field === undefined) return;
  const value = zero(field.type);
  object[field.json] = value === nil ? null : value;
}

/** Removes the package from the name of a struct. */
function shortName(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function isEmptyValue(value: Json, { form }: GoType): boolean {
  if (Array.isArray(value)) return form === "list" && value.length === 0;
  return form !== "list" && isObject(value) && Object.keys(value).length === 0;
}
