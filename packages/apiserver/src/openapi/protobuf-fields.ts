import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { blockYaml } from "./block-yaml.ts";

/** Writes the value of a field into a message. */
export type Write = (writer: BinaryWriter, number: number, value: Json) => void;

/** The fields of a message: their numbers and how their values are written. */
export type Fields = Readonly<Record<string, readonly [number: number, write: Write]>>;

/** Writers of values that are written although they are zero: in a list, or as one of several fields. */
export const given: Readonly<Record<"text" | "bool" | "double", Write>> = {
  text: (writer, number, value) => writer.tag(number, WireType.LengthDelimited).string(String(value)),
  bool: (writer, number, value) => writer.tag(number, WireType.Varint).bool(value === true),
  double: (writer, number, value) => writer.tag(number, WireType.Bit64).double(Number(value)),
};

/** Zero is the value of absent fields and isn't written. */
const unlessZero =
  (write: Write): Write =>
  (writer, number, value) => {
    if (value !== "" && value !== false && value !== 0) write(writer, number, value);
  };

export const text: Write = unlessZero(given.text);
export const bool: Write = unlessZero(given.bool);
export const double: Write = unlessZero(given.double);
export const integer: Write = unlessZero((writer, number, value) =>
  writer.tag(number, WireType.Varint).int64(Number(value)),
);

/** A value of any type is written as YAML. */
export const any: Write = (writer, number, value) => nested(writer, number, () => text(writer, 2, blockYaml(value)));

export const each =
  (write: Write): Write =>
  (writer, number, value) => {
    for (const item of value as Json[]) write(writer, number, item);
  };

/** One value or a list of them, both written as a message with a list. */
export const listOf =
  (write: Write): Write =>
  (writer, number, value) =>
    nested(writer, number, () => each(write)(writer, 1, Array.isArray(value) ? value : [value]));

/** A map, written as a list of messages with a name and a value. */
export const namedIn =
  (write: Write, inner = 1): Write =>
  (writer, number, value) =>
    nested(writer, number, () => {
      for (const [name, item] of Object.entries(value as JsonObject)) named(writer, inner, name, item as Json, write);
    });

function named(writer: BinaryWriter, number: number, name: string, value: Json, write: Write): void {
  nested(writer, number, () => {
    text(writer, 1, name);
    write(writer, 2, value);
  });
}

export function nested(writer: BinaryWriter, number: number, content: () => void): void {
  writer.tag(number, WireType.LengthDelimited).fork();
  content();
  writer.join();
}

/** A value is in one field, and a reference to one in another. */
export const orReference =
  (write: Write): Write =>
  (writer, number, value) =>
    nested(writer, number, () => {
      const { $ref } = value as JsonObject;
      if ($ref === undefined) write(writer, 1, value);
      else nested(writer, 2, () => text(writer, 1, $ref));
    });

/** An object is in one field, and a boolean in another. */
export const orBool =
  (write: Write): Write =>
  (writer, number, value) =>
    nested(writer, number, () => (isObject(value) ? write(writer, 1, value) : given.bool(writer, 2, value)));

/** Returns a function that writes an object as a message; `x-` fields go into the list with this number. */
export const message =
  (fields: () => Fields, extensions: number): Write =>
  (writer, number, value) =>
    nested(writer, number, () => writeFields(writer, fields(), extensions, value as JsonObject));

export function writeFields(writer: BinaryWriter, fields: Fields, extensions: number, object: JsonObject): void {
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    if (name.startsWith("x-")) named(writer, extensions, name, value, any);
    else if (Object.hasOwn(fields, name)) {
      const [number, write] = fields[name] as readonly [number, Write];
      write(writer, number, value);
    }
  }
}

/**
 * Encodes a document as a message.
 *
 * @param fields - the fields of the message
 * @param extensions - the number of the list of `x-` fields
 * @param document - the document
 * @returns the message
 */
export function encodeDocument(fields: Fields, extensions: number, document: JsonObject): Uint8Array {
  const writer = new BinaryWriter();
  writeFields(writer, fields, extensions, document);
  return writer.finish();
}
