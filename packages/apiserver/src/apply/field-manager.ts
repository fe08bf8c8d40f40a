/**
 * The field manager: who owns which field of an object, and server-side apply.
 *
 * The registry calls these functions in this order, as kube-apiserver does:
 *
 * 1. Create: decode and default the object, then {@link updateManagedFields} with the empty object of the kind as `live`.
 *    Update: the same with the stored object as `live`. Patch: patch the stored object, decode and default the result,
 *    then {@link updateManagedFields}. Apply: {@link applyPatch} with the stored object, or the empty one if none exists;
 *    then default the result unless `changed` is false.
 * 2. Mutating admission. {@link checkManagedFields} then restores `managedFields` if a webhook made them invalid.
 * 3. The strategy of the kind (reset of `status` and so on), validation, validating admission.
 * 4. {@link keepTimes} before an update is compared with the stored object: if only times of entries changed, the write
 *    doesn't change anything.
 *
 * Objects are in the version of the request. Those of built-in kinds are as the server encodes them, which includes empty
 * structs such as `status: {}`. Those of custom resources have lost empty parts of metadata, `managedFields: []` among them,
 * when they were decoded; the configuration of an apply hasn't.
 */
import type { JsonObject } from "@kubewright/cel/json";
import { badRequest, StatusError } from "../model/status.ts";
import { capUpdateManagers } from "./cap-managers.ts";
import { ConflictError, conflictStatus } from "./conflicts.ts";
import { type Convert, PendingConversion } from "./conversion.ts";
import { fieldsOfLastApplied, lastApplied, withLastApplied } from "./last-applied.ts";
import {
  decodeManagedFields,
  encodeManagedFields,
  type ManagedFields,
  managerIdentifier,
  noManagedFields,
} from "./managed-fields.ts";
import { describeObject, groupVersionKindText, metadataOf, textOf, typeMeta, withManagedFields } from "./metadata.ts";
import { TypeProblems } from "./typed/atom.ts";
import { type FieldFilter, FieldSet } from "./typed/field-set.ts";
import { fieldPath } from "./typed/path-element.ts";
import { validateType } from "./typed/validate.ts";
import type { ValueType } from "./typed/value-type.ts";
import { tooDeep } from "./typed/values.ts";
import { applyConfiguration, type TypedValue, updateOwners, type Versions } from "./updater.ts";

/** A kind in the version of a request, and what the field manager needs of its other versions. */
export interface ManagedKind {
  apiVersion: string;
  kind: string;
  /** The subresource of the request; empty for the resource itself. */
  subresource?: string;
  /** Returns the type of a version, or undefined if it doesn't exist. */
  typeOf(apiVersion: string): ValueType | undefined;
  /** Converts objects to another version. Needed if objects may have owners in other versions. */
  convert?: Convert;
  /** Returns the filter for fields that requests in a version can't set. */
  resetFields?(apiVersion: string): FieldFilter | undefined;
  /** Creates the empty object of the kind in the version of the request. */
  empty(): JsonObject;
}

/** The write that {@link updateManagedFields} records. */
export interface UpdateRequest {
  /** The stored object; the empty object of the kind for a create. */
  live: JsonObject;
  /** The object after the request. Its `managedFields` are those that the client sent. */
  updated: JsonObject;
  /** The name of the manager, see `managerName`. */
  manager: string;
  /** The time, in the form of RFC 3339 with seconds. */
  now: string;
}

/** The request of {@link applyPatch}. */
export interface ApplyRequest {
  /** The stored object; the empty object of the kind if there is none. */
  live: JsonObject;
  /** The applied configuration. */
  patch: JsonObject;
  /** The name of the manager. */
  manager: string;
  /** Whether to take fields that other managers own. */
  force: boolean;
  /** The time, in the form of RFC 3339 with seconds. */
  now: string;
}

/** Fields without owners. */
const unowned = FieldSet.of(
  fieldPath("apiVersion"),
  fieldPath("kind"),
  fieldPath("metadata"),
  ...[
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
  ].map((name) => fieldPath("metadata", name)),
);

/**
 * Records a create, update or patch in `metadata.managedFields`.
 *
 * @param kind - the kind and the version of the request
 * @param request - the write
 * @returns the object after the request with its managed fields. If they can't be computed, it has none.
 */
