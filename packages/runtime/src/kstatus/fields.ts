import { isJsonObject, type JsonObject, ownField } from "../json/object.ts";

/** A field of an object doesn't have the type that Kubernetes expects, so that the object's status isn't known. */
export class UnreadableError extends Error {
  override readonly name = "UnreadableError";
}

/**
 * Returns the value at a path. A missing or empty parent has no fields.
 *
 * @throws UnreadableError if a parent isn't an object
 */
function valueAt(object: JsonObject, path: string): unknown {
  let value: unknown = object;
  for (const name of path.split(".")) {
    if (value === undefined || value === null) return undefined;
    if (!isJsonObject(value)) throw new UnreadableError(`the parent of ${path} isn't an object`);
    value = ownField(value, name);
  }
  return value;
}

/** Returns the value at a path; `undefined` also if a parent isn't an object. */
function lenient(object: JsonObject, path: string): unknown {
  try {
    return valueAt(object, path);
  } catch {
    return undefined;
  }
}

function isInteger(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) < 2 ** 63;
}

/**
 * Returns the text at a path, or `undefined` without one.
 *
 * @throws UnreadableError if it isn't a text
 */
export function textAt(object: JsonObject, path: string): string | undefined {
  const value = valueAt(object, path);
  if (value === undefined || typeof value === "string") return value;
  throw new UnreadableError(`${path} isn't a string`);
}

/**
 * Returns the integer at a path, or `undefined` without one.
 *
 * @throws UnreadableError if it isn't an integer
 */
export function integerAt(object: JsonObject, path: string): number | undefined {
  const value = valueAt(object, path);
  if (value === undefined || isInteger(value)) return value;
  throw new UnreadableError(`${path} isn't an integer`);
}

/**
 * Returns the list at a path, or an empty one.
 *
 * @throws UnreadableError if it isn't a list
 */
export function listAt(object: JsonObject, path: string): readonly unknown[] {
  const value = valueAt(object, path);
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new UnreadableError(`${path} isn't a list`);
}

/** Returns the text at a path, or the default for a missing value or another type. */
export function textOr(object: JsonObject, path: string, byDefault: string): string {
  const value = lenient(object, path);
  return typeof value === "string" ? value : byDefault;
}

/** Returns the integer at a path, or the default for a missing value or another type. */
export function integerOr(object: JsonObject, path: string, byDefault: number): number {
  const value = lenient(object, path);
  return isInteger(value) ? value : byDefault;
}

/** A condition, with empty texts for missing ones. */
export interface ReadCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/**
 * Returns the entries of `status.conditions`.
 *
 * @throws UnreadableError if the list, an entry, or one of the four texts of an entry has another type
 */
export function conditionsOf(object: JsonObject): readonly ReadCondition[] {
  const status = ownField(object, "status") ?? {};
  if (!isJsonObject(status)) throw new UnreadableError("status isn't an object");
  const list = ownField(status, "conditions") ?? [];
  if (!Array.isArray(list)) throw new UnreadableError("status.conditions isn't a list");
  return list.map((entry: unknown, index) => {
    const condition = entry ?? {};
    if (!isJsonObject(condition)) throw new UnreadableError(`status.conditions[${index}] isn't an object`);
    const text = (name: string): string => {
      const value = ownField(condition, name) ?? "";
      if (typeof value === "string") return value;
      throw new UnreadableError(`status.conditions[${index}].${name} isn't a string`);
    };
    return { type: text("type"), status: text("status"), reason: text("reason"), message: text("message") };
  });
}
