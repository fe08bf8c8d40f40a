import { cloneJson, isObject, type JsonObject } from "@kubewright/cel/json";
import type { AdmissionAttributes } from "../model/admission.ts";
import type { Answer } from "../model/request.ts";
import { type ApiObject, DecodeError } from "../model/resource.ts";
import { badRequest, forbidden, StatusError } from "../model/status.ts";
import type { DeleteOptions, WriteOptions } from "../model/write-options.ts";
import { decodeBody, readBody } from "../request/body.ts";
import { bodyEncoding } from "../request/negotiation.ts";
import {
  deleteOptions,
  deleteParameters,
  listOptions,
  rejectExport,
  unsafeCollection,
  writeOptions,
} from "../request/options.ts";
import { admissionAttributes, createAccess, optionsObject } from "./attributes.ts";
import { toRequestVersion } from "./commit.ts";
import { deleteObject } from "./delete.ts";
import { eventWriter } from "./event-writer.ts";
import { checkName, dedupeOwnerReferences, ensureNamespace, wipeSystemFields } from "./metadata.ts";
import { patchOf } from "./patch.ts";
import { getEntry, listEntries, readObject } from "./read.ts";
import {
  acceptedOf,
  documentAnswer,
  entryAnswer,
  headOf,
  listAnswer,
  listDocumentAnswer,
  objectAnswer,
} from "./respond.ts";
import { accessDenied, type Scope } from "./scope.ts";
import { createTurns } from "./turns.ts";
import { deleteUndecodable } from "./unsafe-delete.ts";
import { Watch } from "./watch.ts";
import { createObject, updateObject } from "./write.ts";

async function toHub(scope: Scope, object: ApiObject): Promise<ApiObject> {
  return scope.hub === scope.version.version ? object : scope.type.convert(object, scope.hub);
}

/** Answers a read of one object. */
export async function get(scope: Scope): Promise<Answer> {
  const accepted = acceptedOf(scope);
  rejectExport(scope.info.query);
  return entryAnswer(scope, accepted, getEntry(scope));
}

/** Answers a list. */
export async function list(scope: Scope): Promise<Answer> {
  const accepted = acceptedOf(scope);
  const options = listOptions(scope.info.query);
  return listAnswer(scope, accepted, await listEntries(scope, options));
}

/** Answers a watch. */
export async function watch(scope: Scope, byPath: boolean): Promise<Answer> {
  const accepted = acceptedOf(scope);
  const options = listOptions(scope.info.query, byPath);
  const writer = eventWriter(scope, accepted);
  const stream = new Watch(scope, options, writer);
  const headers = { "content-type": writer.mediaType };
  const isList = options.sendInitialEvents === true && options.allowWatchBookmarks;
  const compressible = isList && scope.engine.gates.enabled("WatchListCompression");
  return { status: 200, headers, stream, compressible };
}

/** Answers a create. */
export async function create(scope: Scope): Promise<Answer> {
  const accepted = acceptedOf(scope);
  const body = readBody(scope.request, scope.version.encodings);
  const options = writeOptions(scope.info.query, "CreateOptions");
  const object = decodeBody(scope.expected(), body, options.fieldValidation, (message) => scope.warn(message));
  wipeSystemFields(object);
  // Objects of the kind Namespace have no namespace; the request for one is in none either.
  ensureNamespace(object, scope.type, scope.info.namespace);
  dedupeOwnerReferences(object, scope, false);
  const admitted = await admitNew(scope, object, options);
  const validate = validatorOfNew(scope, options, "CreateOptions");
  const virtual = scope.engine.virtual?.get(`${scope.type.group}/${scope.type.resource}`);
  const hub = await toHub(scope, admitted);
  const stored =
    virtual === undefined ? await createObject(scope, hub, options, validate) : await virtual(scope, hub, validate);
  return objectAnswer(scope, 201, accepted, await toRequestVersion(scope, stored));
}

/** Sets the owners of a new object and runs mutating admission. */
export async function admitNew(scope: Scope, object: ApiObject, options: WriteOptions): Promise<ApiObject> {
  const owned = await trackOwners(scope, undefined, object, options);
  const attributes = admissionAttributes(
    scope,
    "CREATE",
    owned,
    undefined,
    optionsObject(scope, "CreateOptions", options),
    options.dryRun,
  );
  // Fields that admission adds have no owner.
  const admitted = (await mutate(scope, attributes)) ?? owned;
  dedupeOwnerReferences(admitted, scope, true);
  return admitted;
}

/** Runs mutating admission, which begins with the rule of the kind for new objects. */
function mutate(scope: Scope, attributes: AdmissionAttributes): Promise<ApiObject | undefined> {
  const { createProblem } = scope.version;
  if (createProblem !== undefined && attributes.operation === "CREATE") {
    throw forbidden(scope.groupResource, attributes.name, createProblem);
  }
  return scope.engine.admission.mutate(attributes);
}