export function updateManagedFields(kind: ManagedKind, request: UpdateRequest): JsonObject {
  const { live, updated, manager, now } = request;
  const object = withManagedFields(updated, undefined);
  try {
    const managed = managedFieldsOfRequest(live, updated, kind.subresource !== undefined && kind.subresource !== "");
    // Objects whose tracking was reset have no owners until somebody applies.
    if (managed.owners.size === 0 && textOf(metadataOf(live).uid) !== "") return object;
    return withManagedFields(object, encodeManagedFields(update(kind, live, object, managed, manager, now)));
  } catch (error) {
    if (error instanceof PendingConversion) throw error;
    // No manager loses fields because a version can't be converted.
    const { managedFields } = metadataOf(live);
    return Array.isArray(managedFields) ? withManagedFields(object, managedFields) : object;
  }
}

/** Returns the owners before an update: those that the client sent, if they are valid, otherwise the stored ones. */
function managedFieldsOfRequest(live: JsonObject, updated: JsonObject, onlyLive: boolean): ManagedFields {
  if (!onlyLive) {
    const sent = metadataOf(updated).managedFields;
    if (isReset(sent)) return noManagedFields();
    const managed = decodeOrNone(sent);
    if (managed.owners.size > 0) return managed;
  }
  return decodeOrNone(metadataOf(live).managedFields);
}

function decodeOrNone(entries: JsonObject[string]): ManagedFields {
  try {
    return decodeManagedFields(entries);
  } catch {
    return noManagedFields();
  }
}

/** Reports whether a client resets the owners: with an empty list, or a list of one empty entry. */
function isReset(entries: JsonObject[string]): boolean {
  if (!Array.isArray(entries) || entries.length > 1) return false;
  const [entry] = entries;
  return entry === undefined || (typeof entry === "object" && entry !== null && Object.keys(entry).length === 0);
}

const currentOperation = "current-operation";

function update(
  kind: ManagedKind,
  live: JsonObject,
  updated: JsonObject,
  managed: ManagedFields,
  manager: string,
  now: string,
): ManagedFields {
  const type = typeOfRequest(kind);
  const { apiVersion, subresource = "" } = kind;
  const before = typedObject("live object", type, live, kind, true);
  const after = typedObject("new object", type, updated, kind, true);
  const owners = updateOwners(versionsOf(kind), before, after, managed.owners, currentOperation);
  const times = new Map(managed.times);
  const identifier = managerIdentifier({ manager: manager || "unknown", operation: "Update", apiVersion, subresource });
  const changes = owners.get(currentOperation);
  owners.delete(currentOperation);
  const set = changes?.set.difference(unowned);
  if (set !== undefined && !set.empty) {
    const previous = owners.get(identifier);
    owners.set(identifier, { set: previous ? set.union(previous.set) : set, apiVersion, applied: false });
    times.set(identifier, now);
  }
  return capUpdateManagers({ owners, times });
}

/**
 * Applies a configuration to an object.
 *
 * @param kind - the kind and the version of the request
 * @param request - the configuration and who applies it
 * @returns the object with its managed fields. `changed` is false if only these may differ from the stored object.
 * @throws StatusError for conflicts (409), for configurations of another kind or version or with managed fields (400), and
 * for configurations that don't fit the schema (500)
 */
export function applyPatch(kind: ManagedKind, request: ApplyRequest): { object: JsonObject; changed: boolean } {
  try {
    return applyRequest(kind, request);
  } catch (error) {
    if (error instanceof StatusError || error instanceof PendingConversion) throw error;
    if (error instanceof ConflictError) throw conflictStatus(error.conflicts);
    throw new StatusError(500, "", (error as Error).message);
  }
}

