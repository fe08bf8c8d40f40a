import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";

/** Returns the metadata of an object; empty if it has none. */
export function metadataOf(object: JsonObject): JsonObject {
  return isObject(object.metadata) ? object.metadata : {};
}

/** Returns a text of an object; empty if it's absent or not a text. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/**
 * Sets `metadata.managedFields` of an object.
 *
 * @param object - the object, which remains as it is
 * @param entries - the entries, or undefined to remove the field
 * @returns the changed object
 */
export function withManagedFields(object: JsonObject, entries: Json[] | undefined): JsonObject {
  if (entries === undefined) {
    if (!isObject(object.metadata) || object.metadata.managedFields === undefined) return object;
    const { managedFields: _, ...metadata } = object.metadata;
    return { ...object, metadata };
  }
  return { ...object, metadata: { ...metadataOf(object), managedFields: entries } };
}

/** Returns name, group, version and kind of an object, as messages print them. */
export function describeObject(object: JsonObject): string {
  const { name, namespace } = metadataOf(object);
  return `${textOf(namespace)}/${textOf(name)}; ${groupVersionKindText(object)}`;
}

/** Returns group, version and kind of an object, for example `apps/v1, Kind=Deployment`. */
export function groupVersionKindText(object: JsonObject): string {
  const [apiVersion, kind] = typeMeta(object);
  return `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

/** Returns the version and the kind of an object; both are empty if the version is malformed. */
export function typeMeta(object: JsonObject): [apiVersion: string, kind: string] {
  const apiVersion = textOf(object.apiVersion);
  return apiVersion.split("/").length > 2 ? ["", ""] : [apiVersion, textOf(object.kind)];
}
