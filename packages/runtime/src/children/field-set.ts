import { isJsonObject, type JsonObject, setField } from "../json/object.ts";
import { parseJson } from "../json/parse.ts";

/** Stands for the UID in a key of an owner reference, so that the sets of the children of different owners are equal. */
export const anyUid = 'k:{"uid":""}';

/**
 * Returns whether a field manager owns all fields of a value. Empty lists and maps need no entry. The values themselves aren't
 * compared, because servers normalize them.
 *
 * @param value - the wanted fields
 * @param owned - the set of the manager, in the format of `fieldsV1`
 */
export function covers(value: unknown, owned: unknown): boolean {
  if (typeof value !== "object" || value === null) return owned !== undefined;
  if (isEmpty(value)) return true;
  if (owned === undefined)
    return (
      !Array.isArray(value) && Object.values(value).every((field) => field === undefined || covers(field, undefined))
    );
  if (!isJsonObject(owned)) return false;
  // Without members, the set contains the value as a whole: it is atomic.
  if (isEmpty(owned)) return true;
  return Array.isArray(value) ? coversItems(value, owned) : coversFields(value as JsonObject, owned);
}

function coversFields(value: JsonObject, owned: JsonObject): boolean {
  for (const name of Object.keys(value)) {
    const field = value[name];
    if (field === undefined) continue;
    const step = `f:${name}`;
    if (!covers(field, Object.hasOwn(owned, step) ? owned[step] : undefined)) return false;
  }
  return true;
}

function coversItems(items: readonly unknown[], owned: JsonObject): boolean {
  const steps = stepsOf(items, owned);
  return items.every((item, index) => {
    const step = steps[index];
    return step !== undefined && (typeof item !== "object" || item === null || covers(item, owned[step]));
  });
}

/**
 * Returns the part of a set that contains fields of a value.
 *
 * @param value - the wanted fields
 * @param owned - the set, in the format of `fieldsV1`
 * @param isNew - whether the value has just been written, so that an apply of it owns also the scalars that servers omit, such as
 *   empty strings. Otherwise, another client can have changed a scalar that isn't in the set
 */
export function ownedPart(value: unknown, owned: unknown, isNew: boolean): JsonObject | undefined {
  if (!isJsonObject(owned)) return undefined;
  if (typeof value !== "object" || value === null || isEmpty(owned)) return owned;
  const result: JsonObject = {};
  const add = (step: string, inner: unknown): void => {
    const isOmitted = isNew && !Object.hasOwn(owned, step) && (typeof inner !== "object" || inner === null);
    const part = isOmitted ? {} : ownedPart(inner, owned[step], isNew);
    if (part) setField(result, step, part);
  };
  if (Array.isArray(value)) {
    const steps = stepsOf(value, owned);
    for (const [index, item] of value.entries()) if (steps[index] !== undefined) add(steps[index], item);
  } else {
    for (const [name, field] of Object.entries(value)) if (field !== undefined) add(`f:${name}`, field);
  }
  if (Object.hasOwn(owned, ".")) result["."] = {};
  return isEmpty(result) ? undefined : result;
}

/** Returns the step of each item of a list. Keys that an item omits have default values, so exact matches come first. */
function stepsOf(items: readonly unknown[], owned: JsonObject): (string | undefined)[] {
  const free = new Map<string, JsonObject | undefined>();
  for (const step of Object.keys(owned)) if (step !== ".") free.set(step, keysOf(step));
  const steps: (string | undefined)[] = items.map(() => undefined);
  const take = (isExact: boolean): void => {
    for (const [index, item] of items.entries()) {
      if (steps[index] !== undefined) continue;
      for (const [step, keys] of free) {
        if (!isStepOf(step, keys, item, isExact)) continue;
        steps[index] = step;
        free.delete(step);
        break;
      }
    }
  };
  take(true);
  if (steps.includes(undefined)) take(false);
  return steps;
}

/** The parsed keys of steps. Operators use few of them, except for UIDs, which the cache replaces. */
const parsed = new Map<string, JsonObject>();

