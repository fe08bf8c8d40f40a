import { randomUUID } from "node:crypto";
import type { KubernetesObject } from "../api/index.ts";
import type {
  ApplyOptions,
  DeleteOptions,
  ListOptions,
  ObjectKey,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "../client/client.ts";
import type { JsonPatchOperation, Patch } from "../client/patch.ts";
import { interruptible } from "../clock/abort.ts";
import { ApiError } from "../errors/api-error.ts";
import { cloneJson } from "../json/clone.ts";
import type { JsonObject } from "../json/object.ts";
import { parseJson } from "../json/parse.ts";
import { stringifyJson } from "../json/stringify.ts";
import { groupKind } from "../kind.ts";
import type { Owners } from "./apply/owners.ts";
import { FieldOwners, type Part, type Write } from "./field-owners.ts";
import { applyJsonPatch, PatchError, same } from "./json-patch.ts";
import type { KindId, Kinds } from "./kinds.ts";
import { applyMergePatch } from "./merge-patch.ts";
import { complete, readStrictly, refuseUnknown, validateOrThrow } from "./schema-rules.ts";
import { type FakeIndex, type Matcher, matcherFor } from "./selection.ts";
import { Store, type StoredObject } from "./store.ts";
import { forStorage, inVersion } from "./versions.ts";
import {
  checkVersion,
  countsGenerations,
  forCreate,
  forStatus,
  forUpdate,
  markDeleted,
  now,
  withoutEmpty,
} from "./write-rules.ts";

export type { Part } from "./field-owners.ts";

/** The rules of an API server over an in-memory store. Copies all inputs and outputs. */
export class FakeServer {
  readonly kinds: Kinds;
  readonly #indexes: readonly FakeIndex[];
  readonly #store = new Store();
  readonly #owners = new FieldOwners();

  constructor(kinds: Kinds, indexes: readonly FakeIndex[]) {
    this.kinds = kinds;
    this.#indexes = indexes;
  }

  /** Adds an object to the initial state, including status and timestamps. */
  seed(id: KindId, object: KubernetesObject): void {
    const { metadata = {} } = object;
    if (!metadata.name) throw new TypeError(`objects: a ${id.kind} has no name`);
    if (metadata.deletionTimestamp && !metadata.finalizers?.length) {
      throw new TypeError(
        `objects: ${id.kind} "${metadata.name}" has a deletionTimestamp but no finalizers: no server has such an object`,
      );
    }
    const { key, namespace } = this.#locate(id, metadata);
    if (this.#store.get(groupKind(id), key)) throw new TypeError(`objects: ${id.kind} "${metadata.name}" occurs twice`);
    const seeded = forStorage(this.kinds, id, complete(this.kinds.schema(id), sent(object)));
    seeded.metadata = withoutEmpty({
      uid: randomUUID(),
      creationTimestamp: now(),
      ...(countsGenerations(id, object) ? { generation: 1 } : {}),
      ...seeded.metadata,
      ...(namespace ? { namespace } : {}),
    });
    this.#store.seed(groupKind(id), key, seeded);
  }

  get(id: KindId, key: ObjectKey): StoredObject {
    return this.#out(id, this.#find(id, key));
  }

  list(
    id: KindId,
    options: ListOptions,
  ): { items: StoredObject[]; metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number } } {
    const matches = this.#matcher(id, options);
    const all = this.#store.list(groupKind(id)).filter(matches);
    const start = options.continue ? Number(options.continue) : 0;
    if (!Number.isSafeInteger(start) || start < 0)
      throw ApiError.badRequest(`continue key is not valid: ${options.continue}`);
    const end = options.limit ? start + options.limit : all.length;
    const resourceVersion = String(this.#store.version);
    const items = all.slice(start, end).map((object) => this.#out(id, object));
    if (end >= all.length) return { items, metadata: { resourceVersion } };
    return { items, metadata: { resourceVersion, continue: String(end), remainingItemCount: all.length - end } };
  }

  create(id: KindId, object: KubernetesObject, options: WriteOptions = {}, owners?: Owners): StoredObject {
    const { name, generateName } = object.metadata ?? {};
    if (!name && !generateName) throw new TypeError(`${id.kind}: the object has neither a name nor a generateName`);
    const { namespace } = this.#locate(id, { ...object.metadata, name: name ?? generateName });
    const schema = this.kinds.schema(id);
    // Servers validate an apply configuration before they set defaults.
    const read = owners ? object : readStrictly(id, schema, sent(object), options);
    const accepted = forCreate(id, read, namespace, this.kinds.hasStatus(id));
    validateOrThrow(id, schema, "object", accepted);
    // When a server reads from its store, it also sets the defaults of the status.
    const created = complete(schema, accepted);
    const { key } = this.#locate(id, created.metadata ?? {});
    if (this.#store.get(groupKind(id), key))
      throw ApiError.alreadyExists(this.kinds.resource(id), created.metadata?.name ?? "");
    if (options.dryRun) return this.#out(id, created as StoredObject);
    const stored = this.#store.put(groupKind(id), key, forStorage(this.kinds, id, created));
    const write = this.#write(id, key, "object", options);
    if (owners) this.#owners.keep(write.place, owners);
    else this.#owners.written(write, undefined, accepted);
    return this.#out(id, stored);
  }

  update(id: KindId, object: KubernetesObject, part: Part, options: WriteOptions = {}): StoredObject {
    this.#checkPart(id, part);
    return this.#replace(id, this.#find(id, object.metadata ?? {}), sent(object), part, options);
  }

  patch(id: KindId, object: KubernetesObject, patch: Patch, part: Part, options: WriteOptions = {}): StoredObject {
    this.#checkPart(id, part);
    const stored = this.#find(id, object.metadata ?? {});
    const patched = patchDocument(stored, patch.type, sent(patch.data(object))) as KubernetesObject;
    checkIdentity(stored, patched);
    return this.#replace(id, stored, { ...patched, apiVersion: id.apiVersion, kind: id.kind }, part, options);
  }

  apply(id: KindId, object: KubernetesObject, part: Part, options: ApplyOptions): StoredObject {
    this.#checkPart(id, part);
    if (!options.fieldOwner) throw ApiError.badRequest("PatchOptions.fieldManager is required for apply patch");
    const { key, namespace } = this.#locate(id, object.metadata ?? {});
    const found = this.#store.get(groupKind(id), key);
    const stored = found && inVersion(this.kinds, id, found);
    if (!stored && part === "status") throw ApiError.notFound(this.kinds.resource(id), object.metadata?.name ?? "");
    const write = this.#write(id, key, part, options);
    const blank = { apiVersion: id.apiVersion, kind: id.kind, metadata: { name: object.metadata?.name, namespace } };
    refuseUnknown(id, write.schema, object);
    const applied = this.#fieldsOf(id, sent(object) as unknown as JsonObject, part);
    const [result, owners] = this.#owners.apply(write, stored, { ...blank, ...applied }, options.force ?? false);
    const next = result as unknown as KubernetesObject;
    const given = object.metadata?.resourceVersion;
    if (stored && given) next.metadata = { ...next.metadata, resourceVersion: given };
    return stored ? this.#replace(id, stored, next, part, options, owners) : this.create(id, next, options, owners);
  }

  delete(id: KindId, key: ObjectKey, options: DeleteOptions = {}): void {
    const stored = this.#findStored(id, key);
    const { uid, resourceVersion } = options.preconditions ?? {};
    const check = (what: string, wanted: string | undefined, actual: string): void => {
      if (wanted === undefined || wanted === actual) return;
      const why = `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${actual}`;
      throw ApiError.conflict(this.kinds.resource(id), key.name, why);
    };
    check("UID", uid, stored.metadata.uid);
    check("ResourceVersion", resourceVersion, stored.metadata.resourceVersion);
    if (options.dryRun) return;
    const place = this.#locate(id, stored.metadata).key;
    if (!stored.metadata.finalizers?.length) this.#remove(id, place, stored);
    else if (!stored.metadata.deletionTimestamp) this.#store.put(groupKind(id), place, markDeleted(stored));
  }

  watch<T extends KubernetesObject>(id: KindId, options: WatchOptions): AsyncIterable<WatchEvent<T>> {
    return interruptible(options.signal, (signal) => this.#watch(id, options, signal));
  }

  async *#watch<T extends KubernetesObject>(
    id: KindId,
    options: WatchOptions,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>, void, undefined> {
    const matches = this.#matcher(id, options);
    const { resourceVersion } = options;
    const out = (type: WatchEvent<T>["type"], object: StoredObject): WatchEvent<T> => ({
      type,
      object: this.#out(id, object) as never,
    });
    let version = Number(resourceVersion || 0);
    if (!version) {
      const existing = this.#store.list(groupKind(id)).filter(matches);
      version = this.#store.version;
      for (const object of existing) {
        if (signal.aborted) return;
        yield out("ADDED", object);
      }
    }
    while (!signal.aborted) {
      for (const event of this.#store.eventsAfter(groupKind(id), version)) {
        version = event.version;
        const type = seenAs(event, matches);
        if (type) yield out(type, event.object);
        if (signal.aborted) return;
      }
      if (this.#store.eventsAfter(groupKind(id), version).length === 0)
        await this.#store.nextEvent(groupKind(id), signal);
    }
  }

  #replace(
    id: KindId,
    stored: StoredObject,
    object: KubernetesObject,
    part: Part,
    options: WriteOptions,
    owners?: Owners,
  ): StoredObject {
    const hasStatus = this.kinds.hasStatus(id);
    const schema = this.kinds.schema(id);
    const read = owners ? object : readStrictly(id, schema, object, options);
    checkVersion(id, this.kinds.resource(id), stored, read.metadata);
    const accepted = part === "status" ? forStatus(stored, read) : forUpdate(id, stored, read, hasStatus);
    validateOrThrow(id, schema, part, accepted, stored);
    const updated = complete(schema, accepted);
    const { key } = this.#locate(id, stored.metadata);
    const write = this.#write(id, key, part, options);
    // A write that changes nothing creates no new version, unless field ownership changed.
    const changes = owners && this.#owners.isNew(write.place, owners);
    if (same(updated, stored) && !changes) return this.#out(id, stored);
    if (options.dryRun) return this.#out(id, updated as StoredObject);
    if (updated.metadata?.deletionTimestamp && !updated.metadata.finalizers?.length) {
      this.#remove(id, key, updated);
      return this.#out(id, updated as StoredObject);
    }
    if (owners) this.#owners.keep(write.place, owners);
    else this.#owners.written(write, stored, updated);
    return this.#out(id, this.#store.put(groupKind(id), key, forStorage(this.kinds, id, updated)));
  }

  #write(id: KindId, key: string, part: Part, { fieldOwner }: WriteOptions): Write {
    return { id, schema: this.kinds.schema(id), place: `${groupKind(id)}/${key}`, part, fieldOwner };
  }

  // A request owns only fields of the part that it writes: the object or its status.
  #fieldsOf(id: KindId, object: Record<string, unknown>, part: Part): Record<string, unknown> {
    const { status, ...rest } = object;
    if (part === "status") return status === undefined ? {} : { status };
    return this.kinds.hasStatus(id) ? rest : object;
  }

  #remove(id: KindId, key: string, last: KubernetesObject): void {
    this.#store.remove(groupKind(id), key, last);
    this.#owners.forget(`${groupKind(id)}/${key}`);
  }

  #find(id: KindId, key: { namespace?: string; name?: string }): StoredObject {
    return inVersion(this.kinds, id, this.#findStored(id, key));
  }

  #findStored(id: KindId, key: { namespace?: string; name?: string }): StoredObject {
    const stored = this.#store.get(groupKind(id), this.#locate(id, key).key);
    if (!stored) throw ApiError.notFound(this.kinds.resource(id), key.name ?? "");
    return stored;
  }

  #locate(id: KindId, { namespace, name }: { namespace?: string; name?: string }): { key: string; namespace?: string } {
    if (!name) throw new TypeError(`${id.kind}: the object has no name`);
    const scope = this.kinds.scope(id);
    if (scope === "Cluster" || (!scope && !namespace)) return { key: `/${name}` };
    if (!namespace)
      throw new TypeError(`${id.kind} "${name}": a namespace is required, because the kind is namespaced`);
    return { key: `${namespace}/${name}`, namespace };
  }

  #matcher(id: KindId, options: ListOptions | WatchOptions): Matcher {
    const namespace = this.kinds.scope(id) === "Cluster" ? undefined : options.namespace;
    const matches = matcherFor(id, { ...options, namespace }, this.#indexes);
    return (object) => matches(inVersion(this.kinds, id, object));
  }

  #checkPart(id: KindId, part: Part): void {
    if (part === "object" || this.kinds.hasStatus(id)) return;
    throw ApiError.create(
      404,
      "NotFound",
      `the server could not find the requested resource: ${id.kind} has no status subresource here; ` +
        `give fakeClient its CRD, or { statusSubresource: [${id.kind}] }`,
    );
  }

  // Returns a copy in the requested version.
  #out(id: KindId, object: StoredObject): StoredObject {
    return { ...cloneJson(inVersion(this.kinds, id, object)), apiVersion: id.apiVersion, kind: id.kind };
  }
}

