import type { KubernetesObject } from "../api/index.ts";
import type { MetadataOnly } from "../client/object-types.ts";
import { Controller } from "../controller/controller.ts";
import { type ControllerOptions, settled } from "../controller/options.ts";
import type { Reconciler } from "../controller/reconciler.ts";
import type { EventHandler } from "../handler/event-handler.ts";
import { enqueueRequestForObject } from "../handler/for-object.ts";
import { enqueueRequestForOwner } from "../handler/for-owner.ts";
import { groupKind, type Kind } from "../kind.ts";
import type { Predicate } from "../predicate/predicate.ts";
import type { Request } from "../request.ts";
import { InformerSource, type KindSourceOptions } from "../source/kind-source.ts";
import type { Source } from "../source/source.ts";
import type { ControllerHost } from "./host.ts";

/** Which events of a kind count. */
export interface WatchOptions<T extends KubernetesObject> extends KindSourceOptions<T> {}

/** Which events of owned objects count, and for which owners. */
export interface OwnsOptions<T extends KubernetesObject> extends WatchOptions<T> {
  /** Every owner of the kind counts, not only the one with `controller: true`. */
  matchEveryOwner?: boolean;
}

/** Watches of different kinds stand in one list; each handler only ever sees objects of its own kind. */
interface Watch<R> {
  kind: Kind;
  predicates: readonly Predicate[];
  metadataOnly: boolean | undefined;
  handler: () => EventHandler<KubernetesObject, R> | Promise<EventHandler<KubernetesObject, R>>;
}

/**
 * Puts a controller together: sources, predicates, handlers, queue and reconciler. `R` is what it reconciles: any value that can be
 * compared as JSON.
 */
export class ControllerBuilder<R = Request> {
  /** Never set; keeps builders of different requests apart. */
  declare readonly requestType?: (request: R) => R;
  readonly #host: ControllerHost;
  #for: Kind | undefined;
  #owns = false;
  readonly #watches: Watch<R>[] = [];
  readonly #rawSources: Source<R>[] = [];
  #eventFilters: Predicate[] = [];
  #options: ControllerOptions<R> = {};
  #name: string | undefined;

  constructor(host: ControllerHost) {
    this.#host = host;
  }

