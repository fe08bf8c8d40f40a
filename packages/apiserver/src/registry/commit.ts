import { cloneJson, equalJson, type JsonObject, parseJson } from "@kubewright/cel/json";
import type { ApiObject } from "../model/resource.ts";
import { conflict, StatusError } from "../model/status.ts";
import type { Entry } from "../model/stored-state.ts";
import type { Preconditions } from "../model/write-options.ts";
import { decodeEntry, needsDecoding } from "./read.ts";
import { convertStored, objectKey, parseStored, rememberState, type Scope, stateOf, storedText } from "./scope.ts";
import { decoded } from "./undecodable.ts";

/**
 * Reads the present state of an object in the version in which rules see it.
 *
 * @param scope - the request
 * @param entry - the stored state
 * @returns the object. It must not be changed: others may have read it too.
 */
export async function readHub(scope: Scope, entry: Entry): Promise<ApiObject> {
  const { type, hub } = scope;
  if (hub === type.storageVersion && !needsDecoding(type, entry)) return stateOf(type, entry);
  return decoded(entry, () => convertStored(type, decodeEntry(type, entry), hub));
}

/**
 * Reads the state that a write replaces.
 *
 * @param scope - the request
 * @param entry - the stored state
 * @returns the object in the version in which rules see it. It must not be changed.
 */
export async function readReplaced(scope: Scope, entry: Entry): Promise<ApiObject> {
  return (await readConverted(scope, entry)) ?? readHub(scope, entry);
}

/**
 * Reads a state that a webhook has already converted. As kube-apiserver does with states of its watch cache, it converts it
 * back to the version of storage, and so needs the webhook.
 *
 * @param scope - the request
 * @param entry - the stored state
 * @returns the object in the version in which rules see it; undefined if no webhook has converted it
 */
export async function readConverted({ type, hub }: Scope, entry: Entry): Promise<ApiObject | undefined> {
  const apiObject = hub === type.storageVersion ? undefined : await type.converted?.known(entry, hub);
  if (apiObject !== undefined) await convertStored(type, cloneJson(apiObject), type.storageVersion);
  return apiObject;
}

/** Returns the object in the version of the request. */
export async function toRequestVersion(scope: Scope, object: ApiObject): Promise<ApiObject> {
  return scope.hub === scope.version.version ? object : scope.type.convert(cloneJson(object), scope.version.version);
}