/** Returns a value as a server receives it: without `undefined` fields. */
function sent<T>(value: T): T {
  return parseJson(stringifyJson(value)) as T;
}

// Returns the event type that a watch with selectors reports: ADDED if an object starts to match, DELETED if it stops.
function seenAs(
  event: { type: "ADDED" | "MODIFIED" | "DELETED"; object: StoredObject; previous: StoredObject | undefined },
  matches: Matcher,
): "ADDED" | "MODIFIED" | "DELETED" | undefined {
  const before = event.previous !== undefined && matches(event.previous);
  const after = event.type !== "DELETED" && matches(event.object);
  if (before) return after ? "MODIFIED" : "DELETED";
  return after ? "ADDED" : undefined;
}

// A patch can't change an object's identity.
function checkIdentity(stored: StoredObject, { metadata = {} }: KubernetesObject): void {
  const differs = (what: string, where: string, found: string | undefined, wanted: string | undefined): void => {
    if (found === wanted) return;
    throw ApiError.badRequest(
      `the ${what} of the object (${found ?? ""}) does not match the ${what} on the ${where} (${wanted ?? ""})`,
    );
  };
  differs("name", "URL", metadata.name, stored.metadata.name);
  differs("namespace", "request", metadata.namespace, stored.metadata.namespace);
}

function patchDocument(stored: StoredObject, type: Patch["type"], data: unknown): unknown {
  if (type === "application/merge-patch+json") return applyMergePatch(stored, data);
  if (type !== "application/json-patch+json") {
    const hint =
      type === "application/apply-patch+yaml" ? "use client.apply" : "fakeClient takes merge and JSON patches";
    throw ApiError.create(415, "UnsupportedMediaType", `${type} is not supported here: ${hint}`);
  }
  try {
    return applyJsonPatch(stored, data as JsonPatchOperation[]);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    // Servers don't report the failing step or the cause. This message includes the cause to help test authors.
    const message = `the server rejected our request due to an error in our request: ${error.message}`;
    throw ApiError.create(422, "Invalid", message, {});
  }
}
