import { setTimeout as sleep } from "node:timers/promises";
import type {
  ObjectRef,
  ObjectRevision,
  ObjectSummary,
  ReconcileRecord,
  Revisions,
} from "@kubewright/dashboard/protocol";
import { creatorOf, managerOf } from "@kubewright/runtime/managed-fields";
import { SecretValues } from "@kubewright/runtime/secrets";
import {
  apiVersionOf,
  type KubeClient,
  type KubeObject,
  type KubeResource,
  pathOf,
  statusOf,
} from "../client/kube-client.ts";
import { changedPaths } from "./changes.ts";
import type { RevisionEntry } from "./history-entry.ts";
import { missedRevision } from "./missed-revision.ts";
import { type ColumnDefinition, printedColumns } from "./printer-columns.ts";
import { matches, type ObjectFilter } from "./records.ts";
import { kindId, refId, refOf, refsOf } from "./refs.ts";
import { RevisionLists } from "./revision-lists.ts";
import { withoutSecretValues } from "./secrets.ts";
import { summaryOf } from "./summary.ts";
import { usualKinds } from "./usual-kinds.ts";
import { yamlDiff } from "./yaml.ts";

const maxChanges = 2000;
/** Objects that were deleted and whose revisions are kept. */
const maxGone = 200;
const retryTime = 1000;
/** Objects whose writers are remembered. */
const maxWritten = 10_000;

interface Stored {
  object: KubeObject;
  resource: KubeResource;
  /** The latest last. */
  revisions: ObjectRevision[];
}

type Change = Revisions["changes"][number];

/** Receives changed and deleted objects. */
export type ObjectListener = (uid: string, isDeleted: boolean) => void;

/** The objects of the project's kinds and everything that belongs to them, kept up to date by watches. */
export class ObjectStore {
  /** The values of all Secrets, which must not be shown. */
  readonly secrets = new SecretValues();
  readonly #client: KubeClient;
  readonly #signal: AbortSignal;
  readonly #objects = new Map<string, Stored>();
  readonly #gone = new Map<string, Omit<Stored, "resource">>();
  readonly #children = new Map<string, Set<string>>();
  /** Groups and kinds of the project. */
  readonly #ownKinds = new Set<string>();
  /** The versions to watch, by group and kind: each version has the same objects. */
  readonly #versions = new Map<string, string>();
  readonly #changes: Change[] = [];
  readonly #revisions = new RevisionLists();
  readonly #listeners = new Set<ObjectListener>();
  readonly #deletionListeners = new Set<(object: KubeObject) => void>();
  readonly #revisionListeners = new Set<(entry: RevisionEntry) => void>();
  readonly #program: string;
  /** The printer columns of the project's kinds, by group and kind. */
  readonly #columns = new Map<string, readonly ColumnDefinition[]>();
  /** The uids of the reconciled objects by the object that their reconciles wrote. */
  readonly #writers = new Map<string, Set<string>>();

  /** @param program - the field manager of the project's operator */
  constructor(client: KubeClient, signal: AbortSignal, program = "") {
    this.#client = client;
    this.#signal = signal;
    this.#program = program;
  }

  /** Starts to watch the usual kinds. */
  start(): void {
    for (const [apiVersion, ...kinds] of usualKinds) for (const kind of kinds) this.watch(apiVersion, kind, false);
  }

  /**
   * Starts to watch a kind. Later calls have no effect, except that `own` marks a kind of the project, whose version is watched
   * from the next start of the watch: the one before may not be served anymore.
   */
  watch(apiVersion: string, kind: string, own: boolean): void {
    const id = kindId({ apiVersion, kind });
    const isWatched = this.#versions.has(id);
    if (own) this.setOwn(apiVersion, kind);
    if (own || !isWatched) this.#versions.set(id, apiVersion);
    if (!isWatched) void this.#follow(id, kind).catch(() => undefined);
  }

  /** Marks a kind of the project. */
  setOwn(apiVersion: string, kind: string): void {
    this.#ownKinds.add(kindId({ apiVersion, kind }));
  }

