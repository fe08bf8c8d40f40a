import type { JsonObject } from "../../../json/json.ts";
import type { FieldError } from "../../../request/field-error.ts";
import { invalidValue, tooLong } from "../../../request/paths.ts";
import { byteLength } from "../../../validation/name-rules.ts";
import { isSet, textOf, textsOf } from "../fields.ts";

const longestValue = 64;
/** The names of the fields in the internal type, in its order. */
const shownNames = {
  int: "IntValue",
  bool: "BoolValue",
  string: "StringValue",
  version: "VersionValue",
  ints: "IntValues",
  bools: "BoolValues",
  strings: "StringValues",
  versions: "VersionValues",
};
const preRelease = String.raw`(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)`;
const number = String.raw`(0|[1-9]\d*)`;
const build = "[0-9a-zA-Z-]+";
const semanticVersion = new RegExp(
  String.raw`^${number}\.${number}\.${number}(-${preRelease}(\.${preRelease})*)?(\+${build}(\.${build})*)?$`,
);

/** Checks an attribute of a device, which has one value or one list of values. */
export function attributeErrors(attribute: JsonObject, path: string): FieldError[] {
  const given = Object.keys(shownNames).filter((kind) => isSet(attribute[kind]));
  const errors = given.flatMap((kind) => valueErrors(kind, attribute, `${path}.${kind}`));
  if (given.length === 1) return errors;
  const all = Object.fromEntries(Object.entries(shownNames).map(([kind, name]) => [name, attribute[kind] ?? null]));
  const shown = given.length === 0 ? "" : all;
  return [...errors, invalidValue(path, shown, "exactly one value must be specified")];
}

function valueErrors(kind: string, attribute: JsonObject, path: string): FieldError[] {
  const value = attribute[kind];
  if (Array.isArray(value) && value.length === 0) return [invalidValue(path, [], "must not be empty if specified")];
  const items = textsOf(value).map((text, index): [string, string] => [text, `${path}[${index}]`]);
  switch (kind) {
    case "string":
      return lengthErrors(textOf(value), path);
    case "version":
      return versionErrors(textOf(value), path);
    case "strings":
      return items.flatMap(([text, at]) => lengthErrors(text, at));
    case "versions":
      return items.flatMap(([text, at]) => versionErrors(text, at));
    default:
      return [];
  }
}

function lengthErrors(text: string, path: string): FieldError[] {
  return byteLength(text) > longestValue ? [tooLong(path, longestValue)] : [];
}

function versionErrors(text: string, path: string): FieldError[] {
  const detail = "must be a string compatible with semver.org spec 2.0.0";
  return [...(semanticVersion.test(text) ? [] : [invalidValue(path, text, detail)]), ...lengthErrors(text, path)];
}
