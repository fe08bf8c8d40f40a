import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { parseDuration } from "@kubewright/cel/duration";
import { isObject, type Json, type JsonObject, setKey } from "@kubewright/cel/json";
import { DecodeError } from "../../model/resource.ts";
import { type GoField, type GoStruct, type GoType, goStruct, type SpecialType } from "./go-types.ts";

/** The first bytes of each message of Kubernetes. */
const prefix = Buffer.from("k8s\0");

/** Named lists that are messages of their own in protobuf. */
const wrappedLists = new Set(["v1.ExtraValue", "v1.Verbs"]);

/**
 * Decodes a message of Kubernetes: a prefix, the kind, and the object.
 *
 * @param bytes - the message
 * @param structOf - finds the type of the kind in the message
 * @returns the object as JSON, with `apiVersion` and `kind`
 * @throws DecodeError if the bytes are malformed
 */
export function decodeProtobuf(
  bytes: Uint8Array,
  structOf: (apiVersion: string, kind: string) => GoStruct | undefined,
): JsonObject {
  if (!prefix.equals(bytes.subarray(0, prefix.length))) {
    throw new DecodeError("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
  }
  try {
    const { apiVersion, kind, raw } = decodeUnknown(bytes.subarray(prefix.length));
    const struct = structOf(apiVersion, kind);
    const object = struct === undefined ? {} : decodeStruct(struct, new BinaryReader(raw), raw.length);
    if (apiVersion !== "") object.apiVersion = apiVersion;
    if (kind !== "") object.kind = kind;
    return object;
  } catch (error) {
    if (error instanceof DecodeError) throw error;
    throw new DecodeError(`proto: ${(error as Error).message}`);
  }
}

/** Decodes runtime.Unknown: the kind, and the bytes of the object. */
function decodeUnknown(bytes: Uint8Array): { apiVersion: string; kind: string; raw: Uint8Array } {
  const unknown: { apiVersion: string; kind: string; raw: Uint8Array } = {
    apiVersion: "",
    kind: "",
    raw: new Uint8Array(),
  };
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    if (number === 2) unknown.raw = reader.bytes();
    else if (number !== 1) reader.skip(wire);
    else {
      const meta = new BinaryReader(reader.bytes());
      while (meta.pos < meta.len) {
        const [field, type] = meta.tag();
        if (field === 1) unknown.apiVersion = meta.string();
        else if (field === 2) unknown.kind = meta.string();
        else meta.skip(type);
      }
    }
  }
  return unknown;
}

function decodeStruct(struct: GoStruct, reader: BinaryReader, length: number, into: JsonObject = {}): JsonObject {
  const end = reader.pos + length;
  if (end > reader.len) throw new DecodeError("unexpected EOF");
  while (reader.pos < end) {
    const [number, wire] = reader.tag();
    const field = struct.byNumber.get(number);
    const embedded = struct.embedded.get(number);
    if (embedded !== undefined) decodeStruct(embedded, reader, reader.uint32(), into);
    else if (field === undefined) reader.skip(wire);
    else decodeField(into, field.json, field.type, reader);
  }
  return into;
}

function decodeField(object: JsonObject, name: string, type: GoType, reader: BinaryReader): void {
  if (type.form === "list" && !wrappedLists.has(type.name)) {
    const list = (object[name] ?? []) as Json[];
    list.push(decodeValue(type.item, reader));
    object[name] = list;
  } else if (type.form === "map") {
    const map = (object[name] ?? {}) as JsonObject;
    const [key, value] = decodeEntry(type.item, reader);
    setKey(map, key, value);
    object[name] = map;
  } else {
    object[name] = decodeValue(type, reader);
  }
}

function decodeEntry(type: GoType, reader: BinaryReader): [string, Json] {
  const entry = new BinaryReader(reader.bytes());
  let key = "";
  let value: Json | undefined;
  while (entry.pos < entry.len) {
    const [number, wire] = entry.tag();
    if (number === 1) key = entry.string();
    else if (number === 2) value = decodeValue(type, entry);
    else entry.skip(wire);
  }
  return [key, value ?? emptyValue(type)];
}

/** The value of a map's entry that is encoded without one. */
function emptyValue(type: GoType): Json {
  switch (type.form) {
    case "string":
    case "bytes":
      return "";
    case "bool":
      return false;
    case "struct":
      return {};
    case "int32":
    case "int64":
    case "float64":
      return 0;
    default:
      return null;
  }
}

