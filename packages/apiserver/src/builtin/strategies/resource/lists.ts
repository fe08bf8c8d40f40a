import type { Json, JsonObject } from "@kubewright/cel/json";
import { duplicateValue, type FieldError, tooMany } from "@kubewright/cel/validation";
import { duplicates, objectsOf, textOf } from "../fields/fields.ts";

/** Checks the objects in a list, unless there are too many. */
export function listErrors(
  list: Json | undefined,
  path: string,
  limit: number,
  check: (item: JsonObject, path: string) => FieldError[],
): FieldError[] {
  const items = objectsOf(list);
  if (items.length > limit) return [tooMany(path, items.length, limit)];
  return items.flatMap((item, index) => check(item, `${path}[${index}]`));
}

/** Finds the items of a list that occur again. */
export function repeatedErrors(keys: readonly string[], path: string): FieldError[] {
  return duplicates(keys, (index) => `${path}[${index}]`);
}

/** Checks the items of a list with a limit, which must have different keys. */
export function setErrors(
  list: Json | undefined,
  key: string,
  path: string,
  limit: number,
  check: (item: JsonObject, path: string) => FieldError[],
  repeated: typeof repeatedItems = repeatedItems,
): FieldError[] {
  const items = objectsOf(list);
  const errors = listErrors(list, path, limit, check);
  return items.length > limit ? errors : [...errors, ...repeated(items, key, path)];
}

/** Finds the objects of a list whose key occurs again. The message of this declarative rule shows the whole object. */
export function repeatedItems(items: readonly JsonObject[], key: string, path: string): FieldError[] {
  const keys = items.map((item) => textOf(item[key]));
  return items.flatMap((item, index) =>
    keys.indexOf(keys[index] as string) < index ? [duplicateValue(`${path}[${index}]`, item)] : [],
  );
}
