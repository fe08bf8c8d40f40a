import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import { metadataOf } from "../client/answers.ts";
import type { List, ListOptions, ObjectKey, Reader, ReadOptions, Stored, WholeObjects } from "../client/client.ts";
import type { MetadataOnly } from "../client/object-types.ts";
import { Resources } from "../client/resource.ts";
import { fieldPath } from "../client/selectors.ts";
import { aborted, linkSignals, unlessAborted } from "../clock/abort.ts";
import { type Clock, systemClock } from "../clock/clock.ts";
import { cloneJson } from "../json/clone.ts";
import { errorText } from "../log/error-text.ts";
import { ConnectionGate } from "./connection-gate.ts";
import { Informer } from "./informer.ts";
import type { InformerCacheOptions } from "./informer-cache-options.ts";
import { createListWatch } from "./list-watch.ts";
import { type InformOptions, kindSettings } from "./options.ts";
import { measureRead, type ReadMetrics, type ReadOperation } from "./read-metrics.ts";
import { getCached, listCached } from "./reader.ts";
import { isCached, isListCached, listEverywhere } from "./sharded-reads.ts";
import { type IndexFunc, storeKey } from "./store.ts";
import type { ObservedDeletion } from "./write-observer.ts";

/** Rejects a read of the cache before the manager was started. An empty result would be wrong, because nothing was listed yet. */
export class CacheNotStartedError extends Error {
  /** Always `CacheNotStartedError`. */
  override readonly name = "CacheNotStartedError";

  /** Creates the error. */
  constructor() {
    super("the cache is not started, so it can't read objects yet: read after mgr.start, or use mgr.apiReader");
  }
}

const metadataSuffix = "#metadata";

/** Watches kinds and answers reads from memory. */
export class InformerCache implements Reader {
  readonly #options: InformerCacheOptions;
  readonly #clock: Clock;
  readonly #gate: ConnectionGate;
  readonly #resources: Resources;
  readonly #informers = new Map<string, Informer<KubernetesObject>>();
  /** Informers that a read started, and those of kinds that may not be installed. Readiness doesn't wait for them. */
  readonly #optional = new Set<Informer<KubernetesObject>>();
  #signal: AbortSignal | undefined;

  /** Creates a cache. Users read the cache of a manager or a cluster. @internal */
  static create(options: InformerCacheOptions): InformerCache {
    return new InformerCache(options);
  }

