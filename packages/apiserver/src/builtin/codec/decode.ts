import { compareText, type Json, type JsonObject } from "@kubewright/cel/json";
import { DecodeError } from "../../model/resource.ts";
import { ConvertingReader } from "./converting-reader.ts";
import type { GoStruct } from "./go-types.ts";
import { type Form, Reader } from "./reader.ts";

/** An object as the real server holds it. */
export interface Normalized {
  object: JsonObject;
  /** The paths of fields that its type doesn't have. */
  unknown: string[];
  /** The fields of the root with optional lists or maps that are empty and were dropped. */
  emptied: ReadonlySet<string>;
}

/**
 * Reads an object as Go does, and writes it as Go does: unknown fields and empty optional fields are dropped, required
 * fields are added, and quantities and times get their canonical form.
 *
 * @param struct - the type of the object
 * @param value - the object
 * @param form - where the object comes from
 * @returns the object, and what was dropped
 * @throws DecodeError with Go's message if a value has the wrong type
 */
export function normalize(struct: GoStruct, value: Json, form: Form = "decoded"): Normalized {
  const reader = form === "converted" ? new ConvertingReader(form) : new Reader(form);
  const object = reader.root(struct, value);
  if (reader.error !== undefined) throw new DecodeError(reader.error);
  const { unknown, emptied } = reader;
  return { object, unknown: form === "converted" ? unknown.sort(compareText) : unknown, emptied };
}
