import { cloneJson, equalJson } from "@kubewright/cel/json";
import { timestamp } from "../model/metadata.ts";
import type { ApiObject } from "../model/resource.ts";
import { conflict, forbidden, notFound } from "../model/status.ts";
import type { DeleteOptions } from "../model/write-options.ts";
import { admissionAttributes, deleteOptionsObject } from "./attributes.ts";
import {
  checkPreconditions,
  deleteWithoutFinalizers,
  readConverted,
  readHub,
  storageForm,
  store,
  toRequestVersion,
  toStorage,
} from "./commit.ts";
import { objectKey, type Scope } from "./scope.ts";
import { corruptIfUndecodable } from "./undecodable.ts";

const orphanFinalizer = "orphan";
const foregroundFinalizer = "foregroundDeletion";

/** The result of a deletion. */
export interface Deleted {
  /** The last state of the object. */
  object: ApiObject;
  /** False if the object remains for now, for its finalizers or its grace period. */
  gone: boolean;
}

/**
 * Deletes an object, or marks it as being deleted if it has finalizers or a grace period.
 *
 * @param scope - the request
 * @param name - the name of the object
 * @param given - the options of the request
 * @returns the last state
 * @throws StatusError if the object doesn't exist, isn't the expected one, or the deletion is refused
 */
export async function deleteObject(scope: Scope, name: string, given: DeleteOptions): Promise<Deleted> {
  const problem = scope.info.verb === "delete" ? scope.type.strategy.deletionProblem?.(name) : undefined;
  if (problem !== undefined) throw forbidden(scope.groupResource, name, problem);
  const key = objectKey(scope.type, scope.info.namespace, name);
  for (;;) {
    const entry = scope.collection.get(key);
    if (entry === undefined) throw notFound(scope.groupResource, name);
    const before = await corruptIfUndecodable(scope, () => readHub(scope, entry));
    const existing = cloneJson(before);
    const options = { ...given };
    const held = scope.type.strategy.holdDeletion?.(existing, options, scope.engine.now());
    if (held === "waits") return { object: existing, gone: false };
    if (held === "marked") {
      if (given.preconditions !== undefined) checkPreconditions(scope, name, before, given.preconditions);
      await admit(scope, name, before, given);
      if (scope.collection.get(key) !== entry) continue;
      return { object: store(scope, key, existing, storageForm(existing), { dryRun: options.dryRun }), gone: false };
    }
    const graceful = beforeDelete(scope, existing, options);
    if (graceful === "pending") return { object: existing, gone: false };

    // The options of the deletion of a collection are those of all its objects.
    const admitted = scope.info.verb === "deletecollection" ? given : options;
    const isConverted = graceful === "now" && (await readConverted(scope, entry)) !== undefined;
    await admit(scope, name, before, admitted);
    if (scope.collection.get(key) !== entry) continue;
    if (given.preconditions !== undefined) checkPreconditions(scope, name, before, given.preconditions);

    const finalizers = deletionFinalizers(scope, existing, options);
    if (finalizers !== undefined) existing.metadata.finalizers = finalizers;
    const waits = (existing.metadata.finalizers ?? []).length > 0;
    if (graceful === "now" && !waits) {
      const removed = remove(scope, key, existing, options.dryRun);
      // The removed state is converted for the response, too.
      if (isConverted && !options.dryRun) await readHub(scope, entry);
      return removed;
    }
    if (graceful === "now") markAsDeleting(scope, existing);
    if ((existing.metadata.finalizers ?? []).length === 0) delete existing.metadata.finalizers;
    const form = await toStorage(scope, existing);
    if (scope.collection.get(key) !== entry) continue;
    // A second deletion of an object that waits for its finalizers changes nothing.
    const marked = equalJson(existing, before)
      ? existing
      : store(scope, key, existing, form, { dryRun: options.dryRun });
    if (waits || options.gracePeriodSeconds !== 0) return { object: marked, gone: false };
    if (options.dryRun) return { object: marked, gone: true };
    return removeMarked(scope, name, marked, admitted);
  }
}

/**
 * Removes an object that is marked as being deleted. Watches see the mark first, so that operators can act on it. Admission
 * decides again, about the object with the mark.
 */
async function removeMarked(scope: Scope, name: string, marked: ApiObject, options: DeleteOptions): Promise<Deleted> {
  const key = objectKey(scope.type, scope.info.namespace, name);
  const { preconditions } = options;
  await scope.engine.sendEvents?.();
  for (;;) {
    const entry = scope.collection.get(key);
    if (entry === undefined) return { object: marked, gone: true };
    const current = cloneJson(await readHub(scope, entry));
    const { resourceVersion } = marked.metadata;
    // The mark is a new version.
    const isOfVersion = preconditions?.resourceVersion !== undefined && resourceVersion !== undefined;
    checkPreconditions(scope, name, current, isOfVersion ? { ...preconditions, resourceVersion } : preconditions);
    await admit(scope, name, current, options);
    if (scope.collection.get(key) === entry) return remove(scope, key, current, false);
  }
}