function decodeValue(type: GoType, reader: BinaryReader): Json {
  switch (type.form) {
    case "pointer":
      return decodeValue(type.item, reader);
    case "string":
      return reader.string();
    case "bytes":
      return Buffer.from(reader.bytes()).toString("base64");
    case "bool":
      return reader.bool();
    case "int32":
      return reader.int32();
    case "int64":
      return Number(reader.int64());
    case "float64":
      return reader.double();
    case "struct":
      return decodeStruct(type.struct(), reader, reader.uint32());
    case "list": {
      // A message with one repeated field.
      const message: JsonObject = {};
      const inner = new BinaryReader(reader.bytes());
      while (inner.pos < inner.len) {
        inner.tag();
        decodeField(message, "items", { form: "list", item: type.item, name: "[]" }, inner);
      }
      return (message.items ?? []) as Json;
    }
    case "special":
      return decodeSpecial(type.special, new BinaryReader(reader.bytes()));
    default:
      throw new DecodeError(`no encoding of ${type.name}`);
  }
}

function decodeSpecial(type: SpecialType, reader: BinaryReader): Json {
  const fields = new Map<number, unknown>();
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    if (wire === WireType.Varint) fields.set(number, Number(reader.int64()));
    else if (wire === WireType.LengthDelimited) {
      const earlier = fields.get(number) as Uint8Array[] | undefined;
      if (earlier === undefined) fields.set(number, [reader.bytes()]);
      else earlier.push(reader.bytes());
    } else reader.skip(wire);
  }
  const number = (at: number): number => (fields.get(at) as number | undefined) ?? 0;
  const parts = (at: number): Uint8Array[] => (fields.get(at) as Uint8Array[] | undefined) ?? [];
  const text = (at: number): string => Buffer.from(parts(at)[0] ?? []).toString("utf8");
  const schema = (bytes: Uint8Array): JsonObject =>
    decodeStruct(goStruct("apiextensions/v1.JSONSchemaProps"), new BinaryReader(bytes), bytes.length);
  const json = (content: string): Json => (content === "" ? null : (JSON.parse(content) as Json));
  switch (type) {
    case "Time":
    case "MicroTime":
      return timeText(number(1), number(2), type === "MicroTime");
    case "Duration":
      return `${number(1)}ns`;
    case "Quantity":
      return text(1);
    case "IntOrString":
      return number(1) === 0 ? number(2) : text(3);
    case "RawExtension":
    case "FieldsV1":
    case "JSON":
      return json(text(1));
    case "JSONSchemaPropsOrBool":
      return parts(2).length > 0 ? schema(parts(2)[0] as Uint8Array) : number(1) === 1;
    case "JSONSchemaPropsOrArray":
      return parts(2).length > 0 ? parts(2).map(schema) : schema(parts(1)[0] ?? new Uint8Array());
    case "JSONSchemaPropsOrStringArray":
      return parts(2).length > 0
        ? parts(2).map((bytes) => Buffer.from(bytes).toString("utf8"))
        : schema(parts(1)[0] ?? new Uint8Array());
  }
}

function timeText(seconds: number, nanos: number, micro: boolean): string | null {
  if (seconds === 0 && nanos === 0) return null;
  const text = new Date(seconds * 1000).toISOString().slice(0, 19);
  return micro ? `${text}.${String(Math.floor(nanos / 1000)).padStart(6, "0")}Z` : `${text}Z`;
}

/**
 * Encodes an object as a message of Kubernetes.
 *
 * @param struct - the type of the object
 * @param object - the object, with `apiVersion` and `kind`
 * @returns the message
 */
export function encodeProtobuf(struct: GoStruct, object: JsonObject): Uint8Array {
  const raw = new BinaryWriter();
  encodeStruct(struct, object, raw);
  const unknown = new BinaryWriter();
  unknown.tag(1, WireType.LengthDelimited).fork();
  unknown.tag(1, WireType.LengthDelimited).string(String(object.apiVersion ?? ""));
  unknown.tag(2, WireType.LengthDelimited).string(String(object.kind ?? ""));
  unknown.join();
  unknown.tag(2, WireType.LengthDelimited).bytes(raw.finish());
  unknown.tag(3, WireType.LengthDelimited).string("");
  unknown.tag(4, WireType.LengthDelimited).string("");
  return Buffer.concat([prefix, unknown.finish()]);
}

