import type { KubernetesObject } from "../api/index.ts";
import { groupKind, type Kind } from "../api/kind.ts";
import type { Informer } from "../cache/informer.ts";
import type { ShardUse } from "../cache/shard-keys.ts";
import type { Children } from "../children/children.ts";
import type { ChildEntries } from "../children/types.ts";
import type { MetadataOnly } from "../client/object-types.ts";
import { Controller } from "../controller/controller.ts";
import { type ControllerOptions, settled } from "../controller/options.ts";
import type { EventHandler } from "../handler/event-handler.ts";
import { enqueueRequestForObject } from "../handler/for-object.ts";
import { enqueueRequestForOwner } from "../handler/for-owner.ts";
import type { Predicate } from "../predicate/predicate.ts";
import type { Via } from "../reconcile/inspection.ts";
import type { Reconciler } from "../reconcile/reconciler.ts";
import type { Request } from "../reconcile/request.ts";
import type { ShardGate } from "../reconcile/shard-gate.ts";
import { InformerSource, type KindSourceOptions } from "../source/kind-source.ts";
import type { Source } from "../source/source.ts";
import type { ControllerHost } from "./host.ts";

/** Selects the events of a watched kind. */
export interface WatchOptions<T extends KubernetesObject> extends KindSourceOptions<T> {}

/** Selects the events of a watched kind that isn't owned. */
export interface WatchesOptions<T extends KubernetesObject> extends WatchOptions<T> {
  /**
   * Watches only the objects in the namespaces of this process's shards. Requires sharding by namespace; without sharding,
   * it has no effect.
   *
   * @defaultValue false
   */
  sharded?: boolean;
}

/** Selects the events of owned objects, and the owners that are reconciled. */
export interface OwnsOptions<T extends KubernetesObject> extends WatchOptions<T> {
  /**
   * Reconciles every owner of the kind, not only the one with `controller: true`.
   *
   * @defaultValue false
   */
  matchEveryOwner?: boolean;
}

/** Watches of different kinds are in one list. Each handler only receives objects of its own kind. */
interface Watch<R> {
  kind: Kind;
  predicates: readonly Predicate[];
  metadataOnly: boolean | undefined;
  /** Whether only the objects in the namespaces of this process are watched. */
  isSharded: boolean;
  /** Whether the owners of an object can be several. */
  matchEveryOwner: boolean;
  via: Via;
  handler: () => EventHandler<KubernetesObject, R> | Promise<EventHandler<KubernetesObject, R>>;
}

/**
 * Builds a controller from sources, predicates, handlers, a queue and a reconciler. `R` is the request type: any value
 * that can be compared as JSON.
 */
export class ControllerBuilder<R = Request> {
  /** Never set. Makes builders of different request types incompatible. */
  declare readonly requestType?: (request: R) => R;
  readonly #host: ControllerHost;
  #for: Kind | undefined;
  #owns = false;
  readonly #watches: Watch<R>[] = [];
  readonly #children: Children[] = [];
  readonly #rawSources: Source<R>[] = [];
  #eventFilters: Predicate[] = [];
  #options: ControllerOptions<R> = {};
  #name: string | undefined;

  /**
   * Creates a builder. Use {@link newControllerManagedBy} instead.
   *
   * @param host - the manager that runs the controller
   */
  constructor(host: ControllerHost) {
    this.#host = host;
  }

