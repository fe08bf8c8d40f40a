// Replaces the values that a server chooses, by the keys and objects that contain them.
import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { isList, isNodePort, type Names, number } from "./names.ts";
import { isAge, sortErrors, type TextRule } from "./texts.ts";

/** Returns a value with stable names. `key` is the key that has it. */
export type ValueRule = (value: Json, key?: string) => Json;

/** Returns the rule for values, with a rule for the texts in them. */
export function valueRules(names: Names, text: TextRule): ValueRule {
  const rule: ValueRule = (value, key = "") => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) {
      return sorted(
        value.map((item) => rule(item, key)),
        key,
      );
    }
    return isObject(value) ? ownGroupsOnly(objectOf(value), value) : value;
  };
  const objectOf = (object: JsonObject): JsonObject => {
    const entries = Object.entries(object).map(([key, value = null]) => {
      if (isNodePort(key)) return [key, names.ports.get(String(value)) ?? rule(value, key)];
      if (key === "message" && typeof value === "string" && hasManyCauses(object))
        return [key, text(sortErrors(value))];
      if (key === "metadata" && isObject(value) && isList(object)) return [key, listMetadata(object, value)];
      if (key === "object" && object.type === "BOOKMARK") return [key, bookmarkOf(value)];
      return [text(key), rule(value, key)];
    });
    return Object.fromEntries(entries);
  };
  const listMetadata = (list: JsonObject, metadata: JsonObject): JsonObject => ({
    ...objectOf(metadata),
    ...(isVersion(metadata.resourceVersion) && { resourceVersion: listVersion(list, metadata.resourceVersion) }),
    ...(metadata.continue && { continue: "<continue>" }),
  });
  const bookmarkOf = (object: Json): Json => {
    const value = rule(object, "object");
    if (!isObject(object) || !isObject(object.metadata) || !isObject(value)) return value;
    const { resourceVersion } = object.metadata;
    const shown = isVersion(resourceVersion) ? "<bookmark-rv>" : resourceVersion;
    return { ...value, metadata: { ...(value.metadata as JsonObject), resourceVersion: shown } };
  };
  return rule;
}

function isVersion(version: Json | undefined): version is string {
  return typeof version === "string" && number.test(version);
}

/** Returns the name of a list's resource version, which must not be lower than those of its items. */
function listVersion({ items, rows }: JsonObject, version: string): string {
  const members = items ?? rows ?? [];
  const versions = (Array.isArray(members) ? members : []).map((item) => {
    const object = isObject(item) ? (item.object ?? item) : null;
    return isObject(object) && isObject(object.metadata) ? object.metadata.resourceVersion : undefined;
  });
  const isOlder = versions.filter(isVersion).some((one) => BigInt(one) > BigInt(version));
  return isOlder ? "<list-rv older than its items>" : "<list-rv>";
}

function hasManyCauses({ details }: JsonObject): boolean {
  return isObject(details) && Array.isArray(details.causes) && details.causes.length > 1;
}

/** The values by which lists without a fixed order are sorted, by the key of the list. */
const sortValues: Readonly<Record<string, (item: JsonObject) => string>> = {
  managedFields: managerKey,
  "metadata.managedFields": managerKey,
  resourceRules: (item) => JSON.stringify(item),
  nonResourceRules: (item) => JSON.stringify(item),
  causes: ({ field, reason, message }) => `${field}|${reason}|${message}`,
};

function managerKey({ operation, manager, subresource, apiVersion }: JsonObject): string {
  return `${operation}|${manager}|${subresource ?? ""}|${apiVersion}`;
}

function sorted(items: Json[], key: string): Json[] {
  // The cells of a row contain ages.
  if (/(^|\.)cells$/.test(key)) return items.map((cell) => (isAge(cell) ? "<age>" : cell));
  const sortValue = sortValues[key];
  if (sortValue === undefined) return items;
  const keyed = items.map((item) => ({ item, value: sortValue(isObject(item) ? item : {}) }));
  const compared = keyed.sort((one, other) => (one.value < other.value ? -1 : one.value > other.value ? 1 : 0));
  return compared.map(({ item }) => item);
}

/** Removes the groups of other scenarios from the lists of groups and paths. */
function ownGroupsOnly(result: JsonObject, { kind, paths }: JsonObject): JsonObject {
  const isOwn = (name: Json | undefined): boolean => !/^x[0-9a-f]{9}\.example\.com$/.test(String(name ?? ""));
  const own = (list: Json | undefined, nameOf: (item: Json) => Json | undefined): Json | undefined =>
    Array.isArray(list) ? list.filter((item) => isOwn(nameOf(item))) : list;
  const member = (item: Json | undefined, key: string): Json | undefined => (isObject(item) ? item[key] : undefined);
  const kindText = String(kind ?? "");
  if (/APIGroupList/.test(kindText)) result.groups = own(result.groups, (group) => member(group, "name"));
  if (/APIGroupDiscoveryList/.test(kindText)) {
    result.items = own(result.items, (item) => member(member(item, "metadata"), "name"));
  }
  if (Array.isArray(paths) && typeof paths[0] === "string") {
    result.paths = own(result.paths, (path) => String(path).split("/")[2]);
  }
  return result;
}