async function admit(scope: Scope, name: string, existing: ApiObject, options: DeleteOptions): Promise<void> {
  const old = await toRequestVersion(scope, existing);
  const attributes = {
    ...admissionAttributes(scope, "DELETE", undefined, old, deleteOptionsObject(options), options.dryRun),
    // The deletion of a collection names none of its objects.
    name: scope.info.verb === "deletecollection" ? "" : name,
  };
  await scope.engine.admission.mutate(attributes);
  await scope.engine.admission.validate(attributes);
}

/** Decides whether an object goes now, after a grace period, or is already on its way. */
function beforeDelete(scope: Scope, object: ApiObject, options: DeleteOptions): "now" | "graceful" | "pending" {
  const { metadata } = object;
  const { preconditions } = options;
  const of = { group: scope.type.group, resource: scope.type.kind };
  const name = metadata.name as string;
  if (preconditions?.uid !== undefined && preconditions.uid !== metadata.uid) {
    const detail = `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(of, name, detail);
  }
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== metadata.resourceVersion) {
    const detail = `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(of, name, detail);
  }
  if (options.gracePeriodSeconds !== undefined && options.gracePeriodSeconds < 0) options.gracePeriodSeconds = 1;
  const check = scope.type.strategy.checkGracefulDelete;
  if (check === undefined) return "now";
  if (metadata.deletionTimestamp !== undefined) return shortenGrace(scope, object, options);
  if (!check(object, options)) return "now";
  const grace = options.gracePeriodSeconds ?? 0;
  metadata.deletionTimestamp = timestamp(scope.engine.now() + grace * 1000);
  metadata.deletionGracePeriodSeconds = grace;
  if (metadata.generation) metadata.generation++;
  return "graceful";
}

/** A second deletion can only shorten the grace period. */
function shortenGrace(scope: Scope, object: ApiObject, options: DeleteOptions): "now" | "graceful" | "pending" {
  const { metadata } = object;
  const current = metadata.deletionGracePeriodSeconds ?? 0;
  if (current === 0) return "now";
  let period = options.gracePeriodSeconds;
  if (period === undefined) {
    options.gracePeriodSeconds = current;
    return "pending";
  }
  if (period >= current) return "pending";
  const now = scope.engine.now();
  let end = Date.parse(metadata.deletionTimestamp as string) - current * 1000 + period * 1000;
  if (end < now) {
    end = now;
    if (period !== 0) period = 1;
  }
  metadata.deletionTimestamp = timestamp(end);
  metadata.deletionGracePeriodSeconds = period;
  return "graceful";
}

/** Returns the finalizers for the garbage collector with those that exist, or undefined if nothing changes. */
function deletionFinalizers(scope: Scope, object: ApiObject, options: DeleteOptions): string[] | undefined {
  if (scope.engine.collectsGarbage === false) return undefined;
  const existing = object.metadata.finalizers ?? [];
  const rest = existing.filter((one) => one !== orphanFinalizer && one !== foregroundFinalizer);
  if (shouldOrphan(scope, existing, options)) rest.push(orphanFinalizer);
  if (shouldDeleteDependents(scope, existing, options)) rest.push(foregroundFinalizer);
  const same = rest.length === existing.length && rest.every((one) => existing.includes(one));
  return same ? undefined : rest;
}

function shouldOrphan(scope: Scope, finalizers: readonly string[], options: DeleteOptions): boolean {
  const policy = scope.type.strategy.garbageCollection;
  if (policy === "Unsupported") return false;
  if (options.orphanDependents !== undefined) return options.orphanDependents;
  if (options.propagationPolicy !== undefined) return options.propagationPolicy === "Orphan";
  const finalizer = finalizers.find((finalizer) => finalizer === orphanFinalizer || finalizer === foregroundFinalizer);
  return finalizer === undefined ? policy === "Orphan" : finalizer === orphanFinalizer;
}

function shouldDeleteDependents(scope: Scope, finalizers: readonly string[], options: DeleteOptions): boolean {
  if (scope.type.strategy.garbageCollection === "Unsupported") return false;
  if (options.orphanDependents !== undefined) return false;
  if (options.propagationPolicy !== undefined) return options.propagationPolicy === "Foreground";
  return (
    finalizers.find((finalizer) => finalizer === orphanFinalizer || finalizer === foregroundFinalizer) ===
    foregroundFinalizer
  );
}

function markAsDeleting(scope: Scope, object: ApiObject): void {
  const { metadata } = object;
  const now = scope.engine.now();
  if (metadata.deletionTimestamp === undefined && metadata.generation) metadata.generation++;
  if (metadata.deletionTimestamp === undefined || Date.parse(metadata.deletionTimestamp) > now) {
    metadata.deletionTimestamp = timestamp(now);
  }
  metadata.deletionGracePeriodSeconds = 0;
}

function remove(scope: Scope, key: string, object: ApiObject, dryRun: boolean): Deleted {
  return { object: deleteWithoutFinalizers(scope, key, object, dryRun), gone: true };
}
