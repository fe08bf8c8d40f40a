import { isObject, type Json, type JsonObject } from "../json/json.ts";
import { versionsOf } from "./definition.ts";
import { textOf } from "./internal-form.ts";
import { compareVersions } from "./validate-definition.ts";

/** The verbs of custom resources, in the order of discovery. */
export const customResourceVerbs: readonly string[] = [
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "create",
  "update",
  "watch",
];

/**
 * Returns the entries of a version of a definition in the list of resources of its group and version.
 *
 * @param definition - an established definition
 * @param versionName - the name of a served version
 * @param storageVersionHash - the hash of group, version and kind
 * @returns the entries of the resource and its subresources
 */
export function discoveryEntries(
  definition: JsonObject,
  versionName: string,
  storageVersionHash: string,
): JsonObject[] {
  const version = versionsOf(definition).find((one) => one.name === versionName && one.served === true);
  if (version === undefined) return [];
  const spec = isObject(definition.spec) ? definition.spec : {};
  const status = isObject(definition.status) ? definition.status : {};
  const names = isObject(status.acceptedNames) ? status.acceptedNames : {};
  const plural = textOf(names.plural);
  const kind = textOf(names.kind);
  const namespaced = spec.scope === "Namespaced";
  const terminating =
    Array.isArray(status.conditions) &&
    status.conditions.some((one) => isObject(one) && one.type === "Terminating" && one.status === "True");
  const verbs = terminating ? ["delete", "deletecollection", "get", "list", "watch"] : [...customResourceVerbs];
  const entries: JsonObject[] = [
    {
      name: plural,
      singularName: textOf(names.singular),
      namespaced,
      kind,
      verbs,
      ...optionalList("shortNames", names.shortNames),
      ...optionalList("categories", names.categories),
      storageVersionHash,
    },
  ];
  const subresources = isObject(version.subresources) ? version.subresources : {};
  const subresourceVerbs = ["get", "patch", "update"];
  if (isObject(subresources.status)) {
    entries.push({ name: `${plural}/status`, singularName: "", namespaced, kind, verbs: subresourceVerbs });
  }
  if (isObject(subresources.scale)) {
    entries.push({
      name: `${plural}/scale`,
      singularName: "",
      namespaced,
      group: "autoscaling",
      version: "v1",
      kind: "Scale",
      verbs: subresourceVerbs,
    });
  }
  return entries;
}

function optionalList(name: string, value: Json | undefined): JsonObject {
  return Array.isArray(value) && value.length > 0 ? { [name]: [...value] } : {};
}

/**
 * Returns the served versions of a definition in the order of discovery.
 *
 * @param definition - the definition
 * @returns their names, the preferred one first
 */
export function servedVersions(definition: JsonObject): string[] {
  return versionsOf(definition)
    .filter((version) => version.served === true)
    .map((version) => textOf(version.name))
    .sort(compareVersions);
}
