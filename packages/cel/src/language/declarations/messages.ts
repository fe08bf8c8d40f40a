import { EvaluationError } from "../values/evaluation-error.ts";
import { MessageValue } from "../values/struct-value.ts";
import { ArrayList, Duration, EntryMap, keyOf, Timestamp, typeName, Uint, type Value } from "../values/value.ts";
import { parseType } from "./function.ts";
import { anyType, durationType, dynType, structType, type Type, timestampType, wrapperType } from "./type.ts";

/** A message of google.protobuf that expressions can construct, although its value is one of another type. */
export interface Message {
  /** The type of expressions that construct it. */
  type: Type;
  fields: ReadonlyMap<string, Type>;
  /** @returns the value, from those of the fields */
  convert(fields: ReadonlyMap<string, Value>): Value;
}

function message(type: Type, fields: Record<string, string>, convert: Message["convert"]): Message {
  return { type, convert, fields: new Map(Object.entries(fields).map(([name, text]) => [name, parseType(text)])) };
}

function wrapper(type: string, empty: Value, convert = (value: Value): Value => value): Message {
  return message(wrapperType(parseType(type)), { value: type }, (fields) => convert(fields.get("value") ?? empty));
}

/** A point in time or a duration, from seconds and nanoseconds. */
function time(name: string, type: Type, create: (nanos: bigint) => Value): Message {
  return message(type, { seconds: "int", nanos: "int" }, (fields) => {
    const part = (field: string, bits: number): bigint => {
      const value = fields.get(field) ?? 0n;
      const problem = (text: string) =>
        new EvaluationError(`field type conversion error for google.protobuf.${name}.${field} value type: ${text}`);
      if (typeof value !== "bigint") {
        throw problem(`unsupported native conversion from ${typeName(value)} to 'int${bits}'`);
      }
      if (BigInt.asIntN(bits, value) !== value) throw problem("integer overflow");
      return value;
    };
    return create(part("seconds", 64) * 1_000_000_000n + part("nanos", 32));
  });
}

const longest = 2n ** 63n - 1n;

/** Durations that don't fit are the longest ones that do. */
function saturated(nanos: bigint): bigint {
  if (nanos > longest) return longest;
  return nanos < -longest - 1n ? -longest - 1n : nanos;
}

const kindsOfValue = {
  number_value: "double",
  string_value: "string",
  bool_value: "bool",
  struct_value: "map(string, dyn)",
  list_value: "list(dyn)",
};

/** The values of enumerations of google.protobuf by name: expressions see them as integers. */
export const enumValues: ReadonlyMap<string, bigint> = new Map([["google.protobuf.NullValue.NULL_VALUE", 0n]]);

/** A message without a form of its own in expressions. */
function plainMessage(name: string, fields: Record<string, string>): Message {
  const fullName = `google.protobuf.${name}`;
  return message(structType(fullName), fields, (values) => {
    const entries = [...values].map(([field, value]) => [keyOf(field) as string, [field, value]] as const);
    return new MessageValue(fullName, new Set(Object.keys(fields)), new Map(entries));
  });
}

/** The messages by name. */
export const messages: ReadonlyMap<string, Message> = new Map(
  Object.entries({
    BoolValue: wrapper("bool", false),
    BytesValue: wrapper("bytes", new Uint8Array()),
    DoubleValue: wrapper("double", 0),
    Duration: time("Duration", durationType, (nanos) => new Duration(saturated(nanos))),
    Empty: plainMessage("Empty", {}),
    FloatValue: wrapper("double", 0, (value) => Math.fround(value as number)),
    Int32Value: wrapper("int", 0n),
    Int64Value: wrapper("int", 0n),
    StringValue: wrapper("string", ""),
    UInt32Value: wrapper("uint", new Uint(0n)),
    UInt64Value: wrapper("uint", new Uint(0n)),
    ListValue: message(
      parseType("list(dyn)"),
      { values: "list(dyn)" },
      (fields) => fields.get("values") ?? new ArrayList([]),
    ),
    Timestamp: time("Timestamp", timestampType, (nanos) => new Timestamp(nanos)),
    Struct: message(
      parseType("map(string, dyn)"),
      { fields: "map(string, dyn)" },
      (fields) => fields.get("fields") ?? new EntryMap(new Map()),
    ),
    "Struct.FieldsEntry": plainMessage("Struct.FieldsEntry", { key: "string", value: "dyn" }),
    Value: message(dynType, kindsOfValue, (fields) => [...fields.values()][0] ?? null),
    Any: message(anyType, { type_url: "string", value: "bytes" }, (fields) => {
      const url = fields.get("type_url");
      if (typeof url !== "string") throw new EvaluationError("unsupported conversion to ref.Val: (*dynamicpb.Message)");
      throw new EvaluationError(`unknown type: '${url.slice(url.lastIndexOf("/") + 1)}'`);
    }),
  }).map(([name, made]) => [`google.protobuf.${name}`, made]),
);
