import { equalJson, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { duplicateValue, type FieldError, invalidValue, notSupported, required } from "@kubewright/cel/validation";
import { internalForm } from "../../codec/internal-form.ts";

/** Returns the fields of an object; an empty object for other values. */
export function fieldsOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns the objects in a list; none for other values. */
export function objectsOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** Returns the texts in a list; none for other values. */
export function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Returns a text; the empty text for other values. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Returns a number; 0 for other values. */
export function numberOf(value: Json | undefined): number {
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : 0;
}

/** Reports whether a field has a value. */
export function isSet(value: Json | undefined): value is Json {
  return value !== undefined && value !== null;
}

/** Turns the problems of a value into errors. */
export function invalidFor(path: string, value: Json, problems: readonly string[]): FieldError[] {
  return problems.map((problem) => invalidValue(path, value, problem));
}

/** Checks that a number isn't negative. */
export function nonNegative(value: Json | undefined, path: string): FieldError[] {
  return typeof value === "number" && value < 0
    ? [invalidValue(path, value, "must be greater than or equal to 0")]
    : [];
}

/** Checks that a text is there and follows a rule. */
export function requiredText(value: Json | undefined, path: string, rule?: (text: string) => string[]): FieldError[] {
  const text = textOf(value);
  if (text === "") return [required(path, "")];
  return rule === undefined ? [] : invalidFor(path, text, rule(text));
}

/** Checks an optional text: it must follow a rule if it isn't empty. */
export function optionalName(value: Json | undefined, path: string, rule: (text: string) => string[]): FieldError[] {
  const text = textOf(value);
  return text === "" ? [] : invalidFor(path, text, rule(text));
}

/** Checks that a value is one of a few. */
export function oneOf(value: Json | undefined, path: string, supported: readonly string[]): FieldError[] {
  return supported.includes(textOf(value)) ? [] : [notSupported(path, value ?? "", supported)];
}

/** Checks an optional value: it must be one of a few. */
export function optionalOneOf(value: Json | undefined, path: string, supported: readonly string[]): FieldError[] {
  return isSet(value) ? oneOf(value, path, supported) : [];
}

/** Checks that a field didn't change. */
export function immutable(value: Json | undefined, old: Json | undefined, path: string): FieldError[] {
  return equalJson(value ?? null, old ?? null) ? [] : [invalidValue(path, value ?? null, "field is immutable")];
}

/** Marks the errors of declarative rules, which come after all others. */
export function declared(errors: readonly FieldError[]): FieldError[] {
  return errors.map((error) => ({ ...error, declared: true }));
}

/** Checks that a field didn't change, by a declarative rule, whose message doesn't show the value. */
export function declaredImmutable(value: Json | undefined, old: Json | undefined, path: string): FieldError[] {
  return immutable(value, old, path).map((error) => ({ ...error, value: null }));
}

/** Checks that a field didn't change, and shows its value with the fields of its internal type. */
export function immutableInternal(
  type: string,
  value: Json | undefined,
  old: Json | undefined,
  path: string,
): FieldError[] {
  return immutable(value, old, path).map((error) => ({ ...error, value: internalForm(type, value) }));
}

/** Finds the values that occur again. The function determines the path of the value with an index. */
export function duplicates(values: readonly string[], path: (index: number) => string): FieldError[] {
  const seen = new Set<string>();
  return values.flatMap((value, index) => {
    if (seen.has(value)) return [duplicateValue(path(index), value)];
    seen.add(value);
    return [];
  });
}

/** Returns the keys of an object in their order on the server. */
export function sortedKeys(value: Json | undefined): string[] {
  return Object.keys(fieldsOf(value)).sort();
}