function applyRequest(kind: ManagedKind, request: ApplyRequest): { object: JsonObject; changed: boolean } {
  const { patch, manager, now } = request;
  const { apiVersion } = kind;
  let managed: ManagedFields;
  try {
    managed = decodeManagedFields(metadataOf(request.live).managedFields);
  } catch (error) {
    throw new Error(`failed to decode managed fields: ${(error as Error).message}`);
  }
  const [patchVersion, patchKind] = typeMeta(patch);
  if (patchVersion !== apiVersion || patchKind !== kind.kind) {
    throw badRequest(`invalid object type: ${groupVersionKindText(patch)}`);
  }
  let { live } = request;
  if (managed.owners.size === 0) {
    live = withManagedFields(live, undefined);
    managed = trackFromNow(kind, live, now);
  }
  if (Array.isArray(metadataOf(patch).managedFields)) throw badRequest("metadata.managedFields must be nil");
  const type = typeOfRequest(kind);
  const before = typedObject("live object", type, live, kind, true);
  const config = typedPatch(type, patch, apiVersion);
  const identifier = managerIdentifier({
    manager: manager || "unknown",
    operation: "Apply",
    subresource: kind.subresource ?? "",
  });
  const apply = (force: boolean) =>
    applyConfiguration(versionsOf(kind), before, config, managed.owners, identifier, force);
  const { merged, owners } = manager === "kubectl" ? applyAsKubectl(apply, request, type, live) : apply(request.force);
  const times = new Map(managed.times);
  const own = owners.get(identifier);
  if (own !== undefined) {
    const set = own.set.difference(unowned);
    if (set.empty) owners.delete(identifier);
    else owners.set(identifier, { ...own, set });
  }
  if (merged !== undefined) times.set(identifier, now);
  let object = (merged?.value ?? live) as JsonObject;
  let changed = merged !== undefined;
  if (manager === "kubectl" && lastApplied(object) !== "") {
    const annotated = withLastApplied(object, patch);
    changed ||= lastApplied(annotated) !== lastApplied(object);
    object = annotated;
  }
  return {
    object: withManagedFields(withManagedFields(object, undefined), encodeManagedFields({ owners, times })),
    changed,
  };
}

/** Returns one owner for all fields of an object whose owners weren't tracked. */
function trackFromNow(kind: ManagedKind, live: JsonObject, now: string): ManagedFields {
  try {
    return update(kind, kind.empty(), live, noManagedFields(), "before-first-apply", now);
  } catch (error) {
    if (error instanceof PendingConversion) throw error;
    throw new Error(`failed to create manager for existing fields: ${(error as Error).message}`);
  }
}

/** Applies without conflicts for fields that a client-side apply of kubectl set before. */
function applyAsKubectl<Result>(
  apply: (force: boolean) => Result,
  { force }: ApplyRequest,
  type: ValueType,
  live: JsonObject,
): Result {
  try {
    return apply(force);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    const allowed = fieldsOfLastApplied(type, live, textOf(live.apiVersion));
    if (allowed === undefined) throw error;
    const refused = error.conflicts.filter(({ path }) => !allowed.has(path));
    if (refused.length > 0) throw new ConflictError(refused);
    return apply(true);
  }
}

function typeOfRequest(kind: ManagedKind): ValueType {
  const type = kind.typeOf(kind.apiVersion);
  if (type === undefined) {
    throw new Error(
      `no corresponding type for ${groupVersionKindText({ apiVersion: kind.apiVersion, kind: kind.kind })}`,
    );
  }
  return type;
}

function typedObject(
  what: string,
  type: ValueType,
  value: JsonObject,
  { apiVersion }: ManagedKind,
  allowDuplicates: boolean,
): TypedValue {
  const problem = typeProblem(type, value, allowDuplicates);
  if (problem !== undefined) throw new Error(`failed to create typed ${what} (${describeObject(value)}): ${problem}`);
  return { type, value, apiVersion };
}

function typedPatch(type: ValueType, patch: JsonObject, apiVersion: string): TypedValue {
  return typedObject("patch object", type, patch, { apiVersion } as ManagedKind, false);
}

function typeProblem(type: ValueType, value: JsonObject, allowDuplicates: boolean): string | undefined {
  if (tooDeep(value)) return "exceeded max depth";
  const problems = validateType(type, value, { allowDuplicates });
  return problems.length === 0 ? undefined : new TypeProblems(problems).message;
}

function versionsOf(kind: ManagedKind): Versions {
  return {
    convert(typed, apiVersion) {
      if (typed.apiVersion === apiVersion) return typed;
      const value = kind.convert?.(typed.value as JsonObject, apiVersion);
      if (value === undefined) return undefined;
      const type = kind.typeOf(apiVersion);
      if (type === undefined) return undefined;
      const problem = typeProblem(type, value, false);
      if (problem !== undefined) throw new Error(problem);
      return { type, value, apiVersion };
    },
    resetFields: (apiVersion) => kind.resetFields?.(apiVersion),
  };
}
