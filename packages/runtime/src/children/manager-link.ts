import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import { groupOf } from "../api/kind.ts";
import type { InformerCache } from "../cache/cache.ts";
import type { Informer } from "../cache/informer.ts";
import type { ShardUse } from "../cache/shard-keys.ts";
import { storeKey } from "../cache/store.ts";
import type { Client, ObjectKey, Reader, Stored } from "../client/client.ts";
import type { Clock } from "../clock/clock.ts";
import { getControllerOf } from "../controllerutil/owner-references.ts";
import type { RestMapper } from "../discovery/rest-mapper.ts";
import { isNoMatch } from "../errors/no-match-error.ts";
import { ignoreNotFound, isNotFound } from "../errors/predicates.ts";
import type { EventRecorder } from "../events/recorder.ts";
import { enqueueRequestsFromMapFunc } from "../handler/map-func.ts";
import type { Queue } from "../queue/queue.ts";
import type { Request } from "../reconcile/request.ts";
import { InformerSource } from "../source/kind-source.ts";
import type { Source, SourceContext } from "../source/source.ts";
import type { ChildReader } from "./child-reader.ts";
import type { Declaration } from "./declaration.ts";
import { ownerAnnotation, partOfLabel } from "./names.ts";
import type { ChildrenObserver } from "./observer.ts";
import { type OwnerSet, setId } from "./owner-set.ts";
import type { ChildAction, ChildResult } from "./types.ts";

/** The parts of a manager that children use. */
export interface ChildrenHost {
  readonly cache: InformerCache;
  readonly mapper: RestMapper;
  readonly clock: Clock;
  readonly client: Client;
  readonly apiReader: Reader;
  /** Observes the sets in a simulation. */
  readonly childrenObserver?: ChildrenObserver | undefined;
  recorder(name: string): EventRecorder;
}

/** Time in milliseconds after which children that aren't ready are read again, if their events don't arrive. */
const unseenPeriod = 10_000;

interface WatchedKind {
  readonly informer: Informer<KubernetesObject>;
  readonly kind: Kind;
  readonly isOptional: boolean;
  source: InformerSource<KubernetesObject> | undefined;
}

/**
 * Connects a declaration to the controller that manages it: watches the kinds of the children, maps their events to owners, and
 * reads children by owner.
 */
export class ManagerLink implements Source, ChildReader {
  readonly name: string;
  readonly controller: string;
  readonly live: Reader;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  readonly #declaration: Declaration;
  readonly #host: ChildrenHost;
  readonly #count: (child: string, action: ChildAction) => void;
  /** How the children are divided among replicas, if they share the objects. */
  readonly #shard: ShardUse | undefined;
  readonly #kinds = new Map<string, WatchedKind>();
  #context: SourceContext | undefined;

  constructor(
    declaration: Declaration,
    host: ChildrenHost,
    controller: string,
    count: (child: string, action: ChildAction) => void,
    shard?: ShardUse,
  ) {
    this.#shard = shard;
    this.#declaration = declaration;
    this.#host = host;
    this.controller = controller;
    this.#count = count;
    this.live = host.apiReader;
    this.clock = host.clock;
    this.recorder = host.recorder(declaration.fieldOwner);
    for (const { kind, optional } of declaration.entries.values()) if (kind) this.#add(kind, optional);
    for (const kind of declaration.former) this.#add(kind, true);
    this.name = `children: ${[...this.#kinds.values()].map(({ kind }) => kind.kind).join(", ")}`;
  }

