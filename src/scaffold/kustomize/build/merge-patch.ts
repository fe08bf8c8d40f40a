import { type Fields, isFields, isList, type Value, withField } from "../../../yaml/plain-values.ts";

/** The fields that identify list items, by the list's key. Lists with other keys are replaced as a whole. */
const mergeKeys: Readonly<Record<string, readonly string[]>> = {
  containers: ["name"],
  initContainers: ["name"],
  ephemeralContainers: ["name"],
  volumes: ["name"],
  env: ["name"],
  imagePullSecrets: ["name"],
  volumeMounts: ["mountPath"],
  // A container's port is identified by `containerPort`, a Service's by `port`.
  ports: ["containerPort", "port"],
  hostAliases: ["ip"],
  topologySpreadConstraints: ["topologyKey"],
  subjects: [],
};

/** API versions with schemas for merging lists. Kubernetes doesn't merge the lists of other kinds. */
const withSchema = /^(v1|apps\/v1|batch\/v1)$/;

/**
 * Applies a strategic merge patch: maps are merged, null removes a key, and the lists of Pods and Services are merged by
 * their items' keys.
 *
 * @throws Error for directives such as `$patch`, which aren't supported
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
  const ids = new Set(into.map(idOf));
  // New items come first, as in kustomize.
  return [...patch.filter((item) => !ids.has(idOf(item))), ...merged];
}
