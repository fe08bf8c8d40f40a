import type { KubernetesObject } from "../api/index.ts";
import { Controller } from "../controller/controller.ts";
import type { ControllerOptions } from "../controller/options.ts";
import type { Reconciler } from "../controller/reconciler.ts";
import type { EventHandler } from "../handler/event-handler.ts";
import { enqueueRequestForObject } from "../handler/for-object.ts";
import { enqueueRequestForOwner } from "../handler/for-owner.ts";
import type { Kind } from "../kind.ts";
import type { Predicate } from "../predicate/predicate.ts";
import { KindSource } from "../source/kind-source.ts";
import type { Source } from "../source/source.ts";
import type { ControllerHost } from "./host.ts";

export interface WatchOptions<T extends KubernetesObject> {
  /** Events must pass all of them to reach the handler. */
  predicates?: readonly Predicate<T>[];
}

export interface OwnsOptions<T extends KubernetesObject> extends WatchOptions<T> {
  /** Every owner of the kind counts, not only the one with `controller: true`. */
  matchEveryOwner?: boolean;
}

interface Watch {
  kind: Kind;
  predicates: readonly Predicate[];
  handler: () => EventHandler | Promise<EventHandler>;
  metadataOnly?: boolean;
}

/** Puts a controller together: sources, predicates, handlers, queue and reconciler. */
export class ControllerBuilder {
  readonly #host: ControllerHost;
  #for: { kind: Kind; predicates: readonly Predicate[] } | undefined;
  readonly #owns: { kind: Kind; options: OwnsOptions<KubernetesObject> }[] = [];
  readonly #watches: Watch[] = [];
  readonly #rawSources: Source[] = [];
  #eventFilters: Predicate[] = [];
  #options: ControllerOptions = {};
  #name: string | undefined;

  constructor(host: ControllerHost) {
    this.#host = host;
  }

  /** The kind that is reconciled: its objects' own events lead to requests. Once. */
  for<T extends KubernetesObject>(kind: Kind<T>, options: WatchOptions<T> = {}): this {
    if (this.#for) throw new Error("for(…) can be called once: one controller reconciles one kind");
    this.#for = { kind: kind as Kind, predicates: erased(options.predicates) };
    return this;
  }

  /** A kind that reconciled objects own: events of what is owned lead to requests for the owner. */
  owns<T extends KubernetesObject>(kind: Kind<T>, options: OwnsOptions<T> = {}): this {
    this.#owns.push({
      kind: kind as Kind,
      options: { ...options, predicates: erased(options.predicates) },
    });
    return this;
  }

  /** Any other kind, and who turns its events into requests. */
  watches<T extends KubernetesObject>(kind: Kind<T>, handler: EventHandler<T>, options: WatchOptions<T> = {}): this {
    this.#watches.push(this.#watch(kind, handler, options));
    return this;
  }

  /** As {@link watches}, with `metadata` only: events' objects have neither spec nor status. */
  watchesMetadata<T extends KubernetesObject>(
    kind: Kind<T>,
    handler: EventHandler<T>,
    options: WatchOptions<T> = {},
  ): this {
    this.#watches.push({ ...this.#watch(kind, handler, options), metadataOnly: true });
    return this;
  }

  /** A source of any kind. Event filters don't apply to it. */
  watchesRawSource(source: Source): this {
    this.#rawSources.push(source);
    return this;
  }

  /** Events of all kinds must pass it, before the predicates of each watch. */
  withEventFilter(predicate: Predicate): this {
    this.#eventFilters.push(predicate);
    return this;
  }

  withOptions(options: ControllerOptions): this {
    this.#options = { ...this.#options, ...options };
    return this;
  }

  /** Name in logs and metrics; the kind in lower case by default. Unique in a manager. */
  named(name: string): this {
    this.#name = name;
    return this;
  }

  /** Makes the controller and hands it to the manager. */
  async complete(reconciler: Reconciler): Promise<void> {
    await this.build(reconciler);
  }

  /** As {@link complete}, and gives the controller: for watches that are added later. */
  async build(reconciler: Reconciler): Promise<Controller> {
    this.#check();
    const host = this.#host;
    const forKind = this.#for?.kind;
    const name = this.#name ?? forKind!.kind.toLowerCase();
    host.claimControllerName(name);
    const { groupKindConcurrency = {}, ...defaults } = host.controllerDefaults;
    const concurrency = forKind && groupKindConcurrency[concurrencyKey(forKind)];
    const controller = new Controller({
      ...defaults,
      ...(concurrency === undefined ? {} : { maxConcurrentReconciles: concurrency }),
      ...this.#options,
      name,
      reconciler,
      kind: forKind?.kind,
      log: host.logger.with({
        controller: name,
        ...(forKind ? { controllerGroup: forKind.group, controllerKind: forKind.kind } : {}),
      }),
      clock: host.clock,
      metrics: host.controllerMetrics(name),
      mayReconcile: () => host.mayReconcile(),
    });
    for (const source of this.#sources()) await controller.watch(source);
    await host.add(controller);
    return controller;
  }

  #check(): void {
    if (this.#owns.length > 0 && !this.#for) throw new Error("owns(…) needs for(…): whose children are these?");
    if (!this.#for && this.#watches.length === 0 && this.#rawSources.length === 0) {
      throw new Error("a controller without for(…) and watches(…) would never do anything");
    }
    if (!this.#for && !this.#name) throw new Error("a controller without for(…) needs a name: named(…)");
  }

  #sources(): Source[] {
    const watches: Watch[] = [];
    if (this.#for) watches.push({ ...this.#for, handler: () => enqueueRequestForObject() });
    for (const { kind, options } of this.#owns) {
      watches.push({ kind, predicates: options.predicates ?? [], handler: () => this.#ownerHandler(options) });
    }
    watches.push(...this.#watches);
    const sources = watches.map(
      ({ kind, predicates, handler, metadataOnly }) =>
        new KindSource({
          informer: this.#host.cache.inform(kind, { metadataOnly }),
          handler,
          predicates: [...this.#eventFilters, ...predicates],
        }),
    );
    return [...sources, ...this.#rawSources];
  }

  async #ownerHandler(options: OwnsOptions<KubernetesObject>): Promise<EventHandler> {
    const { group, version, kind, scope } = this.#for!.kind;
    const namespaced =
      scope === undefined ? (await this.#host.mapper.mapping(group, version, kind)).namespaced : scope === "Namespaced";
    return enqueueRequestForOwner({ group, kind, namespaced }, { onlyControllerOwner: !options.matchEveryOwner });
  }

  #watch<T extends KubernetesObject>(kind: Kind<T>, handler: EventHandler<T>, options: WatchOptions<T>): Watch {
    return {
      kind: kind as Kind,
      predicates: erased(options.predicates),
      handler: () => handler as EventHandler,
    };
  }
}

/** Begins a controller of a manager. */
export function newControllerManagedBy(manager: ControllerHost): ControllerBuilder {
  return new ControllerBuilder(manager);
}

// Watches of different kinds stand in one list; each handler only ever sees objects of its own kind.
function erased<T extends KubernetesObject>(predicates: readonly Predicate<T>[] = []): readonly Predicate[] {
  return [...predicates] as unknown as readonly Predicate[];
}

/** `Kind.group`, as controller-runtime's configuration names it; the bare kind in the core group. */
function concurrencyKey({ group, kind }: Kind): string {
  return group === "" ? kind : `${kind}.${group}`;
}
