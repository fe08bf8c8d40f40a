import type { KubernetesObject } from "../api/index.ts";
import { metadataOf } from "../client/answers.ts";
import type { List, ListOptions, ObjectKey, Reader, ReadOptions, Stored, WholeObjects } from "../client/client.ts";
import type { MetadataOnly } from "../client/object-types.ts";
import { type Resource, Resources, requireNamespace } from "../client/resource.ts";
import { fieldPath } from "../client/selectors.ts";
import { aborted, linkSignals, unlessAborted } from "../clock/abort.ts";
import { type Clock, systemClock } from "../clock/clock.ts";
import type { RestMapper } from "../discovery/rest-mapper.ts";
import { cloneJson } from "../json/index.ts";
import type { Kind } from "../kind.ts";
import { errorText } from "../log/error-text.ts";
import type { Logger } from "../log/logger.ts";
import type { Transport } from "../transport/transport.ts";
import { ConnectionGate } from "./connection-gate.ts";
import type { EventMetrics } from "./event-metrics.ts";
import { Informer } from "./informer.ts";
import { createListWatch } from "./list-watch.ts";
import { type CacheOptions, kindSettings } from "./options.ts";
import { getCached, listCached } from "./reader.ts";
import { type IndexFunc, storeKey } from "./store.ts";
import type { ObservedDeletion, WriteObserver } from "./write-observer.ts";

/** A read of the cache before the manager was started: it would find nothing, which is not the same as "there is nothing". */
export class CacheNotStartedError extends Error {
  override readonly name = "CacheNotStartedError";

  constructor() {
    super("the cache is not started, it can't read objects yet: read after mgr.start, or use mgr.apiReader");
  }
}

export interface InformerCacheOptions extends CacheOptions {
  transport: Transport;
  mapper: RestMapper;
  /** Answers reads of kinds without informer. */
  live: Reader;
  log: Logger;
  clock?: Clock;
  random?: () => number;
  /** Read at each use: metrics may be set up later than caches. */
  metrics?: () => EventMetrics | undefined;
}

/** How much of a kind is watched. */
export interface InformOptions {
  /** Watches only `metadata`: cheap where nothing else is needed. */
  metadataOnly?: boolean;
}

const metadataSuffix = "#metadata";

/** The kinds that a manager watches, and reads that are answered from them. */
export class InformerCache implements Reader, WriteObserver {
  readonly #options: InformerCacheOptions;
  readonly #clock: Clock;
  readonly #gate: ConnectionGate;
  readonly #resources: Resources;
  readonly #informers = new Map<string, Informer<KubernetesObject>>();
  /** Those that a read started: the program is ready without them. */
  readonly #startedByReads = new Set<Informer<KubernetesObject>>();
  #signal: AbortSignal | undefined;