  /**
   * Sets the kind to reconcile: the events of its objects cause requests for them. Can be called once.
   *
   * @param kind - the kind
   * @param options - predicates, and whether only metadata is watched
   * @returns this builder
   * @throws Error if the kind is `undefined`, or if `for` was called before
   */
  for<T extends KubernetesObject>(
    this: ControllerBuilder<Request>,
    kind: Kind<T>,
    options: WatchOptions<T> = {},
  ): ControllerBuilder<Request> {
    if (this.#for) throw new Error("for(…) can be called once: one controller reconciles one kind");
    this.#for = checkedKind(kind, "for") as Kind;
    // Adds the watch first, so that its log line precedes those of the others.
    this.#watches.unshift(watchOf("for", kind, () => enqueueRequestForObject(), options));
    return this;
  }

  /**
   * Watches a kind whose objects are owned by the reconciled kind: their events cause requests for the owner.
   *
   * @param kind - the owned kind
   * @param options - predicates, whether only metadata is watched, and which owners are reconciled
   * @returns this builder
   * @throws Error if the kind is `undefined`
   */
  owns<T extends KubernetesObject>(
    this: ControllerBuilder<Request>,
    kind: Kind<T>,
    options: OwnsOptions<T> = {},
  ): ControllerBuilder<Request> {
    this.#owns = true;
    this.#watches.push(watchOf("owns", checkedKind(kind, "owns"), () => this.#ownerHandler(options), options));
    return this;
  }

  /**
   * Manages the children of the reconciled kind that {@link childrenOf} declares: watches their kinds, and reconciles the owner of
   * a child when the child changes. It replaces {@link owns} for these kinds. Event filters don't apply to children, because the
   * readiness of a child depends on its status.
   *
   * @param children - the declaration, whose owner is the kind of {@link for}
   * @returns this builder
   *
   * @example
   * const gameChildren = childrenOf(Game, { deployment: Deployment });
   * await newControllerManagedBy(mgr).for(Game).manages(gameChildren).complete(new GameReconciler(mgr.client));
   */
  manages<O extends KubernetesObject, E extends ChildEntries>(
    this: ControllerBuilder<Request>,
    children: Children<O, E>,
  ): ControllerBuilder<Request> {
    this.#children.push(children as unknown as Children);
    return this;
  }

  /**
   * Watches any other kind.
   *
   * @param kind - the kind to watch
   * @param handler - turns its events into requests
   * @param options - predicates, whether only metadata is watched, and whether only in the namespaces of this process
   * @returns this builder
   * @throws Error if the kind is `undefined`
   */
  watches<T extends KubernetesObject>(
    kind: Kind<T>,
    handler: EventHandler<T, R>,
    options: WatchesOptions<T> = {},
  ): this {
    this.#watches.push(watchOf("watches", checkedKind(kind, "watches"), () => handler, options));
    return this;
  }

  /**
   * Watches only the `metadata` of a kind: objects in events have neither spec nor status.
   *
   * @param kind - the kind to watch
   * @param handler - turns its events into requests
   * @param options - predicates
   * @returns this builder
   * @throws Error if the kind is `undefined`
   */
  watchesMetadata<T extends KubernetesObject>(
    kind: Kind<T>,
    handler: EventHandler<MetadataOnly<T>, R>,
    options: WatchOptions<MetadataOnly<T>> = {},
  ): this {
    return this.watches<MetadataOnly<T>>(kind as Kind<MetadataOnly<T>>, handler, { ...options, metadataOnly: true });
  }

  /**
   * Adds a source, such as a {@link channelSource}. Event filters don't apply to it.
   *
   * @param source - the source
   * @returns this builder
   */
  watchesRawSource(source: Source<R>): this {
    this.#rawSources.push(source);
    return this;
  }

  /**
   * Adds an event filter: the events of all kinds must pass it, before the predicates of each watch.
   *
   * @param predicate - the filter
   * @returns this builder
   */
  withEventFilter(predicate: Predicate): this {
    this.#eventFilters.push(predicate);
    return this;
  }

  /**
   * Sets options of this controller, which take precedence over the manager's defaults. Options of several calls are
   * merged.
   *
   * @param options - the options
   * @returns this builder
   */
  withOptions(options: ControllerOptions<R>): this {
    this.#options = { ...this.#options, ...options };
    return this;
  }

  /**
   * Sets the name in logs and metrics, which must be unique in the manager. The default is the kind in lowercase.
   *
   * @param name - the name
   * @returns this builder
   */
  named(name: string): this {
    this.#name = name;
    return this;
  }

  /**
   * Creates the controller and adds it to the manager.
   *
   * @param reconciler - reconciles the requests
   * @throws Error if the controller has no kind to watch, no name or no reconciler, or if its name is already used
   */
  async complete(reconciler: Reconciler<R>): Promise<void> {
    await this.build(reconciler);
  }

  /**
   * Creates the controller, adds it to the manager and returns it, to add watches later. Rejects like {@link complete}.
   *
   * @param reconciler - reconciles the requests
   * @returns the controller
   */
  async build(reconciler: Reconciler<R>): Promise<Controller<R>> {
    this.#check(reconciler);
    const host = this.#host;
    const forKind = this.#for;
    const name = this.#name ?? forKind!.kind.toLowerCase();
    const { groupKindConcurrency = {}, ...defaults } = host.controllerDefaults;
    if (!(this.#options.skipNameValidation ?? defaults.skipNameValidation)) host.claimControllerName(name);
    const concurrency = forKind && groupKindConcurrency[groupKind(forKind)];
    const metrics = host.controllerMetrics(name);
    const shards = this.#shardGate();
    const controller = new Controller({
      ...settled<ControllerOptions<R>>(this.#options, { maxConcurrentReconciles: concurrency }, defaults),
      ...(shards ? { shards, needLeaderElection: false } : {}),
      name,
      reconciler,
      kind: forKind?.kind,
      log: host.logger.with({
        controller: name,
        ...(forKind ? { controllerGroup: forKind.group, controllerKind: forKind.kind } : {}),
      }),
      clock: host.clock,
      random: host.random,
      metrics,
      tracer: () => host.tracer?.(),
      mayReconcile: () => host.mayReconcile(),
      outage: (signal) => host.cache.outage(signal),
      inspection: host.inspectController?.<R>(name, forKind),
    });
    for (const source of this.#sources()) await controller.watch(source);
    for (const children of this.#children) {
      const shard = this.#isSharded ? { owner: this.#for as Kind } : undefined;
      const link = children.manage(host, name, (child, action) => metrics.child(child, action), shard);
      // The requests of manages(…) are those of for(…).
      await controller.watch(link as unknown as Source<R>);
    }
    await host.add(controller);
    return controller;
  }

  /** Whether all replicas share the objects. Only requests of `for` lead to the owner of their object. */
  get #isSharded(): boolean {
    return this.#host.shardHost !== undefined && this.#for !== undefined && this.#options.sharded !== false;
  }

  #shardGate(): ShardGate<R> | undefined {
    const { shardHost, cache } = this.#host;
    const watch = this.#watches.find(({ via }) => via === "for");
    if (!this.#isSharded || !shardHost || !watch) return undefined;
    const { kind, metadataOnly } = watch;
    const informer = cache.inform(kind, { metadataOnly, shard: "reconciled" });
    return shardHost.gate(
      kind,
      informer as unknown as Informer<KubernetesObject>,
    ) as ShardGate<unknown> as ShardGate<R>;
  }

  #shardUse({ via, isSharded, matchEveryOwner }: Watch<R>): ShardUse | undefined {
    if (!this.#isSharded) return undefined;
    if (via === "for") return "reconciled";
    if (via === "owns") return { owner: this.#for!, matchEveryOwner };
    return isSharded ? "namespace" : undefined;
  }

  #check(reconciler: Reconciler<R>): void {
    // JavaScript callers can pass anything.
    if (typeof (reconciler as Partial<Reconciler<R>> | undefined)?.reconcile !== "function") {
      throw new Error("complete(…) requires a reconciler: an object with a method reconcile(ctx, request)");
    }
    if (this.#owns && !this.#for) throw new Error("owns(…) requires for(…): it enqueues the owners of that kind");
    this.#checkChildren();
    const sharded = this.#watches.find(({ isSharded }) => isSharded);
    if (sharded && this.#host.shardHost?.key === "uid") {
      throw new Error(`watches(${sharded.kind.kind}, …, { sharded: true }) requires sharding.key "namespace"`);
    }
    if (this.#watches.length === 0 && this.#rawSources.length === 0) {
      throw new Error("the controller watches nothing: call for(…), watches(…) or watchesRawSource(…)");
    }
    if (!this.#for && !this.#name) throw new Error("the controller has no name: without for(…), set one with named(…)");
  }

  #checkChildren(): void {
    const kind = this.#for;
    const managers = new Set<string>();
    for (const { owner, declared } of this.#children) {
      if (!kind || groupKind(owner) !== groupKind(kind)) {
        throw new Error(`manages(…) requires for(${owner.kind}): it enqueues the owners of the children`);
      }
      if (managers.has(declared.fieldOwner)) {
        throw new Error(
          `manages(…): two declarations have the fieldOwner ${declared.fieldOwner} and would delete the children of each other: set another one`,
        );
      }
      managers.add(declared.fieldOwner);
    }
  }

  #sources(): Source<R>[] {
    const sources = this.#watches.map((watch) => {
      const { kind, predicates, handler, metadataOnly, via } = watch;
      return new InformerSource<KubernetesObject, R>({
        informer: this.#host.cache.inform(kind, { metadataOnly, shard: this.#shardUse(watch) }),
        handler,
        predicates: [...this.#eventFilters, ...predicates],
        via,
      });
    });
    return [...sources, ...this.#rawSources];
  }

  async #ownerHandler(options: { matchEveryOwner?: boolean }): Promise<EventHandler> {
    const { group, version, kind, scope } = this.#for!;
    const namespaced =
      scope === undefined ? (await this.#host.mapper.mapping(group, version, kind)).namespaced : scope === "Namespaced";
    return enqueueRequestForOwner({ group, kind, namespaced }, { onlyControllerOwner: !options.matchEveryOwner });
  }
}

/**
 * Starts to build a controller.
 *
 * @param manager - the manager that runs the controller
 * @returns a builder; {@link ControllerBuilder.complete} adds the controller to the manager
 *
 * @example
 * await newControllerManagedBy(mgr).for(Game).owns(Deployment).complete(new GameReconciler(mgr.client));
 */
export function newControllerManagedBy<R = Request>(manager: ControllerHost): ControllerBuilder<R> {
  return new ControllerBuilder<R>(manager);
}

function watchOf<T extends KubernetesObject, R>(
  via: Via,
  kind: Kind<T>,
  handler: () => EventHandler<T, R> | Promise<EventHandler<T, R>>,
  { predicates = [], metadataOnly, matchEveryOwner = false, sharded = false }: WatchesOptions<T> & OwnsOptions<T>,
): Watch<R> {
  return {
    kind: kind as Kind,
    predicates: [...predicates] as unknown as readonly Predicate[],
    metadataOnly,
    isSharded: sharded,
    matchEveryOwner,
    via,
    handler: handler as Watch<R>["handler"],
  };
}

/**
 * Checks that a kind is defined. In a cycle of imports, a kind of a module that isn't evaluated yet is `undefined`,
 * regardless of its type.
 */
function checkedKind<T extends KubernetesObject>(kind: Kind<T> | undefined, where: string): Kind<T> {
  if (kind?.kind) return kind;
  throw new Error(
    `${where}(…) requires a kind, such as groupVersion("example.com", "v1").kind<Game>("Game"), and got ${kind}: check for a type-only import or a cycle of imports`,
  );
}
