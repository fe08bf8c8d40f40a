import { type Fields, isFields, isList, type Value, withField } from "./values.ts";

/** By which field the items of a list are the same, by the list's key; lists of other names are replaced whole. */
const mergeKeys: Readonly<Record<string, readonly string[]>> = {
  containers: ["name"],
  initContainers: ["name"],
  ephemeralContainers: ["name"],
  volumes: ["name"],
  env: ["name"],
  imagePullSecrets: ["name"],
  volumeMounts: ["mountPath"],
  // A container's by its number there, a Service's by the number that clients see.
  ports: ["containerPort", "port"],
  hostAliases: ["ip"],
  topologySpreadConstraints: ["topologyKey"],
  subjects: [],
};

/** Kinds whose schemas say nothing of lists: Kubernetes merges none of theirs. */
const withSchema = /^(v1|apps\/v1|batch\/v1)$/;

/**
 * Applies a strategic merge patch: maps are merged, null takes a key away, and the lists of Pods and Services are merged by
 * their items' keys.
 *
 * @throws Error at directives ($patch and the like), which aren't understood
 */
export function applyMergePatch(object: Fields, patch: Fields): Fields {
  const byKey = withSchema.test(String(object.apiVersion));
  return mergeFields(object, patch, byKey);
}

function mergeFields(into: Fields, patch: Fields, byKey: boolean): Fields {
  return Object.entries(patch).reduce((now, [key, value]) => {
    if (key.startsWith("$")) throw new Error(`${key}: directives aren't understood`);
    return withField(now, key, value === null ? undefined : mergeValue(key, now[key], value, byKey));
  }, into);
}

function mergeValue(key: string, into: Value | undefined, patch: Value, byKey: boolean): Value {
  if (isFields(patch)) return mergeFields(isFields(into) ? into : {}, patch, byKey);
  if (!isList(patch) || !isList(into) || !byKey) return patch;
  const name = mergeKeys[key]?.find((each) => patch.some((item) => isFields(item) && item[each] !== undefined));
  return name === undefined ? patch : mergeItems(into, patch, name);
}

function mergeItems(into: readonly Value[], patch: readonly Value[], name: string): Value[] {
  const idOf = (item: Value) => (isFields(item) ? item[name] : undefined);
  const merged = into.map((item) => {
    const change = patch.find((each) => idOf(each) !== undefined && idOf(each) === idOf(item));
    return isFields(item) && isFields(change) ? mergeFields(item, change, true) : item;
  });
  const known = new Set(into.map(idOf));
  // New items come first, as kustomize has them.
  return [...patch.filter((item) => !known.has(idOf(item))), ...merged];
}
