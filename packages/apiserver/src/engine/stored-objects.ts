import { builtInResources } from "../builtin/resources.ts";
import { customResourceType } from "../custom-resources/resource-type.ts";
import type { KubernetesVersion } from "../data/versions.ts";
import type { ResourceType } from "../model/resource.ts";
import { parseStored } from "../registry/scope.ts";
import { checkObject, type StoredRecord } from "../storage/journal-records.ts";
import { nameConverter } from "./objects-only.ts";

/** Events are many, and the server reads only their metadata. */
const unread = new Set(["events"]);
const definitions = "customresourcedefinitions.apiextensions.k8s.io";

/**
 * Creates the check of the objects of a data file, so that a damaged one is found before the server uses it.
 *
 * @param kubernetes - the version of Kubernetes
 * @returns a function that throws an Error with the rule that an object breaks
 */
export function storedObjectCheck(kubernetes: KubernetesVersion): (record: StoredRecord) => void {
  const types = new Map(builtInResources(kubernetes).map((type) => [type.collection, type]));
  return (record) => {
    const object = checkObject(record);
    const type = types.get(record.collection);
    if (type === undefined) {
      for (const field of ["apiVersion", "kind"]) {
        if (typeof object[field] !== "string" || object[field] === "") throw new Error(`${field} must be a string`);
      }
    } else if (!unread.has(record.collection)) checkBuiltIn(type, record);
  };
}

function checkBuiltIn(type: ResourceType, { collection, text }: StoredRecord): void {
  const object = parseStored(type, text);
  const decoded = (type.versions.get(type.storageVersion) ?? [...type.versions.values()][0])?.codec.decode(object);
  for (const [field, value] of Object.entries(object)) {
    // Lists without `omitempty` are null if they are empty, for example the rules of an aggregated ClusterRole.
    if (value === null && decoded?.object[field] !== null) throw new Error(`${field} must not be null`);
  }
  if (collection !== definitions) return;
  try {
    customResourceType(object, nameConverter(object), 1);
  } catch (error) {
    throw new Error(`must be a CustomResourceDefinition that can be served: ${(error as Error).message}`);
  }
}