/** Sets the owners of the fields that a write changes. */
export function trackOwners(
  scope: Scope,
  live: ApiObject | undefined,
  object: ApiObject,
  options: WriteOptions,
): Promise<ApiObject> {
  return scope.fieldManager().update(live, object, scope.manager(options.fieldManager));
}

/** Returns validating admission for a new object. */
export function validatorOfNew(
  scope: Scope,
  options: WriteOptions,
  kind: string,
): (object: ApiObject) => Promise<void> {
  const shown = optionsObject(scope, kind, options);
  return async (object) => {
    const version = await toRequestVersion(scope, object);
    await scope.engine.admission.validate(
      admissionAttributes(scope, "CREATE", version, undefined, shown, options.dryRun),
    );
  };
}

/** A create by PUT or apply needs the permission to create. */
function authorizedValidator(scope: Scope, options: WriteOptions): (object: ApiObject) => Promise<void> {
  const validate = validatorOfNew(scope, options, "CreateOptions");
  return async (object) => {
    const access = createAccess(scope);
    const decision = scope.engine.authorizer.authorize(access);
    if (!decision.allowed) throw accessDenied(access, decision.reason);
    await validate(object);
  };
}

/** Returns validating admission for a change. */
export function validatorOfUpdate(scope: Scope, options: WriteOptions) {
  const shown = optionsObject(scope, "UpdateOptions", options);
  return async (object: ApiObject, old: ApiObject): Promise<void> => {
    const next = await toRequestVersion(scope, object);
    const before = await toRequestVersion(scope, old);
    await scope.engine.admission.validate(admissionAttributes(scope, "UPDATE", next, before, shown, options.dryRun));
  };
}

/** Runs mutating admission for the new state of an object. */
export async function admitChange(
  scope: Scope,
  object: ApiObject,
  live: ApiObject | undefined,
  options: WriteOptions,
): Promise<ApiObject> {
  const operation = live === undefined ? "CREATE" : "UPDATE";
  const kind = live === undefined ? "CreateOptions" : "UpdateOptions";
  const attributes = admissionAttributes(
    scope,
    operation,
    object,
    live,
    optionsObject(scope, kind, options),
    options.dryRun,
  );
  const admitted = (await mutate(scope, attributes)) ?? object;
  dedupeOwnerReferences(admitted, scope, true);
  return admitted;
}

/** Answers an update. */
export async function update(scope: Scope): Promise<Answer> {
  const accepted = acceptedOf(scope);
  const body = readBody(scope.request, scope.version.encodings);
  const options = writeOptions(scope.info.query, "UpdateOptions");
  const object = decodeBody(scope.expected(), body, options.fieldValidation, (message) => scope.warn(message));
  ensureNamespace(object, scope.type, scope.info.namespace);
  checkName(object, scope.info.name);
  dedupeOwnerReferences(object, scope, false);
  const uid = object.metadata.uid ?? "";
  const written = await updateObject(scope, {
    name: scope.info.name,
    options,
    forceCreate: false,
    ...(uid === "" ? {} : { preconditions: { uid } }),
    change: async (existing) => {
      const live = existing && (await toRequestVersion(scope, existing));
      const owned = await trackOwners(scope, live, cloneJson(object), options);
      return toHub(scope, await admitChange(scope, owned, live, options));
    },
    validateCreate: authorizedValidator(scope, options),
    validateUpdate: validatorOfUpdate(scope, options),
  });
  return objectAnswer(scope, written.created ? 201 : 200, accepted, await toRequestVersion(scope, written.object));
}

/** Answers a patch of any type. */
export async function patch(scope: Scope): Promise<Answer> {
  const patcher = patchOf(scope);
  const accepted = acceptedOf(scope);
  const options = writeOptions(scope.info.query, "PatchOptions", patcher.apply);
  const change = patcher.prepare(options);
  const written = await updateObject(scope, {
    name: scope.info.name,
    options,
    // Only the object itself can be created by applying it.
    forceCreate: patcher.apply && scope.info.subresource === "",
    needsOwners: patcher.apply,
    change: async (existing) => {
      const live = existing && (await toRequestVersion(scope, existing));
      const patched = await change(live && cloneJson(live));
      ensureNamespace(patched, scope.type, scope.info.namespace);
      checkName(patched, scope.info.name);
      return toHub(scope, await admitChange(scope, patched, live, options));
    },
    validateCreate: authorizedValidator(scope, options),
    validateUpdate: validatorOfUpdate(scope, options),
  });
  return objectAnswer(scope, written.created ? 201 : 200, accepted, await toRequestVersion(scope, written.object));
}

