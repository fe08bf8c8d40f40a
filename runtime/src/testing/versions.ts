import type { KubernetesObject } from "../api/index.ts";
import { cloneJson } from "../json/clone.ts";
import type { JsonObject } from "../json/object.ts";
import type { KindId, Kinds } from "./kinds.ts";
import { pruneUnknown } from "./schema/structural.ts";
import { complete } from "./schema-rules.ts";

/**
 * Converts an object to a version of its kind as a server does without a webhook: the version's schema decides which fields remain.
 * The object of a kind without CRD stays as it is.
 *
 * @throws an `Error` if only the kind's webhook can convert the object
 */
export function inVersion<T extends KubernetesObject>(kinds: Kinds, id: KindId, object: T): T {
  const versions = kinds.versions(id);
  if (!versions || object.apiVersion === id.apiVersion) return object;
  if (versions.needWebhook) {
    throw new Error(
      `${id.kind} ${JSON.stringify(object.metadata?.name)} was written as ${object.apiVersion} and is used as ${id.apiVersion}: ` +
        "only the webhook of its CRD converts it, which fakeClient doesn't call\n" +
        "hint: use one version per test, or a TestEnvironment",
    );
  }
  const converted = { ...cloneJson(object), apiVersion: id.apiVersion };
  const schema = kinds.schema(id);
  // Servers set the defaults of the written version and the storage version, but not those of the version that is read.
  if (schema) pruneUnknown(converted as unknown as JsonObject, schema);
  return converted;
}

/** Returns an object as a server stores it: in the storage version, unless only a webhook can convert it. */
export function forStorage<T extends KubernetesObject>(kinds: Kinds, id: KindId, object: T): T {
  const versions = kinds.versions(id);
  if (!versions || versions.needWebhook || versions.storage === id.apiVersion) return object;
  const stored = { ...id, apiVersion: versions.storage, version: versions.storage.split("/")[1] ?? "" };
  return complete(kinds.schema(stored), inVersion(kinds, stored, object));
}
