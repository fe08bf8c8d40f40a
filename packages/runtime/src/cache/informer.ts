import type { KubernetesObject } from "../api/index.ts";
import { groupKind, type Kind } from "../api/kind.ts";
import type { Resource } from "../client/resource.ts";
import { abortController, newController } from "../clock/abort.ts";
import { sleep, type Timer } from "../clock/clock.ts";
import { systemRandom } from "../clock/random.ts";
import { isTransportError } from "../errors/transport-error.ts";
import { deepFreeze } from "../json/freeze.ts";
import { AppliedFieldsKeeper } from "./applied-fields.ts";
import type { InformerOptions } from "./informer-options.ts";
import type { InformerShards } from "./informer-shards.ts";
import { LineBudget } from "./line-budget.ts";
import { OwnWrites } from "./own-writes.ts";
import { Reflector } from "./reflector.ts";
import { HandlerRegistration, type InformerHandler, type Notification, type Registration } from "./registration.ts";
import type { RunningScope } from "./running-scope.ts";
import { coversNamespace, type InformerScope, scopeMatcher } from "./scope.ts";
import { SetAside } from "./set-aside.ts";
import type { ShardTarget } from "./shard-scope.ts";
import { type IndexFunc, keyOf, Store } from "./store.ts";
import { versionNumber } from "./version.ts";

/** Keeps the objects of one kind up to date and calls handlers for their changes. */
export class Informer<T extends KubernetesObject = KubernetesObject> {
  /** The kind. */
  readonly kind: Kind<T>;
  /** Resource of the kind. Unset until the informer has started. @internal */
  resource: Resource | undefined;
  /** The objects. @internal */
  readonly store: Store<T>;
  /** Responses to writes of this process that the watch hasn't delivered yet. @internal */
  readonly ownWrites: OwnWrites<T>;
  /** Keeps what field managers have applied to the objects. @internal */
  readonly appliedFields: AppliedFieldsKeeper = new AppliedFieldsKeeper();
  /** Resolves when the initial list is in the store. */
  readonly synced: Promise<void>;
  /** Resolves when the first attempt to list has ended: the list is in the store, or {@link lastError} contains why not. @internal */
  readonly attempted: Promise<void>;
  readonly #options: InformerOptions<T>;
  readonly #registrations = new Set<HandlerRegistration<T>>();
  readonly #controller: AbortController = newController();
  readonly #setAside: SetAside;
  #resolveSynced: () => void = () => {};
  #resolveAttempted: () => void = () => {};
  #hasSynced = false;
  /** Called when the initial list is in the store. */
  readonly #syncListeners = new Set<() => void>();
  #scopes: RunningScope[] = [];
  #running: Promise<void> | undefined;
  #scopeError: unknown;
  #resyncTimer: Timer | undefined;

  /**
   * Creates an informer. Users call {@link InformerCache.inform}.
   *
   * @internal
   */
  static create<T extends KubernetesObject>(options: InformerOptions<T>): Informer<T> {
    return new Informer(options);
  }