/** Reads the options of a deletion from the body, or from the parameters if there is none. */
function readDeleteOptions(scope: Scope): DeleteOptions {
  const given = givenDeleteOptions(scope);
  const isKnown = scope.engine.gates.enabled("AllowUnsafeMalformedObjectDeletion");
  const { ignoreStoreReadErrorWithClusterBreakingPotential: _, ...others } = given;
  return deleteOptions(isKnown ? given : others);
}

function givenDeleteOptions(scope: Scope): Parameters<typeof deleteOptions>[0] {
  const { body } = scope.request;
  if (body === undefined || body.length === 0) return deleteParameters(scope.info.query);
  const encoding = bodyEncoding(headerOf(scope, "content-type"), ["json", "yaml", "protobuf"]);
  const value = scope.engine.metaOptions(encoding, body);
  if (value === null) return {};
  if (!isObject(value)) throw badRequest("decoded object cannot be converted to DeleteOptions");
  checkOptionsKind(value);
  try {
    scope.engine.builtinCodec("", "v1", "DeleteOptions")?.decode(value);
  } catch (error) {
    throw error instanceof DecodeError ? badRequest(error.message) : error;
  }
  return value;
}

/** The kinds of the API's metadata, which a body can have in place of options. */
const metaKinds = new Set([
  ...["CreateOptions", "DeleteOptions", "GetOptions", "ListOptions", "PatchOptions", "UpdateOptions"],
  ...["APIGroup", "APIGroupList", "APIResourceList", "APIVersions", "Status"],
]);

/** Checks that a body has options of deletions. */
function checkOptionsKind({ kind, apiVersion }: JsonObject): void {
  if (String(apiVersion ?? "").split("/").length > 2) {
    throw badRequest(`unexpected GroupVersion string: ${String(apiVersion)}`);
  }
  if (kind === undefined || kind === null || kind === "" || kind === "DeleteOptions") return;
  if (metaKinds.has(String(kind))) {
    throw badRequest(`converting (v1.${String(kind)}) to (v1.DeleteOptions): unknown conversion`);
  }
  const version = JSON.stringify(apiVersion || "meta.k8s.io/v1");
  const problem = `no kind ${JSON.stringify(kind)} is registered for version ${version}`;
  throw badRequest(`${problem} in scheme "pkg/runtime/scheme.go:111"`);
}

function headerOf(scope: Scope, name: string): string | undefined {
  const value = scope.request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Answers a deletion. */
export async function remove(scope: Scope): Promise<Answer> {
  const accepted = acceptedOf(scope);
  const options = readDeleteOptions(scope);
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential === true) {
    await deleteUndecodable(scope, options);
    const details = { name: scope.info.name, kind: scope.type.kind };
    const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
    return documentAnswer(200, status, accepted, scope.engine.metaToProtobuf);
  }
  for (const warning of scope.type.strategy.warningsOnDelete?.(options) ?? []) scope.warn(warning);
  const { object, gone } = await deleteObject(scope, scope.info.name, options);
  const status = !gone && options.orphanDependents === false ? 202 : 200;
  if (!gone || scope.type.strategy.deleteReturns === "object") {
    return objectAnswer(scope, status, accepted, await toRequestVersion(scope, object));
  }
  return documentAnswer(status, deletedStatus(scope, object), accepted, scope.engine.metaToProtobuf);
}

/** Describes the object that is gone. */
function deletedStatus(scope: Scope, object: ApiObject): JsonObject {
  const { group, resource } = scope.type;
  const { name, uid } = object.metadata;
  const details = {
    ...(name ? { name } : {}),
    ...(group === "" ? {} : { group }),
    kind: resource,
    ...(uid ? { uid } : {}),
  };
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
}

/** Answers a deletion of all objects that match. */
export async function removeCollection(scope: Scope): Promise<Answer> {
  const accepted = acceptedOf(scope);
  const asked = listOptions(scope.info.query);
  // The real server always reads pages, and those of a resourceVersion are exactly of this revision.
  const listed = { ...asked, limit: asked.limit || Number.POSITIVE_INFINITY };
  const options = readDeleteOptions(scope);
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential === true) throw unsafeCollection();
  for (const warning of scope.type.strategy.warningsOnDelete?.(options) ?? []) scope.warn(warning);
  const page = await listEntries(scope, listed);
  const objects: ApiObject[] = [];
  const turn = createTurns(scope.engine);
  for (const entry of page.entries) {
    const others = turn();
    if (others !== undefined) await others;
    objects.push(await readObject(scope, entry));
  }
  const step = scope.engine.newSteps?.();
  for (const object of objects) {
    await step?.();
    const objectScope = scope.forObject(object.metadata.namespace ?? "");
    try {
      await deleteObject(objectScope, object.metadata.name as string, options);
    } catch (error) {
      if (!(error instanceof StatusError && error.reason === "NotFound")) throw error;
    }
  }
  return listDocumentAnswer(scope, accepted, headOf(scope, accepted, page), objects);
}
