import { cloneJson } from "../../json/clone.ts";
import { isJsonObject, type JsonObject, setField } from "../../json/object.ts";
import { fieldOf, itemsOf, type Schema } from "../schema/schema.ts";
import { isAssociative, stepOf } from "./lists.ts";
import { textBelow } from "./paths.ts";

/** Merges an applied value into the live value: maps per field, sets and list maps per item, everything else as a whole. */
export function mergeApplied(live: unknown, applied: unknown, schema: Schema | undefined): unknown {
  if (isJsonObject(live) && isJsonObject(applied) && schema?.["x-kubernetes-map-type"] !== "atomic") {
    const merged: JsonObject = { ...live };
    for (const [name, value] of Object.entries(applied)) {
      if (value === undefined) continue;
      const old = Object.hasOwn(live, name) ? live[name] : undefined;
      setField(merged, name, mergeApplied(old, value, fieldOf(schema, name)));
    }
    return merged;
  }
  if (Array.isArray(live) && Array.isArray(applied) && isAssociative(schema)) return mergeLists(live, applied, schema);
  return cloneJson(applied);
}

// Items of one side keep their place among their neighbors; items of both sides have the order of the applied list. The
// algorithm follows the API server step by step, so the resulting order is the same.
function mergeLists(live: readonly unknown[], applied: readonly unknown[], schema: Schema | undefined): unknown[] {
  const textOf = (item: unknown): string => textBelow("", stepOf(item, schema));
  const [lefts, rights] = [live.map(textOf), applied.map(textOf)];
  const old = new Map(live.map((item, index) => [lefts[index]!, item]));
  const given = new Set(rights);
  const shared = rights.filter((text) => old.has(text));
  const done = new Set<string>();
  const merged: unknown[] = [];
  let [left, right, due] = [0, 0, 0];
  const take = (): void => {
    const text = rights[right]!;
    merged.push(mergeApplied(old.get(text), applied[right], itemsOf(schema)));
    done.add(text);
    if (shared[due] === text) due++;
    right++;
  };
  while (left < lefts.length || right < rights.length) {
    const text = lefts[left];
    if (text === undefined) take();
    else if (text === rights[right]) {
      take();
      left++;
    } else if (!given.has(text)) merged.push(live[left++]);
    // Skips an item of both sides that isn't due: it is added in the applied order.
    else if (done.has(text) || (right < rights.length && due < shared.length && shared[due] !== text)) left++;
    else take();
  }
  return merged;
}

/** Returns the value without the given paths. Containers that become empty are replaced by null. */
export function removePaths(
  value: unknown,
  schema: Schema | undefined,
  paths: ReadonlyMap<string, unknown>,
  text = "",
): unknown {
  if (Array.isArray(value) && isAssociative(schema)) {
    const kept = value.flatMap((item) => {
      const inner = textBelow(text, stepOf(item, schema));
      return paths.has(inner) ? [] : [removePaths(item, itemsOf(schema), paths, inner)];
    });
    return kept.length > 0 || value.length === 0 ? kept : null;
  }
  if (!isJsonObject(value) || schema?.["x-kubernetes-map-type"] === "atomic") return value;
  const kept: JsonObject = {};
  for (const [field, old] of Object.entries(value)) {
    const inner = textBelow(text, { field });
    const left = paths.has(inner) ? undefined : removePaths(old, fieldOf(schema, field), paths, inner);
    if (left !== undefined) setField(kept, field, left);
  }
  return Object.keys(kept).length > 0 || Object.keys(value).length === 0 ? kept : null;
}
