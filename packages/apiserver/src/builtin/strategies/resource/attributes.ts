import { byteLength, type JsonObject } from "@kubewright/cel/json";
import { type FieldError, invalidValue, tooLong } from "@kubewright/cel/validation";
import { declared, isSet, textOf } from "../fields/fields.ts";

const longestValue = 64;
/** The fields in the order of the server's messages. Lists are a feature that is off. */
const values = ["int", "bool", "string", "version"];
const allNames = [...values, ...values.map((name) => `${name}s`)].map((name) => `\`${name}\``).join(", ");
const preRelease = String.raw`(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)`;
const number = String.raw`(0|[1-9]\d*)`;
const build = "[0-9a-zA-Z-]+";
const semanticVersion = new RegExp(
  String.raw`^${number}\.${number}\.${number}(-${preRelease}(\.${preRelease})*)?(\+${build}(\.${build})*)?$`,
);

/** Checks an attribute of a device, which has one value. */
export function attributeErrors(attribute: JsonObject, path: string): FieldError[] {
  const { string, version } = attribute;
  const given = values.filter((kind) => isSet(attribute[kind]));
  const errors = [
    ...(isSet(string) ? lengthErrors(textOf(string), `${path}.string`) : []),
    ...(isSet(version) ? versionErrors(textOf(version), `${path}.version`) : []),
  ];
  if (given.length === 1) return errors;
  const wrong =
    given.length === 0
      ? invalidValue(path, "", `must specify one of: ${allNames}`)
      : invalidValue(path, `{${given.join(", ")}}`, `must specify exactly one of: ${allNames}`);
  return [...errors, ...declared([wrong])];
}

function lengthErrors(text: string, path: string): FieldError[] {
  return byteLength(text) > longestValue ? [tooLong(path, longestValue)] : [];
}

function versionErrors(text: string, path: string): FieldError[] {
  const detail = "must be a string compatible with semver.org spec 2.0.0";
  return [...(semanticVersion.test(text) ? [] : [invalidValue(path, text, detail)]), ...lengthErrors(text, path)];
}
