import type { ApiServer, StoredWrite } from "@kubewright/apiserver";
import type { KubernetesObject } from "../../api/index.ts";
import { groupOf } from "../../api/kind.ts";
import type { ObjectKey } from "../../client/client.ts";
import { FinalizedObjects } from "./finalized.ts";
import { isBookkeeping, type Target } from "./target.ts";

/** An object that exists at the start because of the options, or that was written during the run. */
export interface Tracked {
  readonly id: string;
  readonly group: string;
  readonly resource: string;
  /** Name of the actor that created it, or {@link atStart}. */
  readonly creator: string;
  /** Whether the operator created it while it reconciled. */
  readonly byReconcile: boolean;
  /** Revision of its creation, 0 for an object that is older than the run. */
  readonly since: number;
  readonly object: KubernetesObject;
}

/** The creator of objects that are older than the run. They belong to others than the operator. */
export const atStart = "start";

/** An annotation that another client has set. */
export interface Touch {
  readonly uid: string | undefined;
  readonly value: string;
}

class WrittenObject implements Tracked {
  readonly id: string;
  readonly group: string;
  readonly resource: string;
  readonly creator: string;
  readonly byReconcile: boolean;
  readonly since: number;
  readonly #write: StoredWrite;

  constructor(id: string, write: StoredWrite, first: Pick<Tracked, "creator" | "byReconcile" | "since">) {
    const { creator, byReconcile, since } = first;
    this.id = id;
    this.group = write.group;
    this.resource = write.resource;
    this.creator = creator;
    this.byReconcile = byReconcile;
    this.since = since;
    this.#write = write;
  }

  get object(): KubernetesObject {
    return this.#write.after as unknown as KubernetesObject;
  }
}

/** Returns an object that is older than the run. */
export function givenObject(
  kind: { group: string; kind: string; resource: string },
  object: KubernetesObject,
): Tracked {
  const { group, resource } = kind;
  return {
    id: idOf(kind, object.metadata ?? {}),
    group,
    resource,
    creator: atStart,
    byReconcile: false,
    since: 0,
    object,
  };
}

/** Identifies an object in any version of its kind. */
export function idOf(
  { group, kind }: { group: string; kind: string },
  { namespace = "", name = "" }: ObjectName,
): string {
  return `${group}/${kind} ${namespace}/${name}`;
}

interface ObjectName {
  namespace?: string;
  name?: string;
}

/** The actors that aren't processes of an operator. */
const others: ReadonlySet<string> = new Set([atStart, "user", "someone", "cluster", "simulation", "code", "world"]);

/** Whether an actor is a process of an operator, in whatever version. */
export function isOperator(actor: string): boolean {
  return !others.has(actor);
}

/** Whether an object was created by a user of the operator: the scenario, or somebody else. */
export function isOfUsers({ creator }: Pick<Tracked, "creator">): boolean {
  return creator === "user" || creator === "someone";
}

/** Names an object as findings and timelines show it. */
export function titleOf({ kind, namespace, name }: { kind: string; namespace: string; name: string }): string {
  return `${kind} ${namespace === "" ? name : `${namespace}/${name}`}`;
}

/** The objects of the options, and those that were written since the start of the run. */
export class State {
  readonly objects: Map<string, Tracked>;
  /** The objects that the scenario has created and deleted, as they were before they were gone. */
  readonly deleted: Map<string, () => KubernetesObject> = new Map();
  readonly #deletedByUser = new Set<string>();
  readonly #whenGone = new Map<string, () => void>();
  readonly finalized: FinalizedObjects = new FinalizedObjects();
  /** The UIDs of the owners of children that the scenario has changed. Their replacements lack the changes. */
  readonly changedByUser: Map<string, readonly string[]> = new Map();
  /** Finalizers that users have added. The operator must not remove them. */
  readonly finalizersOfUsers: Set<string> = new Set();
  /** Children whose owner was deleted without them, as a user can demand it. */
  readonly orphaned: Set<string> = new Set();
  /**
   * Orphaned children to which an operator has added an owner that is gone, with the name of the operator. The cluster deletes
   * them.
   */
  readonly #readopted = new Map<string, string>();
  /** The first of them that the cluster has deleted. */
  lostOrphan: { title: string; actor: string } | undefined;
  /**
   * Whether children never become what they become without faults. The state that the operator should reach is then undefined, so only
   * the work until the world is settled is checked.
   */
  isStalled = false;
  /** Annotations that another client has set, by object. */
  readonly touches: Map<string, Touch> = new Map();
  /** Revision of the server at the start of the run. */
  readonly firstRevision: number;
  readonly #server: ApiServer;
  readonly #custom: ReadonlySet<string>;