  /** Calls a function for each deleted object of all watched kinds, also those that don't belong to the project. */
  onDeletion(listener: (object: KubeObject) => void): void {
    this.#deletionListeners.add(listener);
  }

  /** Calls a function for each recorded change of an object. */
  onRevision(listener: (entry: RevisionEntry) => void): void {
    this.#revisionListeners.add(listener);
  }

  /**
   * Adds the changes that a former session recorded, the oldest first, before the first watch. Their objects count as deleted
   * until a watch shows them.
   */
  restore(entries: readonly RevisionEntry[]): void {
    for (const { uid, object, revision } of entries) {
      const { apiVersion, kind, ...metadata } = object;
      const gone = this.#gone.get(uid) ?? {
        object: { apiVersion, kind, metadata: { ...metadata, uid } },
        revisions: [],
      };
      this.#revisions.add(gone.revisions, revision);
      // Without a limit, since most of them still exist.
      this.#gone.set(uid, gone);
    }
  }

  subscribe(listener: ObjectListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns the summaries of all objects that belong to the project, owners first. */
  summaries(): ObjectSummary[] {
    const summaries: ObjectSummary[] = [];
    const seen = new Set<string>();
    const add = (uid: string): void => {
      if (seen.has(uid)) return;
      seen.add(uid);
      const summary = this.summary(uid);
      if (summary) summaries.push(summary);
      for (const child of this.#children.get(uid) ?? []) add(child);
    };
    for (const [uid, { object }] of this.#objects) if (this.#isOwn(object)) add(uid);
    for (const [uid, { object }] of this.#objects) if (this.#writers.has(refId(refOf(object)))) add(uid);
    return summaries;
  }

  /** Returns the summary of an object. */
  summary(uid: string): ObjectSummary | undefined {
    const stored = this.#objects.get(uid);
    if (!stored) return undefined;
    const children = [...(this.#children.get(uid) ?? [])].filter((child) => this.#objects.has(child));
    const { object } = stored;
    const columns = printedColumns(object, this.#columns.get(kindId(object)) ?? []);
    const hasOwner = (object.metadata?.ownerReferences ?? []).some((owner) => this.#objects.has(owner.uid));
    const writers = hasOwner ? [] : [...(this.#writers.get(refId(refOf(object))) ?? [])];
    const writtenFor = writers.filter((writer) => writer !== uid && this.#objects.has(writer));
    return {
      ...summaryOf(object, this.#isOwn(object)),
      children,
      ...(this.#isWritten(object) ? { written: true } : {}),
      ...(writtenFor.length > 0 ? { writtenFor } : {}),
      ...(columns.length > 0 ? { columns } : {}),
    };
  }

  /** Sets the printer columns of a kind of the project. */
  setColumns(kind: Pick<KubeObject, "apiVersion" | "kind">, columns: readonly ColumnDefinition[]): void {
    this.#columns.set(kindId(kind), columns);
  }

  /** Adds the objects that a reconcile wrote to those that belong to the project, regardless of their owners. */
  addWritten({ object, writes }: ReconcileRecord): void {
    const reconciled = this.find(object)?.object;
    const writer = reconciled?.metadata?.uid;
    if (!writer || !this.#isOwn(reconciled)) return;
    for (const { apiVersion = "", kind, namespace = "", name = "", error } of writes) {
      const id = refId({ apiVersion, kind, namespace, name });
      const writers = this.#writers.get(id);
      if (error || name === "" || writers?.has(writer)) continue;
      if (!writers && this.#writers.size >= maxWritten) continue;
      this.#writers.set(id, (writers ?? new Set()).add(writer));
      this.watch(apiVersion, kind, false);
      const uid = this.find({ apiVersion, kind, namespace, name })?.object.metadata?.uid ?? "";
      const written = this.#objects.get(uid);
      if (!written) continue;
      // It didn't belong to the project when it was observed.
      if (written.revisions.length === 0) this.#record(written, "added", undefined, written.object, true);
      this.#tell(uid, false);
    }
  }

  /** Whether the operator has written a field of an object, or a reconcile of it was seen to write the object. */
  #isWritten(object: KubeObject): boolean {
    const managers = object.metadata?.managedFields ?? [];
    return managers.some(({ manager }) => manager === this.#program) || this.#writers.has(refId(refOf(object)));
  }

  /** Returns whether an object is of a kind of the project, or belongs to such an object. */
  belongs(uid: string, depth = 0): boolean {
    const stored = this.#objects.get(uid) ?? this.#gone.get(uid);
    if (!stored || depth > 16) return false;
    if (this.#isOwn(stored.object) || this.#writers.has(refId(refOf(stored.object)))) return true;
    return (stored.object.metadata?.ownerReferences ?? []).some((owner) => this.belongs(owner.uid, depth + 1));
  }

  /** Finds an object: one that exists, or else one that was deleted. */
  find(
    filter: ObjectFilter,
  ): { object: KubeObject; revisions: readonly ObjectRevision[]; isGone: boolean } | undefined {
    const isWanted = ({ object }: Pick<Stored, "object">) => matches(refOf(object), filter);
    for (const stored of this.#objects.values()) if (isWanted(stored)) return { ...stored, isGone: false };
    for (const stored of [...this.#gone.values()].reverse()) if (isWanted(stored)) return { ...stored, isGone: true };
    return undefined;
  }

  /** Returns the objects that exist. */
  live(filter: ObjectFilter): ObjectRef[] {
    return refsOf(this.#objects.values(), filter);
  }

  /** Returns the objects that were deleted. */
  deleted(filter: ObjectFilter): ObjectRef[] {
    return refsOf(this.#gone.values(), filter);
  }

  /** Returns the observed changes, the latest first. */
  changes(limit: number): Change[] {
    return this.#changes.slice(-limit).reverse();
  }

  async #follow(id: string, kind: string): Promise<void> {
    while (!this.#signal.aborted) {
      try {
        const resource = await this.#client.resourceOf(this.#versions.get(id) ?? "", kind);
        const version = await this.#list(resource);
        await this.#watchFrom(resource, version);
      } catch (error) {
        if (this.#signal.aborted) return;
        // A kind that the cluster doesn't serve yet, or a server that is restarting.
        await sleep(statusOf(error) === 410 ? 10 : retryTime, undefined, { signal: this.#signal }).catch(
          () => undefined,
        );
      }
    }
  }

  async #list(resource: KubeResource): Promise<string> {
    const list = (await this.#client.request({
      method: "GET",
      path: pathOf(resource),
      signal: this.#signal,
    })) as KubeObject & { items?: KubeObject[] };
    const apiVersion = apiVersionOf(resource);
    const seen = new Set<string>();
    for (const item of list.items ?? []) {
      const uid = item.metadata?.uid ?? "";
      seen.add(uid);
      this.#put(
        { ...item, apiVersion, kind: resource.kind },
        resource,
        this.#objects.has(uid) ? "modified" : "added",
        true,
      );
    }
    for (const [uid, { resource: of, object }] of this.#objects) {
      if (of.plural === resource.plural && of.group === resource.group && !seen.has(uid))
        this.#remove(object, resource);
    }
    return list.metadata?.resourceVersion ?? "";
  }

  async #watchFrom(resource: KubeResource, from: string): Promise<void> {
    let resourceVersion = from;
    const stream = await this.#client.stream({
      method: "GET",
      path: pathOf(resource),
      query: { watch: true, allowWatchBookmarks: true, resourceVersion, timeoutSeconds: 3000 },
      signal: this.#signal,
      maxRetries: 0,
    });
    for await (const line of stream) {
      const { type, object } = line as { type?: string; object?: KubeObject };
      if (!object || type === "ERROR") return;
      resourceVersion = object.metadata?.resourceVersion ?? resourceVersion;
      if (type === "DELETED") this.#remove(object, resource);
      else if (type === "ADDED") this.#put(object, resource, "added", false);
      else if (type === "MODIFIED") this.#put(object, resource, "modified", false);
    }
  }

  #put(received: KubeObject, resource: KubeResource, type: "added" | "modified", isInitial: boolean): void {
    const uid = received.metadata?.uid;
    if (!uid) return;
    const before = this.#objects.get(uid);
    if (before?.object.metadata?.resourceVersion === received.metadata?.resourceVersion) return;
    this.secrets.learn(received);
    const object = withoutSecretValues(received, before?.object);
    const past = this.#gone.get(uid)?.revisions ?? [];
    this.#gone.delete(uid);
    const stored: Stored = { object, resource, revisions: before?.revisions ?? past };
    this.#objects.set(uid, stored);
    for (const owner of object.metadata?.ownerReferences ?? []) {
      const children = this.#children.get(owner.uid) ?? new Set();
      this.#children.set(owner.uid, children.add(uid));
    }
    if (!this.belongs(uid)) return;
    const last = past.at(-1);
    if (!last || last.type === "deleted") this.#record(stored, type, before?.object, object, isInitial && !before);
    else if (last.resourceVersion !== object.metadata?.resourceVersion)
      this.#addRevision(object, past, missedRevision(object));
    this.#tell(uid, false);
  }

  #remove(object: KubeObject, resource: KubeResource): void {
    const uid = object.metadata?.uid ?? "";
    const stored = this.#objects.get(uid);
    if (!stored) return;
    for (const listener of this.#deletionListeners) listener(stored.object);
    const belongs = this.belongs(uid);
    this.#objects.delete(uid);
    for (const owner of stored.object.metadata?.ownerReferences ?? []) {
      const children = this.#children.get(owner.uid);
      children?.delete(uid);
      if (children?.size === 0) this.#children.delete(owner.uid);
    }
    if (!belongs) return;
    const version = object.metadata?.resourceVersion;
    const last = { ...stored.object, metadata: { ...stored.object.metadata, resourceVersion: version } } as KubeObject;
    this.#record({ ...stored, resource }, "deleted", last, undefined, false);
    this.#addGone(uid, stored);
    this.#tell(uid, true);
  }

  #addGone(uid: string, gone: Omit<Stored, "resource">): void {
    this.#gone.delete(uid);
    this.#gone.set(uid, gone);
    for (const [oldest, { revisions }] of this.#gone) {
      if (this.#gone.size <= maxGone) break;
      this.#revisions.forget(revisions);
      this.#gone.delete(oldest);
      this.#children.delete(oldest);
    }
  }

  #addRevision(object: KubeObject, list: ObjectRevision[], revision: ObjectRevision): void {
    this.#revisions.add(list, revision);
    const entry = { uid: object.metadata?.uid ?? "", object: refOf(object), revision };
    for (const listener of this.#revisionListeners) listener(entry);
  }

  #record(
    stored: Stored,
    type: ObjectRevision["type"],
    before: KubeObject | undefined,
    after: KubeObject | undefined,
    isInitial: boolean,
  ): void {
    const object = after ?? before;
    const { resourceVersion = "", creationTimestamp } = object?.metadata ?? {};
    const time = isInitial ? (creationTimestamp ?? new Date().toISOString()) : new Date().toISOString();
    const changed = type === "modified" ? changedPaths(before, after) : [];
    const managers = after?.metadata?.managedFields;
    const by = isInitial
      ? creatorOf(managers, creationTimestamp)
      : type === "deleted"
        ? undefined
        : managerOf(managers, before?.metadata?.managedFields, changed);
    const revision = { resourceVersion, time, type, ...(by ? { by } : {}), changed, diff: yamlDiff(before, after) };
    if (object) this.#addRevision(object, stored.revisions, revision);
    if (!object || isInitial) return;
    this.#changes.push({
      revision: Number(resourceVersion),
      time,
      type,
      object: refOf(object) as ObjectRef,
      ...(by ? { by } : {}),
      changed,
    });
    if (this.#changes.length > maxChanges) this.#changes.shift();
  }

  #isOwn(object: KubeObject): boolean {
    return this.#ownKinds.has(kindId(object));
  }

  #tell(uid: string, isDeleted: boolean): void {
    for (const listener of this.#listeners) listener(uid, isDeleted);
  }
}