function encodeStruct(struct: GoStruct, object: JsonObject, writer: BinaryWriter): void {
  for (const number of struct.numbers) {
    const embedded = struct.embedded.get(number);
    if (embedded !== undefined) {
      writer.tag(number, WireType.LengthDelimited).fork();
      encodeStruct(embedded, object, writer);
      writer.join();
    } else encodeField(number, struct.byNumber.get(number) as GoField, object, writer);
  }
}

function encodeField(number: number, { json, type }: GoField, object: JsonObject, writer: BinaryWriter): void {
  const value = object[json];
  if (value === undefined || value === null) return;
  if (type.form === "list" && !wrappedLists.has(type.name)) {
    for (const item of value as Json[]) encodeValue(number, type.item, item, writer);
  } else if (type.form === "map") {
    for (const [key, item] of Object.entries(value as JsonObject)) {
      writer.tag(number, WireType.LengthDelimited).fork();
      writer.tag(1, WireType.LengthDelimited).string(key);
      if (item !== undefined && item !== null) encodeValue(2, type.item, item, writer);
      // The time zero is null in JSON and an empty message here.
      else if (type.item.form === "special") writer.tag(2, WireType.LengthDelimited).bytes(new Uint8Array());
      writer.join();
    }
  } else encodeValue(number, type, value, writer);
}

function encodeValue(number: number, type: GoType, value: Json, writer: BinaryWriter): void {
  switch (type.form) {
    case "pointer":
      encodeValue(number, type.item, value, writer);
      return;
    case "string":
      writer.tag(number, WireType.LengthDelimited).string(String(value));
      return;
    case "bytes":
      writer.tag(number, WireType.LengthDelimited).bytes(Buffer.from(String(value), "base64"));
      return;
    case "bool":
      writer.tag(number, WireType.Varint).bool(value === true);
      return;
    case "int32":
      writer.tag(number, WireType.Varint).int32(Number(value));
      return;
    case "int64":
      writer.tag(number, WireType.Varint).int64(BigInt(Math.trunc(Number(value))));
      return;
    case "float64":
      writer.tag(number, WireType.Bit64).double(Number(value));
      return;
    case "raw":
    case "map":
      return;
  }
  writer.tag(number, WireType.LengthDelimited).fork();
  if (type.form === "struct") encodeStruct(type.struct(), isObject(value) ? value : {}, writer);
  else if (type.form === "list") for (const item of value as Json[]) encodeValue(1, type.item, item, writer);
  else encodeSpecial(type.special, value, writer);
  writer.join();
}

function encodeSpecial(type: SpecialType, value: Json, writer: BinaryWriter): void {
  const text = (number: number, content: string): void => {
    writer.tag(number, WireType.LengthDelimited).string(content);
  };
  const schema = (number: number, content: Json): void => {
    writer.tag(number, WireType.LengthDelimited).fork();
    encodeStruct(goStruct("apiextensions/v1.JSONSchemaProps"), content as JsonObject, writer);
    writer.join();
  };
  switch (type) {
    case "Time":
    case "MicroTime": {
      const micros = /\.(\d{1,6})/.exec(String(value))?.[1]?.padEnd(6, "0") ?? "0";
      const seconds = Math.floor(Date.parse(String(value)) / 1000);
      writer.tag(1, WireType.Varint).int64(BigInt(seconds));
      writer.tag(2, WireType.Varint).int32(type === "MicroTime" ? Number(micros) * 1000 : 0);
      return;
    }
    case "Duration":
      writer.tag(1, WireType.Varint).int64(parseDuration(String(value)));
      return;
    case "Quantity":
      text(1, String(value));
      return;
    case "IntOrString":
      writer.tag(1, WireType.Varint).int64(typeof value === "string" ? 1n : 0n);
      writer.tag(2, WireType.Varint).int32(typeof value === "number" ? value : 0);
      text(3, typeof value === "string" ? value : "");
      return;
    case "RawExtension":
    case "FieldsV1":
    case "JSON":
      text(1, JSON.stringify(value));
      return;
    case "JSONSchemaPropsOrBool":
      writer.tag(1, WireType.Varint).bool(value !== false);
      if (isObject(value)) schema(2, value);
      return;
    case "JSONSchemaPropsOrArray":
      if (Array.isArray(value)) for (const item of value) schema(2, item);
      else schema(1, value);
      return;
    case "JSONSchemaPropsOrStringArray":
      if (Array.isArray(value)) for (const item of value) text(2, String(item));
      else schema(1, value);
  }
}