  private constructor(options: InformerCacheOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const { transport } = options;
    this.#resources = Resources.with(options.mapper);
    this.#gate = new ConnectionGate({
      clock: this.#clock,
      probe: (signal) => transport.request({ method: "GET", path: "/version", signal, maxRetries: 0 }),
    });
  }

  /**
   * Runs the declared informers, and those that are declared later, until the signal aborts.
   *
   * @param signal - stops the cache
   * @throws Error if the cache was started before
   */
  async start(signal: AbortSignal): Promise<void> {
    if (this.#signal) throw new Error("the cache was already started");
    this.#signal = signal;
    for (const informer of this.#informers.values()) informer.start(signal);
    await aborted(signal);
    await Promise.all([...this.#informers.values()].map((informer) => informer.stop()));
  }

  /**
   * Declares an informer: the kind is watched, and reads of it are answered from memory. Without a literal
   * `metadataOnly: false`, the type of its objects has only metadata.
   *
   * @param kind - the kind
   * @param options - see {@link InformOptions}
   * @returns the informer, which is shared by all who declare it
   */
  inform<T extends KubernetesObject>(kind: Kind<T>, options?: InformOptions & WholeObjects): Informer<T>;
  /**
   * Declares an informer of whole objects, or only their metadata.
   *
   * @param kind - the kind
   * @param options - see {@link InformOptions}
   * @returns the informer, which is shared by all who declare it
   */
  inform<T extends KubernetesObject>(kind: Kind<T>, options?: InformOptions): Informer<MetadataOnly<T>>;
  inform<T extends KubernetesObject>(kind: Kind<T>, options: InformOptions = {}): Informer<T> {
    const id = informerId(kind, options.metadataOnly);
    const existing = this.#informers.get(id);
    if (existing) {
      existing.shards?.use(options.shard);
      if (!options.optional) this.#optional.delete(existing);
      if (options.appliedBy !== undefined) existing.appliedFields.add(options.appliedBy);
      return existing as unknown as Informer<T>;
    }
    const informer = this.#create(kind, options.metadataOnly ?? false);
    informer.shards?.use(options.shard);
    if (options.appliedBy !== undefined) informer.appliedFields.add(options.appliedBy);
    this.#informers.set(id, informer as unknown as Informer<KubernetesObject>);
    if (options.optional) this.#optional.add(informer as unknown as Informer<KubernetesObject>);
    if (this.#signal) informer.start(this.#signal);
    return informer;
  }

  /**
   * Stops watching a kind. Later reads go to the API server.
   *
   * @param kind - the kind
   * @param options - the options with which it was declared
   */
  async removeInformer(kind: Kind, options: InformOptions = {}): Promise<void> {
    const id = informerId(kind, options.metadataOnly);
    const informer = this.#informers.get(id);
    if (!informer) return;
    this.#informers.delete(id);
    this.#optional.delete(informer);
    this.#options.shards?.remove(informer);
    await informer.stop();
  }

  /**
   * Indexes a kind by a field, for which `list` can then select objects, and declares its informer.
   *
   * @param kind - the kind
   * @param field - name of the index, as in `fields` of {@link ListOptions}; the leading dot is optional
   * @param values - returns the values of an object
   *
   * @example
   * mgr.cache.indexField(Job, ".metadata.controller", (job) => owners(job));
   */
  indexField<T extends KubernetesObject>(kind: Kind<T>, field: string, values: IndexFunc<T>): void {
    this.inform(kind, { shard: "none" } as WholeObjects).addIndex(fieldPath(field), values);
  }

  /** Whether all declared informers are in sync. Reported by `/readyz`. */
  get hasSynced(): boolean {
    return this.#signal !== undefined && this.#declared().every((informer) => informer.hasSynced);
  }

  /**
   * Returns the kinds that aren't in sync, with the last error if there is one.
   *
   * @returns lines such as `Game: connection refused`
   * @internal
   */
  unsynced(): string[] {
    return this.#declared()
      .filter((informer) => !informer.hasSynced)
      .map(({ kind, lastError }) => (lastError ? `${kind.kind}: ${errorText(lastError)}` : kind.kind));
  }

  /** Returns the informers, for people. @internal */
  informers(): { informer: Informer<KubernetesObject>; metadataOnly: boolean }[] {
    return [...this.#informers].map(([id, informer]) => ({ informer, metadataOnly: id.endsWith(metadataSuffix) }));
  }

  /**
   * Waits for the end of an outage.
   *
   * @param signal - ends the wait
   * @returns a promise that resolves when the server can be reached again, or `undefined` without an outage
   * @internal
   */
  outage(signal: AbortSignal): Promise<void> | undefined {
    return this.#gate.isShut ? this.#gate.wait(signal) : undefined;
  }

  /**
   * Waits until all declared informers are in sync.
   *
   * @param signal - ends the wait
   * @returns `true` if they are in sync, `false` if the signal aborted first
   */
  async waitForSync(signal: AbortSignal): Promise<boolean> {
    const all = Promise.all(this.#declared().map((informer) => informer.synced));
    return unlessAborted(
      all.then(() => true),
      signal,
      () => false,
    );
  }

  /**
   * Reads an object from the cache, or from the API server if its kind has no informer. See {@link Reader.get}.
   *
   * @param kind - the kind
   * @param key - namespace and name
   * @param options - see {@link ReadOptions}
   * @returns a private copy, or a frozen object with `shared`
   * @throws ApiError with `isNotFound` if the object doesn't exist
   * @throws CacheNotStartedError if the kind has an informer that hasn't started
   */
  get<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: ReadOptions & WholeObjects,
  ): Promise<Stored<T>>;
  /**
   * Reads an object, or only its metadata.
   *
   * @param kind - the kind
   * @param key - namespace and name
   * @param options - see {@link ReadOptions}
   * @returns a private copy, or a frozen object with `shared`
   * @throws ApiError with `isNotFound` if the object doesn't exist
   */
  get<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: ReadOptions,
  ): Promise<Stored<MetadataOnly<T>>>;
  async get<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey, options: ReadOptions = {}): Promise<Stored<T>> {
    // Most reads need no promise but that of their result.
    const kindInformer = this.#informerOf(kind, options.metadataOnly);
    const isReadable = kindInformer?.hasSynced === true;
    const informer = isReadable ? kindInformer : await this.#measured("get", kind, options);
    if (isReadable) this.#metricsOf(options)?.waited("get", "success", 0);
    const isElsewhere = informer?.shards?.isActive && !isCached(informer, key);
    if (!informer || isElsewhere) return this.#options.live.get(kind, key, options as WholeObjects);
    return getCached(informer, key, options);
  }

  /**
   * Lists objects from the cache, or from the API server if their kind has no informer. See {@link Reader.list}.
   *
   * @param kind - the kind
   * @param options - see {@link ListOptions}
   * @returns private copies, or frozen objects with `shared`
   * @throws Error if `fields` selects by a field that has no index
   * @throws CacheNotStartedError if the kind has an informer that hasn't started
   */
  list<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions & WholeObjects): Promise<List<T>>;
  /**
   * Lists objects, or only their metadata.
   *
   * @param kind - the kind
   * @param options - see {@link ListOptions}
   * @returns private copies, or frozen objects with `shared`
   */
  list<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions): Promise<List<MetadataOnly<T>>>;
  async list<T extends KubernetesObject>(kind: Kind<T>, options: ListOptions = {}): Promise<List<T>> {
    const informer = await this.#measured("list", kind, options);
    if (!informer) return this.#options.live.list(kind, options as WholeObjects);
    if (informer.shards && !isListCached(informer.shards, options))
      return listEverywhere(this.#options.live, informer, options);
    const ignoresNamespace = options.namespace && informer.resource?.namespaced === false;
    return listCached(informer, ignoresNamespace ? { ...options, namespace: undefined } : options);
  }

  /** Records the response to a write of this process. @internal */
  wrote(answer: KubernetesObject): void {
    const id = `${answer.apiVersion}/${answer.kind}`;
    // The caller can change the response, so the cache keeps a copy.
    this.#informers.get(id)?.wrote(cloneJson(answer));
    this.#informers.get(`${id}${metadataSuffix}`)?.wrote(cloneJson(metadataOf(answer)));
  }

  /** Returns whether a resource has an informer. @internal */
  watches(resource: { group: string; plural: string }): boolean {
    return this.#informersOf(resource).length > 0;
  }

  /** Records a deletion by this process. @internal */
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
    return this.inform(kind, { metadataOnly, optional: true } as WholeObjects);
  }

  #declared(): Informer<KubernetesObject>[] {
    return [...this.#informers.values()].filter((informer) => !this.#optional.has(informer));
  }

  #create<T extends KubernetesObject>(kind: Kind<T>, metadataOnly: boolean): Informer<T> {
    const { transport, log, random, metrics } = this.#options;
    const settings = kindSettings(this.#options, kind);
    const mapping = () => this.#resources.of(kind);
    const shards = this.#options.shards?.newInformer(kind as Kind, {
      isNamespaced: async (of = kind as Kind) => (await this.#resources.of(of)).namespaced,
      clock: this.#clock,
      log: log.with({ group: kind.group, kind: kind.kind }),
    });
    const informer: Informer<T> = Informer.create<T>({
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
      shards,
    });
    if (shards) {
      this.#options.shards?.add({
        informer: informer as unknown as Informer<KubernetesObject>,
        shards,
        lists: async () =>
          settings
            .scopes((await mapping()).namespaced)
            .map((scope) => createListWatch({ transport, mapping, kind, scope, metadataOnly: true })),
        isOptional: () => this.#optional.has(informer as unknown as Informer<KubernetesObject>),
      });
    }
    return informer;
  }

  #tell(kind: Kind, error: unknown): void {
    try {
      this.#options.defaultWatchErrorHandler?.(kind, error);
    } catch (thrown) {
      this.#options.log.error(thrown, "defaultWatchErrorHandler failed", { kind: kind.kind });
    }
  }

  /** Returns the informer of a kind. Those of whole objects can also answer reads of metadata. */
  #informerOf<T extends KubernetesObject>(kind: Kind<T>, metadataOnly: boolean | undefined): Informer<T> | undefined {
    const informer =
      (metadataOnly && this.#informers.get(informerId(kind, true))) || this.#informers.get(informerId(kind));
    return informer as unknown as Informer<T> | undefined;
  }

  #metricsOf({ disableReadYourWritesConsistency }: ReadOptions): ReadMetrics | undefined {
    return disableReadYourWritesConsistency ? undefined : this.#options.readMetrics?.();
  }

  /** Waits for the informer of a read, and measures the time. */
  #measured<T extends KubernetesObject>(
    operation: ReadOperation,
    kind: Kind<T>,
    options: ReadOptions,
  ): Promise<Informer<T> | undefined> {
    const read = { operation, metrics: () => this.#metricsOf(options), clock: this.#clock, signal: options.signal };
    return measureRead(read, this.#readable(kind, options));
  }

  /** Returns the synced informer for a read; `undefined` if the API server must answer it. */
  async #readable<T extends KubernetesObject>(kind: Kind<T>, options: ReadOptions): Promise<Informer<T> | undefined> {
    const { metadataOnly, signal } = options;
    let informer = this.#informerOf(kind, metadataOnly);
    const { readsWithoutInformer = "live" } = this.#options;
    if (!informer) {
      if (readsWithoutInformer === "live") return undefined;
      if (readsWithoutInformer === "fail") {
        throw new Error(
          `${kind.kind} has no informer: declare one with cache.inform(${kind.kind}), or watch the kind with a controller`,
        );
      }
      if (!this.#signal) throw new CacheNotStartedError();
      // For a kind that isn't installed, the read fails without creating an informer.
      await this.#resources.of(kind);
      informer = this.#startByRead(kind, metadataOnly);
    }
    if (informer.hasSynced) return informer;
    if (!this.#signal) throw new CacheNotStartedError();
    const limit = linkSignals(...(signal ? [signal, this.#signal] : [this.#signal]));
    const isSynced = await informer.waitForSync(limit.signal).finally(limit.release);
    if (isSynced) return informer;
    throw new Error(`the read of ${kind.kind} was aborted before its cache was in sync`, {
      cause: informer.lastError,
    });
  }
}

function informerId(kind: Kind, metadataOnly = false): string {
  return `${kind.apiVersion}/${kind.kind}${metadataOnly ? metadataSuffix : ""}`;
}
