import { cloneJson, copyKey, equalJson, goQuote, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  fieldErrorMessage,
  isPathSegment,
  splitApiVersion,
  validateFinalizerDomains,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "@kubewright/cel/validation";
import type { ApiObject, Metadata } from "../model/resource.ts";
import { alreadyExists, conflict, invalid, notFound, StatusError } from "../model/status.ts";
import type { Preconditions, WriteOptions } from "../model/write-options.ts";
import { canonicalize } from "./canonicalize.ts";
import {
  checkPreconditions,
  deleteWithoutFinalizers,
  fromStorage,
  isUnchanged,
  readReplaced,
  store,
  toStorage,
  withMetadata,
} from "./commit.ts";
import { kindErrors } from "./kind-errors.ts";
import { ensureNamespace, fillSystemFields, generateName, wipeSystemFields } from "./metadata.ts";
import { objectKey, type Scope, stateOf } from "./scope.ts";

const staleMessage = "the object has been modified; please apply your changes to the latest version and try again";
/** As many attempts as make it improbable that no generated name is free. */
const nameAttempts = 8;

/** The result of a write. */
export interface Written {
  object: ApiObject;
  created: boolean;
}

/**
 * Stores a new object: metadata, the rules of its kind, validating admission.
 *
 * @param scope - the request
 * @param object - the object in the hub version, after mutating admission; changed
 * @param options - the options of the request
 * @param validate - validating admission
 * @returns the stored object
 * @throws StatusError if it is invalid, refused or exists
 */
export async function createObject(
  scope: Scope,
  object: ApiObject,
  options: WriteOptions,
  validate: (object: ApiObject) => Promise<void>,
): Promise<ApiObject> {
  const generates = !object.metadata.name && Boolean(object.metadata.generateName);
  for (let attempt = 1; ; attempt++) {
    try {
      return await createOnce(scope, generates ? cloneJson(object) : object, options, validate);
    } catch (error) {
      const taken = error instanceof StatusError && error.reason === "AlreadyExists";
      if (!generates || !taken || attempt === nameAttempts) throw error;
    }
  }
}

async function createOnce(
  scope: Scope,
  object: ApiObject,
  options: WriteOptions,
  validate: (object: ApiObject) => Promise<void>,
): Promise<ApiObject> {
  const { metadata } = object;
  fillSystemFields(object, scope);
  const generated = !metadata.name && metadata.generateName;
  const version = metadata.resourceVersion ?? "";
  if (generated) metadata.name = generateName(metadata.generateName as string, scope.engine.random);
  const release = await prepareNew(scope, object, options, validate);
  const form = await toStorage(scope, object);
  const name = metadata.name as string;
  const key = objectKey(scope.type, metadata.namespace ?? "", name);
  if (!options.dryRun && /^0*[1-9]\d*$/.test(version)) {
    release?.();
    throw new StatusError(500, "", "resourceVersion should not be set on objects to be created");
  }
  const existing = scope.collection.get(key);
  if (existing !== undefined) {
    release?.();
    const deleting = stateOf(scope.type, existing).metadata.deletionTimestamp !== undefined;
    if (generated) throw generatedNameTaken(scope, name);
    const error = alreadyExists(scope.groupResource, name);
    throw deleting
      ? new StatusError(error.code, error.reason, `object is being deleted: ${error.message}`, error.details)
      : error;
  }
  return store(scope, key, await fromStorage(scope, form), form, { dryRun: options.dryRun, release });
}

function generatedNameTaken(scope: Scope, name: string): StatusError {
  const of = scope.groupResource;
  const error = alreadyExists(of, name);
  return new StatusError(
    409,
    "AlreadyExists",
    `${error.message.slice(0, -" already exists".length)} already exists, the server was not able to generate a unique name for the object`,
    { ...error.details, retryAfterSeconds: 1 },
  );
}

/** Applies the rules for new objects. Returns what undoes reservations. */
async function prepareNew(
  scope: Scope,
  object: ApiObject,
  options: WriteOptions,
  validate: (object: ApiObject) => Promise<void>,
): Promise<(() => void) | undefined> {
  const { strategy } = scope.type;
  const context = scope.context(options.dryRun);
  ensureNamespace(object, scope.type, scope.info.namespace);
  let release: (() => void) | undefined;
  try {
    strategy.prepareForCreate?.(object, context);
    canonicalize(scope, object);
    release = strategy.allocate?.(object, undefined, context);
    const errors = kindErrors(scope, () => strategy.validate?.(object, context));
    throwInvalid(scope, object, [
      ...(strategy.validatesMetadata ? [] : metadataErrors(scope, object.metadata)),
      ...(errors instanceof Promise ? await errors : errors),
    ]);
    if (strategy.validatesMetadata && !scope.type.custom) {
      throwInvalid(scope, object, validateObjectMeta(object.metadata, scope.type.namespaced, isPathSegment));
    }
    for (const warning of strategy.warningsOnCreate?.(object) ?? []) scope.warn(warning);
    strategy.canonicalize?.(object);
    await validate(object);
    return release;
  } catch (error) {
    release?.();
    throw error;
  }
}

/** Checks metadata by the rules of the kind. */
function metadataErrors({ type }: Scope, metadata: Metadata): FieldError[] {
  const { nameProblems = isPathSegment, qualifiedFinalizers } = type.strategy;
  return [
    ...validateObjectMeta(metadata, type.namespaced, nameProblems),
    ...(qualifiedFinalizers ? validateFinalizerDomains(metadata) : []),
  ];
}

/** Checks the metadata of an update by the rules of the kind. */
function metadataUpdateErrors(scope: Scope, metadata: Metadata, changes: readonly FieldError[]): FieldError[] {
  const { metadataOnUpdate = "both", qualifiedFinalizers } = scope.type.strategy;
  const domains = metadataOnUpdate !== "object" && qualifiedFinalizers ? validateFinalizerDomains(metadata) : [];
  return [
    ...(metadataOnUpdate === "object" ? [] : changes),
    ...domains,
    ...(metadataOnUpdate === "changes" ? [] : metadataErrors(scope, metadata)),
  ];
}

/** Throws the error of an invalid object. */
function throwInvalid(scope: Scope, object: ApiObject, reported: readonly FieldError[]): void {
  const errors = scope.type.strategy.repeatsErrors ? reported : withoutRepetitions(reported);
  if (errors.length === 0) return;
  const { custom, storedForm } = scope.type;
  // Errors of custom resources contain the group and kind of the request. If a kind is stored in another form, they contain
  // its stored group.
  const kind = custom ? (object.kind ?? "") : scope.type.kind;
  const group = custom ? splitApiVersion(object.apiVersion ?? "")[0] : (storedForm?.group ?? scope.type.group);
  throw invalid({ group, kind }, object.metadata.name ?? "", errors);
}

function withoutRepetitions(errors: readonly FieldError[]): FieldError[] {
  return [...new Map(errors.map((error) => [fieldErrorMessage(error), error])).values()];
}

/** An update of an object. */
export interface Update {
  name: string;
  options: WriteOptions;
  /** True for server-side apply, which creates objects that don't exist. */
  forceCreate: boolean;
  /** True for server-side apply, whose result must not lose its field owners. */
  needsOwners?: boolean;
  preconditions?: Preconditions;
  /**
   * Creates the new state, in the hub version.
   *
   * @param existing - the present state, which must not be changed; undefined if the object doesn't exist
   */
  change: (existing: ApiObject | undefined) => Promise<ApiObject>;
  validateCreate: (object: ApiObject) => Promise<void>;
  validateUpdate: (object: ApiObject, old: ApiObject) => Promise<void>;
}

/**
 * Changes an object, or creates it if its kind allows that. Repeats when another write comes between.
 *
 * @param scope - the request
 * @param update - what to do
 * @returns the stored object
 * @throws StatusError if the change is invalid, refused or based on an outdated state
 */
export async function updateObject(scope: Scope, update: Update): Promise<Written> {
  const key = objectKey(scope.type, scope.info.namespace, update.name);
  const of = scope.groupResource;
  const { strategy } = scope.type;
  const mayCreate = strategy.allowCreateOnUpdate === true || update.forceCreate;
  const { needsOwners } = update;
  const { dryRun } = update.options;
  for (;;) {
    const entry = scope.collection.get(key);
    if (entry === undefined && !mayCreate) throw notFound(of, update.name);
    if (entry === undefined) {
      const object = await update.change(undefined);
      readVersion(object.metadata.resourceVersion ?? "");
      if (object.metadata.uid && !update.forceCreate) {
        const { uid } = object.metadata;
        checkPreconditions(scope, update.name, { ...object, metadata: { ...object.metadata, uid: "" } }, { uid });
      }
      if (object.metadata.uid) {
        const detail = `uid mismatch: the provided object specified uid ${object.metadata.uid}, and no existing object was found`;
        throw conflict(of, update.name, detail);
      }
      wipeSystemFields(object);
      fillSystemFields(object, scope);
      const release = await prepareNew(scope, object, update.options, update.validateCreate);
      if (update.forceCreate) dropUndefined(scope, object);
      const form = await toStorage(scope, object);
      const kept = await fromStorage(scope, form);
      if (scope.collection.get(key) !== undefined) {
        release?.();
        continue;
      }
      return { object: store(scope, key, kept, form, { dryRun, needsOwners, release }), created: true };
    }

    const existing = await readReplaced(scope, entry);
    checkPreconditions(scope, update.name, existing, update.preconditions);
    const object = await update.change(existing);
    const given = readVersion(object.metadata.resourceVersion ?? "");
    if (given === "0") {
      if (strategy.allowUnconditionalUpdate === false) {
        const detail = "must be specified for an update";
        const error: FieldError = { type: "FieldValueInvalid", field: "metadata.resourceVersion", value: 0, detail };
        throw invalid({ group: of.group, kind: of.resource }, update.name, [error]);
      }
      object.metadata.resourceVersion = existing.metadata.resourceVersion ?? "";
    } else if (given !== existing.metadata.resourceVersion) {
      if (scope.collection.get(key) !== entry) continue;
      throw conflict(of, update.name, staleMessage);
    }

    const emptied = update.forceCreate ? emptiedMetadata(scope, object.metadata) : undefined;
    const release = await prepareUpdate(scope, object, existing, update, emptied);
    if (update.forceCreate) dropUndefined(scope, object);
    const stored = await toStorage(scope, object);
    const form = emptied === undefined ? stored : withMetadata(stored, emptied);
    const kept = await fromStorage(scope, form);
    if (scope.collection.get(key) !== entry) {
      release?.();
      continue;
    }
    if (shouldDelete(scope, object, existing)) {
      release?.();
      // Watches see the last stored state, which still has the finalizer.
      deleteWithoutFinalizers(scope, key, cloneJson(existing), dryRun);
      return { object: kept, created: false };
    }
    if (emptied === undefined && isUnchanged(scope, entry, existing, kept, form))
      return { object: existing, created: false };
    const written = store(scope, key, kept, form, { dryRun, needsOwners, release });
    if (!dryRun) strategy.replaced?.(written, existing, scope.context(false));
    return { object: written, created: false };
  }
}

/**
 * Drops applied fields that the schema doesn't define. As in the real server, they are validated before, and keep their
 * owners.
 */
function dropUndefined(scope: Scope, object: ApiObject): void {
  if (scope.info.subresource !== "scale") scope.type.prune?.(object, scope.version.version);
}

/** Reads a resource version as the number that it is, `0` if it is absent. */
function readVersion(version: string): string {
  const refuse = (problem: string): StatusError =>
    new StatusError(500, "", `strconv.ParseUint: parsing ${goQuote(version)}: ${problem}`);
  if (!/^\d*$/.test(version)) throw refuse("invalid syntax");
  const number = BigInt(version);
  if (number !== BigInt.asUintN(64, number)) throw refuse("value out of range");
  return String(number);
}

async function prepareUpdate(
  scope: Scope,
  object: ApiObject,
  existing: ApiObject,
  update: Update,
  emptied: JsonObject | undefined,
): Promise<(() => void) | undefined> {
  const { strategy } = scope.type;
  const context = scope.context(update.options.dryRun);
  const old = existing.metadata;
  ensureNamespace(object, scope.type, scope.info.namespace);
  copyKey(object.metadata, old, "generation");
  let release: (() => void) | undefined;
  try {
    strategy.prepareForUpdate?.(object, existing, context);
    canonicalize(scope, object, existing);
    const { metadata } = object;
    if (!metadata.uid) copyKey(metadata, old, "uid");
    if (old.creationTimestamp) metadata.creationTimestamp = old.creationTimestamp;
    if (old.deletionTimestamp) metadata.deletionTimestamp = old.deletionTimestamp;
    if (old.deletionGracePeriodSeconds !== undefined && metadata.deletionGracePeriodSeconds === undefined) {
      metadata.deletionGracePeriodSeconds = old.deletionGracePeriodSeconds;
    }
    release = strategy.allocate?.(object, existing, context);
    const changes = validateObjectMetaUpdate(metadata, old);
    const errors = kindErrors(scope, () => strategy.validateUpdate?.(object, existing, context));
    throwInvalid(scope, object, [
      // The real server checks metadata for all kinds and again for each kind.
      ...validateObjectMeta(metadata, scope.type.namespaced, isPathSegment),
      ...changes,
      ...(strategy.validatesMetadata ? [] : metadataUpdateErrors(scope, metadata, changes)),
      ...(errors instanceof Promise ? await errors : errors),
    ]);
    for (const warning of strategy.warningsOnUpdate?.(object, existing, context) ?? []) scope.warn(warning);
    strategy.canonicalize?.(object);
    if (emptied === undefined) ignoreManagedFieldTimes(object, existing);
    await update.validateUpdate(object, existing);
    return release;
  } catch (error) {
    release?.();
    throw error;
  }
}

/**
 * Returns the empty fields of metadata that a write by server-side apply stores; undefined without any. Reads of custom resources
 * omit them. A write that adds or removes them is a change.
 */
function emptiedMetadata({ type }: Scope, metadata: Metadata): JsonObject | undefined {
  if (!type.custom) return undefined;
  const isEmpty = (value: Json | undefined): boolean =>
    value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
  const emptied = Object.entries(metadata).filter(([key, value]) => ofClients.has(key) && isEmpty(value));
  return emptied.length === 0 ? undefined : Object.fromEntries(emptied);
}

/** The fields of metadata that clients set. */
const ofClients = new Set(["annotations", "finalizers", "generateName", "labels", "ownerReferences"]);

/** A write that changes nothing but the times of owners isn't a write. */
function ignoreManagedFieldTimes(object: ApiObject, existing: ApiObject): void {
  const now = object.metadata.managedFields;
  const before = existing.metadata.managedFields;
  if (!now || !before || equalJson(now, before)) return;
  const timeless = (entries: JsonObject[]): JsonObject[] => entries.map(({ time: _time, ...rest }) => rest);
  if (!equalJson(timeless(now), timeless(before))) return;
  const same = equalJson(
    { ...object, metadata: { ...object.metadata, managedFields: undefined } },
    { ...existing, metadata: { ...existing.metadata, managedFields: undefined } },
  );
  if (same) object.metadata.managedFields = before;
}

/** An object that waits for its last finalizer goes when an update removes it. */
function shouldDelete(scope: Scope, object: ApiObject, existing: ApiObject): boolean {
  if ((object.metadata.finalizers ?? []).length > 0) return false;
  if (existing.metadata.deletionTimestamp === undefined) return false;
  if ((existing.metadata.deletionGracePeriodSeconds ?? 0) !== 0) return false;
  return scope.type.strategy.shouldDeleteDuringUpdate?.(object, existing) ?? true;
}