function keysOf(step: string): JsonObject | undefined {
  if (!step.startsWith("k:")) return undefined;
  let keys = parsed.get(step);
  if (keys === undefined) {
    keys = parseJson(step.slice(2)) as JsonObject;
    if (parsed.size >= 1_000) parsed.clear();
    parsed.set(step, keys);
  }
  return keys;
}

function isStepOf(step: string, keys: JsonObject | undefined, item: unknown, isExact: boolean): boolean {
  if (step === anyUid) return isJsonObject(item) && typeof item.uid === "string";
  if (keys === undefined) return step.startsWith("v:") && step.slice(2) === JSON.stringify(item);
  if (!isJsonObject(item)) return false;
  for (const name of Object.keys(keys)) {
    const value = item[name];
    if (value === undefined ? isExact : value !== keys[name]) return false;
  }
  return true;
}

/**
 * Divides a set into the fields within some paths, and the others.
 *
 * @param owned - the set, in the format of `fieldsV1`
 * @param paths - the paths as steps, in which `*` stands for any key or item, and `name=app` for the item with this name
 */
export function splitSet(
  owned: JsonObject,
  paths: readonly (readonly string[])[],
): { inside: JsonObject | undefined; outside: JsonObject | undefined } {
  if (paths.length === 0) return { inside: undefined, outside: owned };
  const inside: JsonObject = {};
  const outside: JsonObject = {};
  for (const [step, inner] of Object.entries(owned)) {
    const rest = paths.filter(([first]) => first !== undefined && isAt(step, first)).map((path) => path.slice(1));
    if (rest.some((path) => path.length === 0)) setField(inside, step, inner);
    else if (rest.length === 0 || !isJsonObject(inner) || isEmpty(inner)) setField(outside, step, inner);
    else {
      const parts = splitSet(inner, rest);
      if (parts.inside) setField(inside, step, parts.inside);
      if (parts.outside) setField(outside, step, parts.outside);
    }
  }
  return { inside: isEmpty(inside) ? undefined : inside, outside: isEmpty(outside) ? undefined : outside };
}

function isAt(step: string, part: string): boolean {
  if (part === "*") return step !== ".";
  if (step.startsWith("f:")) return step.slice(2) === part;
  const [, name, value] = /^([^=]+)=(.*)$/.exec(part) ?? [];
  return name !== undefined && String(keysOf(step)?.[name]) === value;
}

/** Returns the union of two sets. */
export function union(one: JsonObject | undefined, other: JsonObject | undefined): JsonObject | undefined {
  if (!one || !other) return one ?? other;
  // A leaf owns the value as a whole.
  if (isEmpty(one) || isEmpty(other)) return {};
  const result: JsonObject = {};
  for (const step of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const value = union(one[step] as JsonObject | undefined, other[step] as JsonObject | undefined);
    setField(result, step, value);
  }
  return result;
}

/** Returns a copy of a value without the fields at some paths. Containers on the way are copied. */
export function omitPaths<T>(value: T, paths: readonly (readonly string[])[]): T {
  if (paths.length === 0 || typeof value !== "object" || value === null) return value;
  const isList = Array.isArray(value);
  const result: unknown[] | JsonObject = isList ? [] : {};
  for (const [name, inner] of Object.entries(value)) {
    const rest = paths.filter(([first]) => first !== undefined && isMember(name, inner, first, isList));
    const next = rest.map((path) => path.slice(1));
    if (next.some((path) => path.length === 0)) continue;
    const kept: unknown = omitPaths(inner, next);
    if (isList) (result as unknown[]).push(kept);
    else setField(result, name, kept);
  }
  return result as T;
}

function isMember(name: string, value: unknown, part: string, isList: boolean): boolean {
  if (part === "*" || (!isList && part === name)) return true;
  const [, key, wanted] = /^([^=]+)=(.*)$/.exec(part) ?? [];
  return isList && key !== undefined && isJsonObject(value) && String(value[key]) === wanted;
}

function isEmpty(value: object): boolean {
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}