  /** The kind that is reconciled: its objects' own events lead to requests. Once. */
  for<T extends KubernetesObject>(
    this: ControllerBuilder<Request>,
    kind: Kind<T>,
    options: WatchOptions<T> = {},
  ): ControllerBuilder<Request> {
    if (this.#for) throw new Error("for(…) can be called once: one controller reconciles one kind");
    this.#for = checkedKind(kind, "for") as Kind;
    // Its log line comes first, wherever it was called.
    this.#watches.unshift(watchOf(kind, () => enqueueRequestForObject(), options));
    return this;
  }

  /** A kind that reconciled objects own: events of what is owned lead to requests for the owner. */
  owns<T extends KubernetesObject>(
    this: ControllerBuilder<Request>,
    kind: Kind<T>,
    options: OwnsOptions<T> = {},
  ): ControllerBuilder<Request> {
    this.#owns = true;
    this.#watches.push(watchOf(checkedKind(kind, "owns"), () => this.#ownerHandler(options), options));
    return this;
  }

  /** Any other kind, and who turns its events into requests. */
  watches<T extends KubernetesObject>(kind: Kind<T>, handler: EventHandler<T, R>, options: WatchOptions<T> = {}): this {
    this.#watches.push(watchOf(checkedKind(kind, "watches"), () => handler, options));
    return this;
  }

  /** As {@link watches}, with `metadata` only: events' objects have neither spec nor status. */
  watchesMetadata<T extends KubernetesObject>(
    kind: Kind<T>,
    handler: EventHandler<MetadataOnly<T>, R>,
    options: WatchOptions<MetadataOnly<T>> = {},
  ): this {
    return this.watches<MetadataOnly<T>>(kind as Kind<MetadataOnly<T>>, handler, { ...options, metadataOnly: true });
  }

  /** A source of any kind. Event filters don't apply to it. */
  watchesRawSource(source: Source<R>): this {
    this.#rawSources.push(source);
    return this;
  }

  /** Events of all kinds must pass it, before the predicates of each watch. */
  withEventFilter(predicate: Predicate): this {
    this.#eventFilters.push(predicate);
    return this;
  }

  /** Options of this controller; those of several calls add up, and win over the manager's defaults. */
  withOptions(options: ControllerOptions<R>): this {
    this.#options = { ...this.#options, ...options };
    return this;
  }

  /** Name in logs and metrics; the kind in lower case by default. Unique in a manager. */
  named(name: string): this {
    this.#name = name;
    return this;
  }

  /** Makes the controller and hands it to the manager. */
  async complete(reconciler: Reconciler<R>): Promise<void> {
    await this.build(reconciler);
  }

  /** As {@link complete}, and gives the controller: for watches that are added later. */
  async build(reconciler: Reconciler<R>): Promise<Controller<R>> {
    this.#check(reconciler);
    const host = this.#host;
    const forKind = this.#for;
    const name = this.#name ?? forKind!.kind.toLowerCase();
    const { groupKindConcurrency = {}, ...defaults } = host.controllerDefaults;
    if (!(this.#options.skipNameValidation ?? defaults.skipNameValidation)) host.claimControllerName(name);
    const concurrency = forKind && groupKindConcurrency[groupKind(forKind)];
    const controller = new Controller({
      ...settled<ControllerOptions<R>>(this.#options, { maxConcurrentReconciles: concurrency }, defaults),
      name,
      reconciler,
      kind: forKind?.kind,
      log: host.logger.with({
        controller: name,
        ...(forKind ? { controllerGroup: forKind.group, controllerKind: forKind.kind } : {}),
      }),
      clock: host.clock,
      metrics: host.controllerMetrics(name),
      tracer: () => host.tracer?.(),
      mayReconcile: () => host.mayReconcile(),
      outage: (signal) => host.cache.outage(signal),
    });
    for (const source of this.#sources()) await controller.watch(source);
    await host.add(controller);
    return controller;
  }

  #check(reconciler: Reconciler<R>): void {
    // Who calls from JavaScript, or casts, may give anything.
    if (typeof (reconciler as Partial<Reconciler<R>> | undefined)?.reconcile !== "function") {
      throw new Error("complete(…) needs a reconciler: an object with a method reconcile(ctx, request)");
    }
    if (this.#owns && !this.#for) throw new Error("owns(…) needs for(…): whose children are these?");
    if (this.#watches.length === 0 && this.#rawSources.length === 0) {
      throw new Error("a controller without for(…) and watches(…) would never do anything");
    }
    if (!this.#for && !this.#name) throw new Error("a controller without for(…) needs a name: named(…)");
  }

  #sources(): Source<R>[] {
    const sources = this.#watches.map(
      ({ kind, predicates, handler, metadataOnly }) =>
        new InformerSource<KubernetesObject, R>({
          informer: this.#host.cache.inform(kind, { metadataOnly }),
          handler,
          predicates: [...this.#eventFilters, ...predicates],
        }),
    );
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
 * Begins a controller of a manager.
 *
 * @example
 * await newControllerManagedBy(mgr).for(Game).owns(Deployment).complete(new GameReconciler(mgr.client));
 */
export function newControllerManagedBy<R = Request>(manager: ControllerHost): ControllerBuilder<R> {
  return new ControllerBuilder<R>(manager);
}

function watchOf<T extends KubernetesObject, R>(
  kind: Kind<T>,
  handler: () => EventHandler<T, R> | Promise<EventHandler<T, R>>,
  { predicates = [], metadataOnly }: WatchOptions<T>,
): Watch<R> {
  return {
    kind: kind as Kind,
    predicates: [...predicates] as unknown as readonly Predicate[],
    metadataOnly,
    handler: handler as Watch<R>["handler"],
  };
}

/** A kind that a module in a circle of imports doesn't have yet is `undefined`, whatever its type says. */
function checkedKind<T extends KubernetesObject>(kind: Kind<T> | undefined, where: string): Kind<T> {
  if (kind?.kind) return kind;
  throw new Error(
    `${where}(…) needs a kind, such as groupVersion("example.com", "v1").kind<Game>("Game"), and got ${kind}: is it imported as a type, or in a circle?`,
  );
}
