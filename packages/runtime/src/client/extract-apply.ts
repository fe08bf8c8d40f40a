import { isDeepStrictEqual } from "node:util";
import type { KubernetesObject, ManagedFieldsEntry } from "../api/index.ts";
import { cloneJson } from "../json/clone.ts";
import { isJsonObject, type JsonObject, ownField, setField } from "../json/object.ts";
import { parseJson } from "../json/parse.ts";
import { stringifyJson } from "../json/stringify.ts";
import type { Stored } from "./client.ts";
import type { ApplyConfiguration } from "./object-types.ts";

/** Options of {@link extractApply}. */
export interface ExtractApplyOptions {
  /**
   * The subresource that was applied, such as `"status"`.
   *
   * @defaultValue the object itself
   */
  subresource?: string;
}

/**
 * Returns the fields of an object that an owner has applied, and still owns. Change the result and apply it again: fields that you
 * don't change stay owned, and fields that you remove from it are removed from the object.
 *
 * A map that was applied as `{}` and that the server has filled with default values is returned with these values: the object
 * doesn't show which of its maps are atomic.
 *
 * @param object - a stored object with its `managedFields`, which caches remove: read it with `mgr.apiReader`. It isn't changed
 * @param fieldOwner - the `fieldOwner` of the apply
 * @param options - see {@link ExtractApplyOptions}
 * @returns the fields, as a copy; only apiVersion, kind, name and namespace if the owner has applied nothing
 * @throws TypeError if the object has no `managedFields`, or if the owner has applied another version of it
 *
 * @example
 * const owner = { fieldOwner: "game-controller" };
 * const mine = extractApply(await mgr.apiReader.get(Deployment, key), owner.fieldOwner);
 * await mgr.client.apply({ ...mine, spec: { ...mine.spec, replicas: 3 } }, owner);
 */
export function extractApply<T extends KubernetesObject>(
  object: Stored<T>,
  fieldOwner: string,
  options: ExtractApplyOptions = {},
): ApplyConfiguration<T> {
  const { apiVersion, kind } = object;
  const { name, namespace, managedFields = [] } = object.metadata;
  const what = `extractApply: ${kind} ${namespace ? `${namespace}/` : ""}${name}`;
  if (managedFields.length === 0) {
    throw new TypeError(
      `${what} has no managedFields: read the object with mgr.apiReader, or set keepManagedFields in the options of the cache`,
    );
  }
  const isOwn = (entry: ManagedFieldsEntry): boolean =>
    entry.manager === fieldOwner &&
    entry.operation === "Apply" &&
    (entry.subresource ?? "") === (options.subresource ?? "");
  const own = managedFields.find(isOwn);
  const identity = { name, ...(namespace ? { namespace } : {}) };
  if (!own) return { apiVersion, kind, metadata: identity } as unknown as ApplyConfiguration<T>;
  if (own.apiVersion !== apiVersion) {
    throw new TypeError(
      `${what} has apiVersion ${apiVersion}, but ${fieldOwner} has applied ${own.apiVersion}: read that version`,
    );
  }
  const { metadata, ...rest } = extract(object, own.fieldsV1) as JsonObject;
  const extracted = { apiVersion, kind, metadata: { ...identity, ...(metadata as object | undefined) }, ...rest };
  return extracted as unknown as ApplyConfiguration<T>;
}

/** A value of the object, and the owner's fields in it. */
interface Part {
  value: unknown;
  /** The owner's fields below the value, in the format of `fieldsV1`. */
  owned: unknown;
  /** Puts the extracted value into its container. */
  put: (extracted: unknown) => void;
}

/** Returns the owned part of a value. The depth is unlimited, because parts are kept in a list instead of the call stack. */
function extract(value: unknown, owned: unknown): unknown {
  let result: unknown;
  const put = (extracted: unknown): void => {
    result = extracted;
  };
  const pending: Part[] = [{ value, owned, put }];
  for (let part = pending.pop(); part; part = pending.pop()) pending.push(...partsOf(part));
  return result;
}

/** Stores the container of a part, or its value. Returns the parts that belong in the container. */
function partsOf({ value, owned, put }: Part): Part[] {
  if (!hasFields(owned)) {
    put(cloneJson(value));
    return [];
  }
  const container = Array.isArray(value) ? [] : {};
  put(container);
  return Array.isArray(value)
    ? itemsOf(value, owned, container as unknown[])
    : isJsonObject(value)
      ? fieldsOf(value, owned, container)
      : [];
}

function fieldsOf(value: JsonObject, owned: JsonObject, container: object): Part[] {
  return Object.entries(value).flatMap(([name, field]) => {
    const step = `f:${name}`;
    if (!Object.hasOwn(owned, step)) return [];
    // Reserves the position, so that fields keep the order of the object.
    setField(container, name, undefined);
    const put = (extracted: unknown): void => setField(container, name, extracted);
    return [{ value: field, owned: owned[step], put }];
  });
}

function itemsOf(list: readonly unknown[], owned: JsonObject, container: unknown[]): Part[] {
  const find = finder(list);
  const items = Object.keys(owned).flatMap((step) => {
    const index = find(step);
    return index === undefined ? [] : [{ step, index }];
  });
  return items
    .sort((a, b) => a.index - b.index)
    .map(({ step, index }, position) => {
      const put = (item: unknown): void => {
        if (step.startsWith("k:")) addKeys(item, owned[step], parseJson(step.slice(2)) as JsonObject);
        container[position] = item;
      };
      return { value: list[index], owned: owned[step], put };
    });
}

/**
 * Adds the keys of an item if none of them is owned, to identify the item. Otherwise, a key that isn't owned was omitted
 * from the apply because of its default.
 */
function addKeys(item: unknown, owned: unknown, keys: JsonObject): void {
  if (!isJsonObject(item)) return;
  if (Object.keys(keys).some((name) => isJsonObject(owned) && Object.hasOwn(owned, `f:${name}`))) return;
  for (const [name, value] of Object.entries(keys)) setField(item, name, value);
}

/** Returns a function that finds the item of a step of `fieldsV1`: `k:{"name":"http"}`, `v:"a"` or `i:0`. */
function finder(list: readonly unknown[]): (step: string) => number | undefined {
  const indexes = new Map<string, Map<string, number>>();
  const byKeys = (names: readonly string[]): Map<string, number> => {
    const id = stringifyJson(names);
    const cached = indexes.get(id);
    if (cached) return cached;
    const index = new Map<string, number>();
    for (const [position, item] of list.entries()) {
      if (isJsonObject(item)) index.set(stringifyJson(names.map((name) => ownField(item, name) ?? null)), position);
    }
    indexes.set(id, index);
    return index;
  };
  return (step) => {
    const text = step.slice(2);
    switch (step.slice(0, 2)) {
      case "i:":
        return Number(text) < list.length ? Number(text) : undefined;
      case "v:": {
        const wanted = parseJson(text);
        const position = list.findIndex((item) => isDeepStrictEqual(item, wanted));
        return position === -1 ? undefined : position;
      }
      case "k:": {
        const keys = parseJson(text) as JsonObject;
        const names = Object.keys(keys);
        return byKeys(names).get(stringifyJson(names.map((name) => keys[name] ?? null)));
      }
      default:
        return undefined;
    }
  };
}

/** Checks whether a set of `fieldsV1` contains anything other than `.`, which is the field itself. */
function hasFields(set: unknown): set is JsonObject {
  return isJsonObject(set) && Object.keys(set).some((step) => step !== ".");
}