/** Throws if an object isn't the one that the client means. */
export function checkPreconditions(
  scope: Scope,
  name: string,
  existing: ApiObject,
  preconditions: Preconditions | undefined,
): void {
  const storageError = (detail: string): StatusError => {
    const { group, resource, custom, registryPath = custom ? `${group}/${resource}` : resource } = scope.type;
    const key = `/registry/${registryPath}/${objectKey(scope.type, scope.info.namespace, name)}`;
    const text = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${detail}`;
    return conflict(scope.groupResource, name, text);
  };
  if (preconditions?.uid !== undefined && preconditions.uid !== existing.metadata.uid) {
    const shown = `UID in precondition: ${preconditions.uid}, UID in object meta: ${existing.metadata.uid}`;
    throw storageError(`Precondition failed: ${shown}`);
  }
  const version = preconditions?.resourceVersion;
  if (version !== undefined && version !== existing.metadata.resourceVersion) {
    const shown = `ResourceVersion in precondition: ${version}, ResourceVersion in object meta: ${existing.metadata.resourceVersion}`;
    throw storageError(`Precondition failed: ${shown}`);
  }
}

/** An object in the storage version. */
export interface StorageForm {
  /** The object as it is stored. */
  stored: ApiObject;
  /** The object as it is read: with the defaults of the storage version. Only those of the request's version are stored. */
  read: ApiObject;
}

/** Returns the storage form of an object that is in the storage version already, with all defaults. */
export const storageForm = (object: ApiObject): StorageForm => ({ stored: object, read: object });

/**
 * Converts an object to the version in which it is stored.
 *
 * @param scope - the request
 * @param object - the object in the hub version
 * @returns the object itself, or its copy in the storage version
 */
export async function toStorage(scope: Scope, object: ApiObject): Promise<StorageForm> {
  const { type, hub } = scope;
  const isStored = hub === type.storageVersion;
  if (isStored && type.dropsDefaults !== true) return storageForm(object);
  const stored = isStored ? object : await convertStored(type, cloneJson(object), type.storageVersion);
  const read = type.decodeStored?.(cloneJson(stored)) ?? stored;
  return { stored, read: equalJson(read, stored) ? stored : read };
}

/** Returns the form with more fields in the stored metadata, which reads drop. */
export function withMetadata(form: StorageForm, more: JsonObject): StorageForm {
  return { ...form, stored: { ...form.stored, metadata: { ...form.stored.metadata, ...more } } };
}

/**
 * Brings an object into the form in which it is read after storage: without fields that the storage version doesn't have.
 *
 * @param scope - the request
 * @param form - the object in the storage version
 * @returns the object in the hub version
 */
export async function fromStorage(scope: Scope, form: StorageForm): Promise<ApiObject> {
  const { type, hub } = scope;
  return hub === type.storageVersion ? form.read : convertStored(type, cloneJson(form.read), hub);
}

/**
 * Reports whether an update leaves an object as it is.
 *
 * @param scope - the request
 * @param entry - the stored state
 * @param existing - the stored state in the hub version
 * @param object - the new state in the hub version, as it is read after storage
 * @param form - the new state in the storage version
 * @returns true if there is nothing to write
 */
export function isUnchanged(
  scope: Scope,
  entry: Entry,
  existing: ApiObject,
  object: ApiObject,
  form: StorageForm,
): boolean {
  // An update stores what its client has read: new defaults, no removed fields, in the present storage version.
  if (needsDecoding(scope.type, entry) || form.stored !== form.read)
    return equalJson(form.stored, parseStored(scope.type, entry.text));
  return equalJson(object, existing);
}

/** The limit of etcd for a request, which contains one object. */
const maxStoredBytes = 1.5 * 1024 * 1024;

/** How an object is written. */
export interface StoreOptions {
  /** True to leave the store as it is. */
  dryRun: boolean;
  /** True to refuse an object that is too large with its field owners. Otherwise it is stored without them. */
  needsOwners?: boolean | undefined;
  /** Undoes reservations of a dry run, or of a write that fails. */
  release?: (() => void) | undefined;
}

/**
 * Writes an object to the store, unless the request is a dry run.
 *
 * @param scope - the request
 * @param key - the key of the object
 * @param object - the object in the hub version; its resourceVersion is set
 * @param form - the same object in the storage version
 * @param options - how to write it
 * @returns the object
 */
export function store(
  scope: Scope,
  key: string,
  object: ApiObject,
  { stored, read }: StorageForm,
  { dryRun, needsOwners = false, release }: StoreOptions,
): ApiObject {
  if (dryRun) {
    release?.();
    return object;
  }
  try {
    const textOf = (revision: number): string => {
      object.metadata.resourceVersion = String(revision);
      stored.metadata.resourceVersion = String(revision);
      const text = storedText(scope.type, stored);
      if (Buffer.byteLength(text) <= maxStoredBytes) return text;
      const tooLarge = new StatusError(500, "", "etcdserver: request is too large");
      if (needsOwners) throw tooLarge;
      delete object.metadata.managedFields;
      delete stored.metadata.managedFields;
      const shorter = storedText(scope.type, stored);
      if (Buffer.byteLength(shorter) > maxStoredBytes) throw tooLarge;
      return shorter;
    };
    const created = (entry: Entry): void => rememberState(scope.type, entry, stored);
    scope.engine.store.put(scope.collection, key, textOf, read !== stored, created);
    return object;
  } catch (error) {
    release?.();
    if (error instanceof StatusError) throw error;
    throw new StatusError(500, "InternalError", `Internal error occurred: ${(error as Error).message}`);
  }
}

/**
 * Removes an object from the store.
 *
 * @param scope - the request
 * @param key - the key of the object
 * @param object - its last state in the hub version
 * @param dryRun - true to leave the store as it is
 * @returns the last state
 */
export function deleteWithoutFinalizers(scope: Scope, key: string, object: ApiObject, dryRun: boolean): ApiObject {
  if (dryRun) return object;
  const current = scope.collection.get(key);
  if (current === undefined) return object;
  try {
    const isStored = scope.hub === scope.type.storageVersion;
    const stored = isStored ? object : (parseJson(current.text) as unknown as ApiObject);
    const textOf = (revision: number): string => {
      object.metadata.resourceVersion = String(revision);
      stored.metadata.resourceVersion = String(revision);
      return storedText(scope.type, stored);
    };
    scope.engine.store.delete(scope.collection, key, textOf, !isStored && current.incomplete === true);
  } catch (error) {
    throw new StatusError(500, "InternalError", `Internal error occurred: ${(error as Error).message}`);
  }
  scope.type.strategy.release?.(object, scope.context(false));
  return object;
}
