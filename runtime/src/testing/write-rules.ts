import { randomInt, randomUUID } from "node:crypto";
import type { KubernetesObject, ObjectMeta } from "../api/index.ts";
import { ApiError } from "../errors/api-error.ts";
import { same } from "./json-patch.ts";
import { type GroupResource, isCustom, type KindId } from "./kinds.ts";
import type { StoredObject } from "./store.ts";

type WithStatus = KubernetesObject & { status?: unknown };

// The characters of servers' name suffixes, which exclude vowels and similar-looking characters.
const NAME_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const NAME_SUFFIX = 5;

/**
 * Returns the object that a create request stores.
 *
 * @throws an `ApiError` if the request is invalid
 */
export function forCreate(
  id: KindId,
  object: KubernetesObject,
  namespace: string | undefined,
  hasStatus: boolean,
): KubernetesObject {
  const { generateName, resourceVersion } = object.metadata ?? {};
  // Servers answer 500 because their storage layer rejects the object.
  if (resourceVersion) throw ApiError.create(500, "", "resourceVersion should not be set on objects to be created");
  const { deletionTimestamp: _t, deletionGracePeriodSeconds: _g, managedFields: _m, ...given } = object.metadata ?? {};
  const metadata: ObjectMeta = {
    ...withoutEmpty(given),
    name: given.name || `${generateName ?? ""}${randomSuffix()}`,
    uid: randomUUID(),
    creationTimestamp: now(),
  };
  if (namespace) metadata.namespace = namespace;
  else delete metadata.namespace;
  delete metadata.generation;
  const created: WithStatus = { ...object, metadata };
  if (countsGenerations(id, created)) metadata.generation = 1;
  // A create request can't set the status.
  if (hasStatus) delete created.status;
  return created;
}

/**
 * Returns the object that an update (except of the status) stores.
 *
 * @throws an `ApiError` if the request is invalid
 */
export function forUpdate(
  id: KindId,
  stored: StoredObject,
  object: KubernetesObject,
  hasStatus: boolean,
): KubernetesObject {
  const metadata = withoutEmpty(keepServerFields(stored, object.metadata));
  checkFinalizers(id, stored, metadata);
  const updated: WithStatus = { ...object, metadata };
  if (hasStatus) {
    const { status } = stored as WithStatus;
    if (status === undefined) delete updated.status;
    else updated.status = status;
  }
  if (stored.metadata.generation !== undefined && !same(content(stored, hasStatus), content(updated, hasStatus))) {
    metadata.generation = Number(stored.metadata.generation) + 1;
  }
  return updated;
}

/** Returns the object that a status update stores. All other changes are ignored. */
export function forStatus(stored: StoredObject, object: KubernetesObject): KubernetesObject {
  const { status } = object as WithStatus;
  const updated: WithStatus = { ...stored };
  if (status === undefined) delete updated.status;
  else updated.status = status;
  return updated;
}

/** Returns the object after a delete request, while it waits for its finalizers. */
export function markDeleted(stored: StoredObject): KubernetesObject {
  const { generation } = stored.metadata;
  const metadata: ObjectMeta = { ...stored.metadata, deletionTimestamp: now(), deletionGracePeriodSeconds: 0 };
  if (generation !== undefined) metadata.generation = Number(generation) + 1;
  return { ...stored, metadata };
}

/** Returns the metadata as servers store it: without `null`, empty strings, empty lists and empty maps. */
export function withoutEmpty(metadata: ObjectMeta): ObjectMeta {
  const isEmpty = (value: unknown): boolean =>
    value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => !isEmpty(value)));
}

export function now(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, "Z");
}

/** Checks whether the server maintains the generation of an object. */
export function countsGenerations(id: KindId, object: KubernetesObject): boolean {
  return id.group !== "" || "spec" in object;
}

/**
 * Rejects a write that was made for another version, or for another object with the same name.
 *
 * @throws an `ApiError` (409)
 */
export function checkVersion(
  id: KindId,
  resource: GroupResource,
  stored: StoredObject,
  metadata: ObjectMeta | undefined,
): void {
  const { name, resourceVersion, uid } = stored.metadata;
  if (metadata?.uid && metadata.uid !== uid) {
    const why = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${uid}`;
    throw ApiError.conflict(resource, name, why);
  }
  if (!metadata?.resourceVersion) {
    if (!isCustom(id)) return;
    const message = "Invalid value: 0: must be specified for an update";
    throw ApiError.invalid(id, name, [{ reason: "FieldValueInvalid", field: "metadata.resourceVersion", message }]);
  }
  if (metadata.resourceVersion !== resourceVersion) {
    const why = "the object has been modified; please apply your changes to the latest version and try again";
    throw ApiError.conflict(resource, name, why);
  }
}

// Fields that only the server writes keep their values, regardless of the request.
function keepServerFields(stored: StoredObject, given: ObjectMeta | undefined): ObjectMeta {
  const metadata: ObjectMeta = { ...given };
  for (const field of [
    "name",
    "namespace",
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "generation",
    "generateName",
    "resourceVersion",
    "managedFields",
  ] as const) {
    if (stored.metadata[field] === undefined) delete metadata[field];
    else Object.assign(metadata, { [field]: stored.metadata[field] });
  }
  return metadata;
}

function checkFinalizers(id: KindId, stored: StoredObject, metadata: ObjectMeta): void {
  if (!stored.metadata.deletionTimestamp) return;
  const before = stored.metadata.finalizers ?? [];
  const added = (metadata.finalizers ?? []).filter((finalizer) => !before.includes(finalizer));
  if (added.length === 0) return;
  const names = added.map((finalizer) => JSON.stringify(finalizer)).join(", ");
  const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${names}}`;
  const cause = { reason: "FieldValueForbidden", field: "metadata.finalizers", message };
  // Servers check custom resources twice and report the error twice.
  throw ApiError.invalid(id, stored.metadata.name, isCustom(id) ? [cause, cause] : [cause]);
}

// Returns the content that determines the generation: everything except metadata, and except the status if it is a
// subresource.
function content(object: KubernetesObject, hasStatus: boolean): object {
  const { metadata: _m, apiVersion: _a, ...rest } = object as WithStatus;
  if (!hasStatus) return rest;
  const { status: _s, ...withoutStatus } = rest;
  return withoutStatus;
}

function randomSuffix(): string {
  return Array.from({ length: NAME_SUFFIX }, () => NAME_ALPHABET[randomInt(NAME_ALPHABET.length)]).join("");
}