  /**
   * @param server - the server
   * @param given - the objects of the options
   * @param custom - the kinds with a definition, as `group/kind`
   */
  constructor(server: ApiServer, given: readonly Tracked[], custom: ReadonlySet<string>) {
    this.#server = server;
    this.#custom = custom;
    this.firstRevision = server.revision;
    this.objects = new Map(given.map((tracked) => [tracked.id, tracked]));
  }

  /** The present revision of the server. */
  get revision(): number {
    return this.#server.revision;
  }

  /** Returns the revision of an object on the server, empty if it doesn't exist. */
  revisionOf({ group, kind }: { group: string; kind: string }, { namespace = "", name }: ObjectKey): string {
    return String(this.#server.observation.revision(group, kind, namespace, name) ?? "");
  }

  /**
   * Returns the revision of the state that a process has read.
   *
   * @param id - the object
   * @param revision - the revision of the object that it read, empty if it found none
   */
  seenRevision(id: string, revision: string): number {
    if (revision !== "") return Number(revision);
    // An object that exists, and isn't in the cache, was seen before its creation.
    return this.objects.has(id) ? 0 : this.revision;
  }

  /** Takes a write of an actor over. Returns whether it is an effect rather than bookkeeping. */
  apply(write: StoredWrite, actor: string, byReconcile: boolean): boolean {
    if (isBookkeeping(write)) return false;
    const id = idOf(write, write);
    const stored = this.objects.get(id);
    const origin = write.isNew ? actor : stored?.creator;
    const isUsers = origin !== undefined && isOfUsers({ creator: origin });
    if (isUsers || this.#custom.has(`${write.group}/${write.kind}`)) this.finalized.wrote(write, isOperator(actor));
    if (origin === "user") this.#noteDeletion(id, write, actor);
    if (isOfUsers({ creator: actor })) this.#noteFinalizers(write);
    if (actor === "cluster") this.#noteOrphan(id, write);
    if (isOperator(actor) && this.#isReadoption(id, write)) this.#readopted.set(id, actor);
    const adopter = actor === "cluster" && write.isDeletion ? this.#readopted.get(id) : undefined;
    if (adopter !== undefined) this.lostOrphan ??= { title: titleOf(write), actor: adopter };
    if (actor === "user" && origin !== undefined && !isOfUsers({ creator: origin })) this.#noteChange(id, write);
    if (write.isDeletion) {
      this.objects.delete(id);
      this.orphaned.delete(id);
      // An owner can keep the changes in the next child.
      if (!this.hasOwner(write.before as unknown as KubernetesObject)) this.changedByUser.delete(id);
      this.#whenGone.get(id)?.();
      this.#whenGone.delete(id);
      return true;
    }
    // The cluster's own objects, such as its node, aren't part of the run.
    if (!stored && !write.isNew) return true;
    const first = stored && !write.isNew ? stored : { creator: actor, byReconcile, since: write.revision };
    this.objects.set(id, new WrittenObject(id, write, first));
    return true;
  }

  #noteChange(id: string, { after }: StoredWrite): void {
    const { metadata } = (after as KubernetesObject | undefined) ?? {};
    if (!metadata || metadata.deletionTimestamp) this.changedByUser.delete(id);
    else
      this.changedByUser.set(
        id,
        (metadata.ownerReferences ?? []).map(({ uid }) => uid),
      );
  }

  #noteDeletion(id: string, write: StoredWrite, actor: string): void {
    const after = write.after as KubernetesObject | undefined;
    if (actor === "user" && (!after || after.metadata?.deletionTimestamp)) this.#deletedByUser.add(id);
    if (!write.isDeletion) {
      this.deleted.delete(id);
      return;
    }
    if (this.#deletedByUser.delete(id)) this.deleted.set(id, () => write.before as unknown as KubernetesObject);
  }

  #noteFinalizers({ before, after }: StoredWrite): void {
    const [had = [], has = []] = [before, after].map(
      (one) => (one as KubernetesObject | undefined)?.metadata?.finalizers,
    );
    for (const name of has) if (!had.includes(name)) this.finalizersOfUsers.add(name);
  }

  #noteOrphan(id: string, { before, after }: StoredWrite): void {
    const [had = [], has = []] = [before, after].map(
      (one) => (one as KubernetesObject | undefined)?.metadata?.ownerReferences,
    );
    if (after && had.length > 0 && has.length === 0) this.orphaned.add(id);
  }