  private constructor(options: InformerOptions<T>) {
    this.kind = options.kind;
    this.#options = options;
    const { clock, log, metrics } = options;
    const kind = groupKind(options.kind);
    const indexLines = new LineBudget(() => clock.now());
    this.store = new Store((error, index, object) => {
      metrics?.()?.indexFailed(kind);
      const { namespace, name } = object.metadata ?? {};
      const message = "Index function failed, the object isn't found by this index";
      indexLines.write((fields) => log.error(error, message, fields), { index, namespace, name });
    });
    this.#setAside = new SetAside({
      log,
      now: () => clock.now(),
      changed: (delta) => metrics?.()?.setAside(kind, delta),
    });
    this.ownWrites = new OwnWrites(this.store, () => options.clock.now());
    this.synced = new Promise((resolve) => {
      this.#resolveSynced = resolve;
    });
    this.attempted = new Promise((resolve) => {
      this.#resolveAttempted = resolve;
    });
  }

  /** Whether the initial list is in the store. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /**
   * Waits for the initial list. Unlike a callback of {@link synced}, a wait that the signal ends leaves nothing in memory: a
   * kind that isn't installed may be read for days.
   *
   * @param signal - ends the wait
   * @returns `true` if the list is in the store, `false` if the signal aborted first
   * @internal
   */
  waitForSync(signal: AbortSignal): Promise<boolean> {
    if (this.#hasSynced || signal.aborted) return Promise.resolve(this.#hasSynced);
    return new Promise((resolve) => {
      const done = (): void => {
        this.#syncListeners.delete(done);
        signal.removeEventListener("abort", done);
        resolve(this.#hasSynced);
      };
      this.#syncListeners.add(done);
      signal.addEventListener("abort", done, { once: true });
    });
  }

  /** The shards of this process, if the manager has some. @internal */
  get shards(): InformerShards | undefined {
    return this.#options.shards;
  }

  /** Whether {@link start} was called. */
  get started(): boolean {
    return this.#running !== undefined;
  }

  /** Reason why the informer isn't in sync, if there is one. */
  get lastError(): unknown {
    return this.#scopeError ?? this.#scopes.map(({ reflector }) => reflector.lastError).find(Boolean);
  }

  /**
   * Starts to watch. Later calls have no effect. It ends when the signal aborts or {@link stop} is called.
   *
   * @param signal - stops the informer
   */
  start(signal: AbortSignal): void {
    if (this.#running) return;
    const stop = (): void => abortController(this.#controller);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    this.#running = this.#run().finally(() => signal.removeEventListener("abort", stop));
  }

  /** Stops to watch. Resolves when all watches are closed. */
  async stop(): Promise<void> {
    abortController(this.#controller);
    await this.#running;
  }

  /**
   * Adds a handler, which is called for all existing objects and then for every change. The events of one object come
   * one at a time, in order.
   *
   * @param handler - receives the events
   * @returns the registration, which removes the handler
   */
  addHandler(handler: InformerHandler<T>): Registration {
    const { clock, log, metrics, random } = this.#options;
    const registration: HandlerRegistration<T> = new HandlerRegistration(handler, {
      clock,
      log,
      metrics,
      random,
      kind: groupKind(this.kind),
      onRemove: () => this.#registrations.delete(registration),
    });
    for (const object of this.store.values()) {
      registration.notify({ type: "create", event: { object, isInInitialList: true } });
    }
    if (this.#hasSynced) registration.notify("initial-list-end");
    this.#registrations.add(registration);
    return registration;
  }

  /**
   * Adds an index.
   *
   * @param name - the field, without a leading dot
   * @param values - returns the values of an object
   */
  addIndex(name: string, values: IndexFunc<T>): void {
    this.store.addIndex(name, values);
  }

  /**
   * Returns whether the informer can contain objects of a namespace. It returns `true` until the scopes are known.
   *
   * @param namespace - the namespace
   * @returns whether a scope includes it
   * @internal
   */
  covers(namespace: string): boolean {
    return this.#scopes.length === 0 || this.#scopes.some(({ scope }) => coversNamespace(scope, namespace));
  }

  /**
   * Records the response to a write of this process; see {@link OwnWrites}.
   *
   * @param answer - the stored object
   * @internal
   */
  wrote(answer: KubernetesObject): void {
    const scope = this.#scopeOf(answer);
    if (!scope || this.#options.shards?.holds(answer) === false) return;
    const matches = scope.matches(answer);
    const { uid, resourceVersion } = answer.metadata ?? {};
    if (matches === false && uid) this.ownWrites.left(keyOf(answer), uid, resourceVersion);
    if (matches === false || (matches === undefined && !this.store.get(keyOf(answer)))) return;
    const object = this.#prepare(scope, answer);
    if (object) this.ownWrites.wrote(object, scope.version);
  }

  async #run(): Promise<void> {
    const signal = this.#controller.signal;
    const scopes = await this.#resolveScopes(signal);
    if (signal.aborted) return;
    this.#scopes = scopes.map((scope) => this.#runningScope(scope));
    if (this.#scopes.length === 0) this.#onSynced();
    this.#options.shards?.ready();
    this.#armResync();
    await Promise.all(this.#scopes.map((scope) => scope.run(signal)));
    this.#options.clock.clearTimeout(this.#resyncTimer);
  }

  async #resolveScopes(signal: AbortSignal): Promise<readonly InformerScope[]> {
    const { clock, log, gate } = this.#options;
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        const scopes = await this.#options.scopes();
        await this.#options.shards?.resolve();
        this.#scopeError = undefined;
        return scopes;
      } catch (error) {
        if (failures === 0) log.warn("Failed to look up the kind", { error: (error as Error).message });
        this.#scopeError = error;
        this.#resolveAttempted();
        // The CRD of an unknown kind may be installed later. If the server is unreachable, the gate waits for it.
        if (isTransportError(error)) await gate.wait(signal);
        await sleep(clock, Math.min(250 * 2 ** failures, 10_000), signal);
      }
    }
    return [];
  }

  #runningScope(scope: InformerScope): RunningScope {
    const { listWatch, gate, clock, log, random, shards } = this.#options;
    const onError = (error: unknown): void => {
      this.#resolveAttempted();
      this.#options.onError?.(error);
    };
    const target: ShardTarget = {
      replace: (objects) => this.#replace(running, objects as T[]),
      set: (object) => this.#set(running, object as T, false),
      remove: (object) => this.#remove(running, object as T),
      progress: (version) => this.#progress(running, version),
      add: (object) => this.#set(running, object as T, true),
      has: (object) => this.store.get(keyOf(object)) !== undefined,
      drop: (isDropped) => this.#drop(isDropped),
    };
    const shared = { gate, clock, log, random, onError };
    const running: RunningScope = {
      scope,
      matches: scopeMatcher(scope),
      listed: false,
      version: undefined,
      reflector: new Reflector({ ...shared, listWatch: listWatch(scope), target }),
      run: (signal) => running.reflector.run(signal),
    };
    if (!shards?.isActive) return running;
    const shard = shards.scope(listWatch(scope), target, (filtered, filter) => {
      running.reflector = new Reflector({ ...shared, listWatch: filtered, target: filter, isConsistent: true });
      return running.reflector;
    });
    running.run = (signal) => shard.run(signal);
    return running;
  }

  #replace(running: RunningScope, objects: T[]): void {
    const present = new Set(objects.map(keyOf));
    this.#setAside.keep((key, namespace) => present.has(key) || !coversNamespace(running.scope, namespace));
    // Applies deletions first. The store is never emptied in between, because a reader would assume that all objects were
    // deleted.
    for (const key of [...this.store.keys()]) {
      const object = this.store.get(key)!;
      if (present.has(key) || !coversNamespace(running.scope, object.metadata?.namespace ?? "")) continue;
      this.store.delete(key);
      this.ownWrites.sawDeletion(key, object.metadata?.uid);
      this.#notify({ type: "delete", event: { object, deleteStateUnknown: true } });
    }
    const isInitial = !running.listed;
    for (const object of objects) this.#set(running, object, isInitial);
    running.listed = true;
    if (!this.#hasSynced && this.#scopes.every(({ listed }) => listed)) this.#onSynced();
  }

  #onSynced(): void {
    this.#hasSynced = true;
    this.#resolveSynced();
    this.#resolveAttempted();
    for (const listener of this.#syncListeners) listener();
    for (const registration of this.#registrations) registration.notify("initial-list-end");
  }

  #set(running: RunningScope, received: T, isInInitialList: boolean): void {
    const version = received.metadata?.resourceVersion;
    const old = this.store.get(keyOf(received));
    // A relist repeats known objects.
    if (old && old.metadata?.resourceVersion === version && old.metadata?.uid === received.metadata?.uid) return;
    const object = this.#prepare(running, received);
    // Keeps the last state that could be prepared: an object that disappears from the cache would appear deleted.
    if (!object) return;
    const oldObject = this.store.set(object);
    if (this.ownWrites.size > 0) this.ownWrites.delivered(object);
    if (oldObject) this.#notify({ type: "update", event: { oldObject, object } });
    else this.#notify({ type: "create", event: { object, isInInitialList } });
  }

  #remove(running: RunningScope, last: T): void {
    const key = keyOf(last);
    this.ownWrites.sawDeletion(key, last.metadata?.uid);
    const deleted = this.store.delete(key);
    if (deleted) {
      const object = this.#prepare(running, last);
      this.#notify({ type: "delete", event: { object: object ?? deleted, deleteStateUnknown: object === undefined } });
    }
    this.#setAside.release(key);
  }

  #progress(running: RunningScope, resourceVersion: string): void {
    running.version = versionNumber(resourceVersion);
    if (this.ownWrites.size === 0) return;
    const { scope } = running;
    const covers = (object: T): boolean => coversNamespace(scope, object.metadata?.namespace ?? "");
    const gone = this.ownWrites.seen(running.version, this.#scopes.length === 1 ? undefined : covers);
    for (const object of gone) {
      this.#notify({ type: "create", event: { object, isInInitialList: false } });
      this.#notify({ type: "delete", event: { object, deleteStateUnknown: true } });
    }
  }

  /** Returns the object as it is stored; `undefined` if the user's transform fails, in which case the object is set aside. */
  #prepare({ scope }: RunningScope, received: KubernetesObject): T | undefined {
    const { kind } = this.#options;
    received.apiVersion = kind.apiVersion;
    received.kind = kind.kind;
    // The transform can change the object, even its name.
    const { namespace, name, resourceVersion } = received.metadata ?? {};
    const key = keyOf(received);
    try {
      // The transform removes the managed fields.
      const applied = this.appliedFields.isUsed ? this.appliedFields.read(received) : undefined;
      const object = scope.transform ? scope.transform(received) : received;
      if (typeof object?.metadata !== "object" || keyOf(object) !== key) {
        throw new TypeError("the transform must return the object with its name and namespace");
      }
      deepFreeze(object);
      if (applied) this.appliedFields.keep(object, applied);
      this.#setAside.release(key);
      return object as T;
    } catch (error) {
      this.#setAside.add(key, { namespace, name, resourceVersion }, error);
      return undefined;
    }
  }

  /** Drops objects without events. */
  #drop(isDropped: (object: KubernetesObject) => boolean): void {
    for (const object of [...this.store.values()]) if (isDropped(object)) this.store.delete(keyOf(object));
    this.ownWrites.drop(isDropped);
  }

  #notify(notification: Notification<T>): void {
    for (const registration of this.#registrations) registration.notify(notification);
  }

  #scopeOf(object: KubernetesObject): RunningScope | undefined {
    const namespace = object.metadata?.namespace ?? "";
    return this.#scopes.find(({ scope }) => coversNamespace(scope, namespace));
  }

  #armResync(): void {
    const { syncPeriod, clock, random = systemRandom } = this.#options;
    if (!syncPeriod) return;
    this.#resyncTimer = clock.setTimeout(
      () => {
        for (const object of this.store.values()) {
          this.#notify({ type: "update", event: { oldObject: object, object } });
        }
        this.#armResync();
      },
      syncPeriod * (0.9 + 0.2 * random()),
    );
    this.#resyncTimer.unref();
  }
}
