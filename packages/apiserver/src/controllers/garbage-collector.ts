import { type ObjectId, SystemClient } from "../client/system-client.ts";
import { WorkQueue } from "../client/work-queue.ts";
import type { ResourceType } from "../model/resource.ts";
import type { Entry } from "../model/stored-state.ts";
import { type Engine, stateOf } from "../registry/scope.ts";
import type { Collection } from "../storage/collection.ts";

const foreground = "foregroundDeletion";
const orphan = "orphan";

interface Reference {
  uid: string;
  apiVersion: string;
  kind: string;
  name: string;
  blockOwnerDeletion?: boolean;
}

interface Node {
  id: ObjectId;
  uid: string;
  owners: Reference[];
}

/** Deletes objects whose owners are gone, and carries out foreground and orphan deletions. */
export class GarbageCollector {
  readonly #engine: Engine;
  readonly #client: SystemClient;
  readonly #queue: WorkQueue;
  /** All objects with owners, or that own something, by `collection key`. */
  readonly #nodes = new Map<string, Node>();
  readonly #uids = new Map<string, string>();
  /** The objects that refer to an owner, by its UID. */
  readonly #dependents = new Map<string, Set<string>>();
  /** The ends of the observations, by collection. */
  readonly #observed = new Map<Collection, () => void>();

  /**
   * @param engine - the server
   * @param delay - returns the time in milliseconds from a change to its effects; 0 by default
   */
  constructor(engine: Engine, delay?: () => number) {
    this.#engine = engine;
    this.#client = new SystemClient(engine, "generic-garbage-collector");
    this.#queue = new WorkQueue(engine, (key) => this.#process(key), delay);
  }

  /**
   * Begins to observe the resources that aren't observed already. Ends the observation of all others that have no objects.
   *
   * @param types - the resources that are served
   */
  observe(types: readonly ResourceType[]): void {
    const { store } = this.#engine;
    const served = new Set(types.map((type) => store.collection(type.collection)));
    for (const [collection, end] of this.#observed) {
      if (served.has(collection) || collection.size > 0) continue;
      end();
      this.#observed.delete(collection);
    }
    for (const type of types) this.#observe(type);
  }

  #observe(type: ResourceType): void {
    const collection = this.#engine.store.collection(type.collection);
    if (this.#observed.has(collection)) return;
    for (const entry of collection.list("")) this.#seen(type, collection, entry);
    const end = collection.follow((key, entry) => {
      if (entry === undefined) this.#gone(`${collection.name} ${key}`);
      else this.#seen(type, collection, entry);
    });
    this.#observed.set(collection, end);
  }

  /** Ends all observations. */
  stop(): void {
    for (const end of this.#observed.values()) end();
    this.#observed.clear();
  }

  #seen(type: ResourceType, collection: Collection, entry: Entry): void {
    const id = `${collection.name} ${entry.key}`;
    const { metadata } = stateOf(type, entry);
    const uid = metadata.uid as string;
    const before = this.#nodes.get(id);
    if (before !== undefined && before.uid !== uid) this.#gone(id);
    const owners = (metadata.ownerReferences ?? []) as unknown as Reference[];
    if (before !== undefined) {
      this.#forgetOwners(before, id);
      // An owner that waited for this object may not have to anymore.
      for (const owner of before.owners) {
        if (blocks(before.owners, owner.uid) && !blocks(owners, owner.uid)) this.#queueOwner(owner);
      }
    }
    for (const owner of owners) {
      let set = this.#dependents.get(owner.uid);
      if (set === undefined) {
        set = new Set();
        this.#dependents.set(owner.uid, set);
      }
      set.add(id);
    }
    const name = metadata.name as string;
    this.#nodes.set(id, { id: { type, namespace: metadata.namespace ?? "", name }, uid, owners });
    this.#uids.set(uid, id);
    const finalizers = metadata.finalizers ?? [];
    const waits =
      metadata.deletionTimestamp !== undefined && (finalizers.includes(foreground) || finalizers.includes(orphan));
    // Nothing depends on other changes: when an owner is gone or waits, it queues its dependents itself.
    const isKnown = before?.uid === uid && hasSameOwners(before.owners, owners);
    if (waits || (owners.length > 0 && !isKnown)) this.#queue.add(id);
  }

  #gone(id: string): void {
    const node = this.#nodes.get(id);
    if (node === undefined) return;
    this.#nodes.delete(id);
    this.#uids.delete(node.uid);
    this.#forgetOwners(node, id);
    // An owner may have waited for this object.
    for (const owner of node.owners) this.#queueOwner(owner);
    for (const dependent of this.#dependents.get(node.uid) ?? []) this.#queue.add(dependent);
  }