  #isReadoption(id: string, { after }: StoredWrite): boolean {
    if (!after || !this.orphaned.has(id)) return false;
    const object = after as unknown as KubernetesObject;
    return (object.metadata?.ownerReferences ?? []).length > 0 && !this.hasOwner(object);
  }

  /** Whether an operator has adopted a child that the cluster therefore deletes, sooner or later. */
  get isReadopted(): boolean {
    return this.#readopted.size > 0;
  }

  /** Whether a finalizer of a user keeps an object when it is deleted. No other program removes it. */
  isHeld({ metadata }: KubernetesObject): boolean {
    return metadata?.finalizers?.some((name) => this.finalizersOfUsers.has(name)) ?? false;
  }

  /** Calls a function when an object is gone. */
  whenGone(id: string, call: () => void): void {
    this.#whenGone.set(id, call);
  }

  /** Whether a function waits for the end of an object. */
  isGoing(id: string): boolean {
    return this.#whenGone.has(id);
  }

  /** Returns the object of a request, if it exists. */
  find(target: Target): Tracked | undefined {
    const { group, resource, namespace, name } = target;
    for (const tracked of this.objects.values()) {
      if (tracked.group !== group || tracked.resource !== resource) continue;
      const { metadata } = tracked.object;
      if (metadata?.name === name && (metadata?.namespace ?? "") === namespace) return tracked;
    }
    return this.#older(target);
  }

  #older({ group, resource, namespace, name }: Target): Tracked | undefined {
    const { observation } = this.#server;
    for (const kind of observation.kinds()) {
      if (kind.group !== group || kind.resource !== resource) continue;
      const object = observation.object(group, kind.kind, namespace, name);
      return object && givenObject(kind, object as unknown as KubernetesObject);
    }
    return undefined;
  }

  /** Returns the object with a UID, if it exists. */
  byUid(uid: string): Tracked | undefined {
    for (const tracked of this.objects.values()) if (tracked.object.metadata?.uid === uid) return tracked;
    return undefined;
  }

  /** Whether an object owns one that the scenario has changed. A successor's child would lack the changes. */
  hasChangedChild({ metadata }: KubernetesObject): boolean {
    return [...this.changedByUser.values()].some((owners) => owners.includes(metadata?.uid ?? ""));
  }

  /** Returns whether an owner of an object exists. */
  hasOwner({ metadata }: KubernetesObject): boolean {
    const { observation } = this.#server;
    return (metadata?.ownerReferences ?? []).some(({ apiVersion, kind, name, uid }) => {
      if (this.byUid(uid)) return true;
      const group = groupOf(apiVersion);
      const owner =
        observation.object(group, kind, metadata?.namespace ?? "", name) ?? observation.object(group, kind, "", name);
      return (owner?.metadata as { uid?: string } | undefined)?.uid === uid;
    });
  }
}