  async start(context: SourceContext): Promise<void> {
    this.#context = context;
    for (const watched of this.#kinds.values()) await this.#start(watched, context);
  }

  async waitForSync(signal: AbortSignal): Promise<void> {
    for (const { isOptional, source } of this.#kinds.values()) if (!isOptional) await source?.waitForSync(signal);
  }

  /** Watches a kind that only the children of a reconcile contain. */
  async watch(kind: Kind): Promise<void> {
    if (this.#kinds.has(keyOf(kind))) return;
    const watched = this.#add(kind, true);
    if (this.#context) await this.#start(watched, this.#context);
    if (!(await isReadable(watched))) throw watched.informer.lastError;
  }

  async owned(kind: Kind, set: OwnerSet): Promise<readonly Stored<KubernetesObject>[] | undefined> {
    const watched = this.#kinds.get(keyOf(kind));
    if (watched?.isOptional && !(await isReadable(watched))) return undefined;
    const { cache } = this.#host;
    const by = async (value: string): Promise<Stored<KubernetesObject>[]> =>
      (await cache.list(kind, { fields: { [ownerAnnotation]: value }, shared: true, sharded: true })).items;
    const referencing = await by(set.uid);
    if (set.namespace === "") return referencing;
    const labeled = watched?.informer.shards?.isActive ? await this.#elsewhere(kind, set) : await by(set.id);
    return labeled.length === 0 ? referencing : [...referencing, ...labeled];
  }

  /** Reads children in other namespaces from the server, because another replica can have them in its cache. */
  async #elsewhere(kind: Kind, set: OwnerSet): Promise<Stored<KubernetesObject>[]> {
    if (!set.lists(kind)) return [];
    const { items } = await this.live.list(kind, { labels: { [partOfLabel]: set.id } });
    return items.filter((object) => set.controls(object));
  }

  get(kind: Kind, key: ObjectKey): Promise<Stored<KubernetesObject> | undefined> {
    const informer = this.#kinds.get(keyOf(kind))?.informer;
    const isCached = informer?.covers(key.namespace ?? "") ?? false;
    return ignoreNotFound(isCached ? this.#host.cache.get(kind, key, { shared: true }) : this.live.get(kind, key));
  }

  /** Reconciles an owner later, in milliseconds. */
  requeue(set: OwnerSet, after: number): void {
    this.#queue?.add({ namespace: set.namespace, name: set.name }, { after });
  }

  /** Counts the actions, and adds them to the record of the reconcile. */
  report(set: OwnerSet, results: readonly ChildResult[]): void {
    if (this.#shard && results.some((result) => this.#isUnseen(result))) this.requeue(set, unseenPeriod);
    for (const { child, action } of results) this.#count(child, action);
    this.#context?.inspection?.children?.(results);
  }

  /**
   * Whether a child isn't ready, and its events reach another replica, which drops the requests of this owner: it is in another
   * namespace, or belongs to a former owner of the same name.
   */
  #isUnseen({ ready, action, kind: name, ...key }: ChildResult): boolean {
    if ((ready && action !== "waiting") || key.namespace === "") return false;
    const watched = [...this.#kinds.values()].find(({ kind }) => kind.kind === name);
    if (!watched?.informer.shards || watched.informer.shards.holdsNamespace(key.namespace)) return false;
    return watched.informer.store.get(storeKey(key.namespace, key.name)) === undefined;
  }

  /** The client of the manager. */
  get client(): Client {
    return this.#host.client;
  }

  get observer(): ChildrenObserver | undefined {
    return this.#host.childrenObserver;
  }

  get #queue(): Queue<Request> | undefined {
    return this.#context?.queue;
  }

  #add(kind: Kind, isOptional: boolean): WatchedKind {
    const existing = this.#kinds.get(keyOf(kind));
    if (existing) return existing;
    const { fieldOwner } = this.#declaration;
    const options = { optional: isOptional, appliedBy: fieldOwner, shard: this.#shard };
    const informer = this.#host.cache.inform(kind, options);
    if (!informer.store.hasIndex(ownerAnnotation)) informer.addIndex(ownerAnnotation, ownersInIndex);
    const watched: WatchedKind = { informer, kind, isOptional, source: undefined };
    this.#kinds.set(keyOf(kind), watched);
    return watched;
  }

  async #start(watched: WatchedKind, context: SourceContext): Promise<void> {
    const { informer, isOptional } = watched;
    watched.source = new InformerSource<KubernetesObject>({ informer, handler: () => this.#handler(), via: "owns" });
    const wasSynced = informer.hasSynced;
    await watched.source.start(context);
    // The kind was installed later: its children can be applied now.
    if (isOptional && !wasSynced) void informer.synced.then(() => this.#enqueueOwners());
  }

  async #enqueueOwners(): Promise<void> {
    const { cache } = this.#host;
    const { owner } = this.#declaration;
    if (this.#context?.context.signal.aborted) return;
    const { items } = await cache.list(owner, { shared: true, sharded: true });
    for (const { metadata } of items) {
      this.#queue?.add({ namespace: metadata.namespace ?? "", name: metadata.name });
    }
  }

  async #handler(): Promise<ReturnType<typeof enqueueRequestsFromMapFunc>> {
    const { owner } = this.#declaration;
    const { group, version, kind, scope } = owner;
    const isNamespaced =
      scope === undefined ? (await this.#host.mapper.mapping(group, version, kind)).namespaced : scope === "Namespaced";
    return enqueueRequestsFromMapFunc((_ctx, object) => ownersOf(owner, isNamespaced, object));
  }
}

function ownersOf(owner: Kind, isNamespaced: boolean, object: KubernetesObject): Request[] {
  const { namespace = "", labels, annotations } = object.metadata ?? {};
  const controller = getControllerOf(object);
  if (controller) {
    if (controller.kind !== owner.kind || groupOf(controller.apiVersion) !== owner.group) return [];
    return [{ namespace: isNamespaced ? namespace : "", name: controller.name }];
  }
  const [ownerNamespace = "", name] = (annotations?.[ownerAnnotation] ?? "").split("/");
  // The annotation can be a copy, or that of another kind.
  if (!name || labels?.[partOfLabel] !== setId(owner, ownerNamespace, name)) return [];
  return [{ namespace: ownerNamespace, name }];
}

function ownersInIndex(object: KubernetesObject): string[] {
  const owner = getControllerOf(object)?.uid ?? object.metadata?.labels?.[partOfLabel];
  return owner ? [owner] : [];
}

/**
 * Waits until the objects of a kind are in the cache, or can't be read.
 *
 * @returns whether they are; `false` if the kind isn't installed
 * @throws Error if it is installed, but can't be read
 */
async function isReadable({ informer, kind }: WatchedKind): Promise<boolean> {
  await informer.attempted;
  const { hasSynced, lastError } = informer;
  if (hasSynced) return true;
  if (isNoMatch(lastError) || isNotFound(lastError)) return false;
  throw lastError ?? new Error(`${kind.kind} isn't in the cache yet`);
}

function keyOf(kind: Kind): string {
  return `${kind.apiVersion}/${kind.kind}`;
}