  constructor(options: InformerCacheOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const { transport } = options;
    this.#resources = Resources.with(options.mapper);
    this.#gate = new ConnectionGate({
      clock: this.#clock,
      probe: (signal) => transport.request({ method: "GET", path: "/version", signal, maxRetries: 0 }),
    });
  }

  /** Runs the informers declared so far and those to come, until the signal aborts. */
  async start(signal: AbortSignal): Promise<void> {
    if (this.#signal) throw new Error("the cache was started already");
    this.#signal = signal;
    for (const informer of this.#informers.values()) informer.start(signal);
    await aborted(signal);
    await Promise.all([...this.#informers.values()].map((informer) => informer.stop()));
  }

  /** Declares that a kind is watched: reads of it are answered from memory. */
  inform<T extends KubernetesObject>(kind: Kind<T>, options?: InformOptions & WholeObjects): Informer<T>;
  /** As above. Without a literal `metadataOnly: false`, the objects have only the type of metadata. */
  inform<T extends KubernetesObject>(kind: Kind<T>, options?: InformOptions): Informer<MetadataOnly<T>>;
  inform<T extends KubernetesObject>(kind: Kind<T>, options: InformOptions = {}): Informer<T> {
    const id = informerId(kind, options.metadataOnly);
    const existing = this.#informers.get(id);
    if (existing) {
      this.#startedByReads.delete(existing);
      return existing as unknown as Informer<T>;
    }
    const informer = this.#create(kind, options.metadataOnly ?? false);
    this.#informers.set(id, informer as unknown as Informer<KubernetesObject>);
    if (this.#signal) informer.start(this.#signal);
    return informer;
  }

  /** Stops watching a kind; later reads go to the server. */
  async removeInformer(kind: Kind, options: InformOptions = {}): Promise<void> {
    const id = informerId(kind, options.metadataOnly);
    const informer = this.#informers.get(id);
    if (!informer) return;
    this.#informers.delete(id);
    this.#startedByReads.delete(informer);
    await informer.stop();
  }

  /**
   * Makes a kind listable by a field, and declares its informer.
   *
   * @example
   * mgr.cache.indexField(Job, ".metadata.controller", (job) => owners(job));
   */
  indexField<T extends KubernetesObject>(kind: Kind<T>, field: string, values: IndexFunc<T>): void {
    this.inform(kind).addIndex(fieldPath(field), values);
  }

  /** Whether all declared informers are in sync, which `/readyz` reports. */
  get hasSynced(): boolean {
    return this.#signal !== undefined && this.#declared().every((informer) => informer.hasSynced);
  }

  /** The kinds that aren't in sync, with the reason where it is known. */
  unsynced(): string[] {
    return this.#declared()
      .filter((informer) => !informer.hasSynced)
      .map(({ kind, lastError }) => (lastError ? `${kind.kind}: ${errorText(lastError)}` : kind.kind));
  }

  /** Resolves when the server can be reached again, or the signal aborts; `undefined` while no watch has noticed that it can't. */
  outage(signal: AbortSignal): Promise<void> | undefined {
    return this.#gate.isShut ? this.#gate.wait(signal) : undefined;
  }

  /** Resolves when all informers declared so far are in sync, or the signal aborts; tells which. */
  async waitForSync(signal: AbortSignal): Promise<boolean> {
    const all = Promise.all([...this.#informers.values()].map((informer) => informer.synced));
    return unlessAborted(
      all.then(() => true),
      signal,
      () => false,
    );
  }

  get<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: ReadOptions & WholeObjects,
  ): Promise<Stored<T>>;
  get<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: ReadOptions,
  ): Promise<Stored<MetadataOnly<T>>>;
  async get<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey, options: ReadOptions = {}): Promise<Stored<T>> {
    const informer = await this.#readable(kind, options);
    if (!informer) return this.#options.live.get(kind, key, options as WholeObjects);
    return getCached(informer, keyIn(informer.resource, key), options);
  }

  list<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions & WholeObjects): Promise<List<T>>;
  list<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions): Promise<List<MetadataOnly<T>>>;
  async list<T extends KubernetesObject>(kind: Kind<T>, options: ListOptions = {}): Promise<List<T>> {
    const informer = await this.#readable(kind, options);
    if (!informer) return this.#options.live.list(kind, options as WholeObjects);
    const ignoresNamespace = options.namespace && informer.resource?.namespaced === false;
    return listCached(informer, ignoresNamespace ? { ...options, namespace: undefined } : options);
  }

  wrote(answer: KubernetesObject): void {
    const id = `${answer.apiVersion}/${answer.kind}`;
    // The caller owns the answer and may change it: the cache keeps its own.
    this.#informers.get(id)?.wrote(cloneJson(answer));
    this.#informers.get(`${id}${metadataSuffix}`)?.wrote(cloneJson(metadataOf(answer)));
  }

  watches(resource: { group: string; plural: string }): boolean {
    return this.#informersOf(resource).length > 0;
  }

  deleted({ namespace, name, uid, ...resource }: ObservedDeletion): void {
    for (const { ownWrites } of this.#informersOf(resource)) ownWrites.removed(storeKey(namespace, name), uid);
  }

  #informersOf({ group, plural }: { group: string; plural: string }): Informer<KubernetesObject>[] {
    const isOf = ({ resource }: Informer<KubernetesObject>): boolean =>
      resource?.group === group && resource.plural === plural;
    return [...this.#informers.values()].filter(isOf);
  }

  #startByRead<T extends KubernetesObject>(kind: Kind<T>, metadataOnly: boolean | undefined): Informer<T> {
    const existing = this.#informers.get(informerId(kind, metadataOnly));
    if (existing) return existing as unknown as Informer<T>;
    const informer = this.inform(kind, { metadataOnly } as WholeObjects);
    this.#startedByReads.add(informer as unknown as Informer<KubernetesObject>);
    return informer;
  }

  #declared(): Informer<KubernetesObject>[] {
    return [...this.#informers.values()].filter((informer) => !this.#startedByReads.has(informer));
  }

  #create<T extends KubernetesObject>(kind: Kind<T>, metadataOnly: boolean): Informer<T> {
    const { transport, log, random, metrics } = this.#options;
    const settings = kindSettings(this.#options, kind);
    const mapping = () => this.#resources.of(kind);
    const informer: Informer<T> = new Informer<T>({
      kind,
      scopes: async () => {
        informer.resource = await mapping();
        return settings.scopes(informer.resource.namespaced);
      },
      listWatch: (scope) => createListWatch({ transport, mapping, kind, scope, metadataOnly }),
      onError: (error) => this.#tell(kind as Kind, error),
      syncPeriod: settings.syncPeriod,
      gate: this.#gate,
      clock: this.#clock,
      log: log.with({ group: kind.group, kind: kind.kind }),
      random,
      metrics,
    });
    return informer;
  }

  #tell(kind: Kind, error: unknown): void {
    try {
      this.#options.defaultWatchErrorHandler?.(kind, error);
    } catch (thrown) {
      this.#options.log.error(thrown, "defaultWatchErrorHandler failed", { kind: kind.kind });
    }
  }

  /** The synced informer that answers a read; `undefined` where the server has to. */
  async #readable<T extends KubernetesObject>(kind: Kind<T>, options: ReadOptions): Promise<Informer<T> | undefined> {
    const { metadataOnly, signal } = options;
    // Whole objects have metadata too.
    const found =
      (metadataOnly && this.#informers.get(informerId(kind, true))) || this.#informers.get(informerId(kind));
    let informer = found as unknown as Informer<T> | undefined;
    const { readsWithoutInformer = "live" } = this.#options;
    if (!informer) {
      if (readsWithoutInformer === "live") return undefined;
      if (readsWithoutInformer === "fail") {
        throw new Error(`${kind.kind} has no informer: declare it with cache.inform(${kind.kind}), or watch it`);
      }
      if (!this.#signal) throw new CacheNotStartedError();
      // A kind that isn't installed fails this read, and leaves no informer that waits for it.
      await this.#resources.of(kind);
      informer = this.#startByRead(kind, metadataOnly);
    }
    if (informer.hasSynced) return informer;
    if (!this.#signal) throw new CacheNotStartedError();
    const synced = informer.synced.then(() => true);
    const limit = linkSignals(...(signal ? [signal, this.#signal] : [this.#signal]));
    const isSynced = await unlessAborted(synced, limit.signal, () => false).finally(limit.release);
    if (isSynced) return informer;
    throw new Error(`the read of ${kind.kind} was given up before its cache was in sync`, {
      cause: informer.lastError,
    });
  }
}

function informerId(kind: Kind, metadataOnly = false): string {
  return `${kind.apiVersion}/${kind.kind}${metadataOnly ? metadataSuffix : ""}`;
}

/** A key as a live read takes it: kinds without namespaces ignore the namespace, others need it. */
function keyIn(resource: Resource | undefined, { namespace, name }: ObjectKey): ObjectKey {
  if (resource?.namespaced === false) return { name };
  if (resource) requireNamespace(resource, namespace, JSON.stringify(name));
  return { namespace, name };
}