  #queueOwner({ uid }: Reference): void {
    const id = this.#uids.get(uid);
    if (id !== undefined) this.#queue.add(id);
  }

  #forgetOwners({ owners }: Node, id: string): void {
    for (const { uid } of owners) {
      const set = this.#dependents.get(uid);
      set?.delete(id);
      if (set?.size === 0) this.#dependents.delete(uid);
    }
  }

  async #process(id: string): Promise<void> {
    const node = this.#nodes.get(id);
    const object = node && this.#client.get(node.id);
    if (node === undefined || object === undefined || object.metadata.uid !== node.uid) return;
    const finalizers = object.metadata.finalizers ?? [];
    if (object.metadata.deletionTimestamp !== undefined) {
      if (finalizers.includes(orphan)) return this.#orphan(node);
      if (finalizers.includes(foreground)) return this.#deleteDependents(node);
      return;
    }
    if (node.owners.length > 0) await this.#collect(node);
  }

  /** Deletes an object whose owners are all gone, and removes references to those that are. */
  async #collect(node: Node): Promise<void> {
    const present = node.owners.filter((owner) => this.#exists(owner, node.id.namespace));
    const waiting = present.filter((owner) => this.#isForeground(owner.uid));
    const solid = present.length - waiting.length;
    if (present.length === 0) return this.#client.delete(node.id, node.uid);
    if (solid > 0) {
      const dangling = new Set(
        [...node.owners.filter((reference) => !present.includes(reference)), ...waiting].map(
          (reference) => reference.uid,
        ),
      );
      if (dangling.size > 0) await this.#removeOwners(node, dangling);
      return;
    }
    const dependents = this.#dependentsOf(node);
    // In a circle of owners, a dependent that waits for its own dependents would wait for this object.
    if (dependents.some(({ uid }) => this.#isForeground(uid))) await this.#stopBlocking(node);
    await this.#client.delete(node.id, node.uid, dependents.length > 0 ? "Foreground" : "Background");
  }

  #dependentsOf({ uid }: Node): Node[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((id) => this.#nodes.get(id) ?? []);
  }

  /** An owner in another namespace doesn't count. */
  #exists(owner: Reference, namespace: string): boolean {
    const id = this.#uids.get(owner.uid);
    const node = id === undefined ? undefined : this.#nodes.get(id);
    return node !== undefined && (node.id.namespace === "" || node.id.namespace === namespace);
  }

  #isForeground(uid: string): boolean {
    const id = this.#uids.get(uid);
    const node = id === undefined ? undefined : this.#nodes.get(id);
    const metadata = node && this.#client.get(node.id)?.metadata;
    return metadata?.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(foreground);
  }

  async #deleteDependents(node: Node): Promise<void> {
    const dependents = this.#dependentsOf(node);
    for (const { uid } of dependents) {
      // One that waits for its own dependents has begun already. In a circle, the objects would queue each other forever.
      if (!this.#isForeground(uid)) this.#queue.add(this.#uids.get(uid) as string);
    }
    if (!dependents.some(({ owners }) => blocks(owners, node.uid))) await this.#removeFinalizer(node, foreground);
  }

  async #orphan(node: Node): Promise<void> {
    for (const dependent of this.#dependentsOf(node)) await this.#removeOwners(dependent, new Set([node.uid]));
    await this.#removeFinalizer(node, orphan);
  }

  async #removeOwners(node: Node, uids: ReadonlySet<string>): Promise<void> {
    await this.#client.update(node.id, (object) => {
      const { metadata } = object;
      const rest = (metadata.ownerReferences ?? []).filter((reference) => !uids.has(reference.uid as string));
      if (rest.length > 0) metadata.ownerReferences = rest;
      else delete metadata.ownerReferences;
    });
  }

  async #stopBlocking(node: Node): Promise<void> {
    await this.#client.update(node.id, ({ metadata }) => {
      for (const reference of metadata.ownerReferences ?? []) {
        if (reference.blockOwnerDeletion === true) reference.blockOwnerDeletion = false;
      }
    });
  }

  async #removeFinalizer(node: Node, finalizer: string): Promise<void> {
    await this.#client.update(node.id, ({ metadata }) => {
      const rest = (metadata.finalizers ?? []).filter((one) => one !== finalizer);
      if (rest.length > 0) metadata.finalizers = rest;
      else delete metadata.finalizers;
    });
  }
}

function hasSameOwners(before: readonly Reference[], after: readonly Reference[]): boolean {
  return before.length === after.length && before.every(({ uid }, index) => uid === after[index]?.uid);
}

/** Reports whether the foreground deletion of an owner waits for an object with these references. */
function blocks(owners: readonly Reference[], uid: string): boolean {
  return owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true);
}
