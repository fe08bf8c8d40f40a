import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import type { InformerCache } from "../cache/cache.ts";
import type { Informer } from "../cache/informer.ts";
import type { Registration } from "../cache/registration.ts";
import type { WholeObjects } from "../client/client.ts";
import { unlessAborted } from "../clock/abort.ts";
import type { EventHandler } from "../handler/event-handler.ts";
import { errorText } from "../log/error-text.ts";
import { type AnyEvent, passes } from "../predicate/combine.ts";
import type { Predicate } from "../predicate/predicate.ts";
import type { AddOnlyQueue } from "../queue/queue.ts";
import type { Via } from "../reconcile/inspection.ts";
import type { Request } from "../reconcile/request.ts";
import type { Source, SourceContext } from "./source.ts";

export interface InformerSourceOptions<T extends KubernetesObject, R> {
  informer: Informer<T>;
  /** Returns the handler. Called when the source starts, since the scope of an owner must be discovered first. */
  handler: () => EventHandler<T, R> | Promise<EventHandler<T, R>>;
  /** Predicates that events must pass, in order. */
  predicates?: readonly Predicate<T>[];
  /** The call of the builder that created the source. */
  via?: Via;
}

/** Selects the events of a kind, and the watched part of its objects. */
export interface KindSourceOptions<T extends KubernetesObject> {
  /**
   * Predicates that events must pass to reach the handler.
   *
   * @defaultValue none
   */
  predicates?: readonly Predicate<T>[];
  /**
   * Watches only `metadata`: objects in events have neither spec nor status. In a builder, `watchesMetadata` has the
   * types for it.
   *
   * @defaultValue false
   */
  metadataOnly?: boolean;
}

/**
 * Creates a source of the events of a kind in a cache, to watch other clusters or to add watches at run time.
 *
 * @param cache - the cache, such as that of a {@link Cluster}
 * @param kind - the kind
 * @param handler - turns the events into requests
 * @param options - see {@link KindSourceOptions}
 * @returns the source
 *
 * @example
 * const west = await Cluster.create(westConfig);
 * await mgr.add(west);
 * builder.watchesRawSource(kindSource(west.cache, Pod, inCluster("west", enqueueRequestForObject())));
 */
export function kindSource<T extends KubernetesObject, R = Request>(
  cache: Pick<InformerCache, "inform">,
  kind: Kind<T>,
  handler: EventHandler<T, R>,
  options: KindSourceOptions<T> = {},
): Source<R> {
  const { predicates, metadataOnly } = options;
  return new InformerSource({
    informer: cache.inform(kind, { metadataOnly } as WholeObjects),
    handler: () => handler,
    predicates,
  });
}

/** Produces the events of an informer. */
export class InformerSource<T extends KubernetesObject, R = Request> implements Source<R> {
  readonly name: string;
  readonly #options: InformerSourceOptions<T, R>;
  #registration: Registration | undefined;

  constructor(options: InformerSourceOptions<T, R>) {
    this.#options = options;
    this.name = `kind source: ${options.informer.kind.kind}`;
  }

  async start({ context, queue: shared, inspection }: SourceContext<R>): Promise<void> {
    const { informer, predicates = [], via = "watches" } = this.#options;
    const handler = await this.#options.handler();
    const wanted = (event: AnyEvent<T>): boolean => predicates.every((predicate) => passes(predicate, event));
    const handled = (
      type: "create" | "update" | "delete",
      event: AnyEvent<T>["event"],
      call: (queue: AddOnlyQueue<R>) => void | Promise<void>,
    ): void | Promise<void> => {
      if (!inspection) return call(shared);
      const inspected = { type, ...event };
      const queue = inspection.queueFor(inspected, via, shared);
      return inspection.handle ? inspection.handle(inspected, () => call(queue)) : call(queue);
    };
    const registration = informer.addHandler({
      create: (event) =>
        wanted({ type: "create", event })
          ? handled("create", event, (queue) => handler.create(context, event, queue))
          : undefined,
      update: (event) =>
        wanted({ type: "update", event })
          ? handled("update", event, (queue) => handler.update(context, event, queue))
          : undefined,
      delete: (event) =>
        wanted({ type: "delete", event })
          ? handled("delete", event, (queue) => handler.delete(context, event, queue))
          : undefined,
    });
    this.#registration = registration;
    // The informer belongs to the cache and continues, but a stopped controller must not receive its events.
    if (context.signal.aborted) registration.remove();
    else context.signal.addEventListener("abort", () => registration.remove(), { once: true });
  }

  async waitForSync(signal: AbortSignal): Promise<void> {
    const { informer } = this.#options;
    await unlessAborted(this.#registration?.synced ?? new Promise<never>(() => {}), signal, () => {
      const why = informer.lastError;
      const cause = why === undefined ? "" : `: ${errorText(why)}`;
      throw new Error(`timed out waiting for ${this.name} to be synced${cause}`, { cause: why });
    });
  }
}
