import type { KubernetesObject } from "../api/index.ts";
import { EventDelivery } from "../cache/delivery.ts";
import { systemClock } from "../clock/clock.ts";
import type { EventHandler } from "../handler/event-handler.ts";
import type { GenericEvent } from "../handler/events.ts";
import { passes } from "../predicate/combine.ts";
import type { Predicate } from "../predicate/predicate.ts";
import type { Request } from "../reconcile/request.ts";
import type { Source, SourceContext } from "./source.ts";

/** Options of {@link channelSource}. */
export interface ChannelSourceOptions<T extends KubernetesObject> {
  /**
   * Predicates that events must pass to reach the handler.
   *
   * @defaultValue none
   */
  predicates?: readonly Predicate<T>[];
}

/**
 * Creates a source of events from outside the cluster: anything that can be iterated asynchronously. The source ends
 * when the iteration does. If the iteration throws, the error is logged.
 *
 * @param events - the events
 * @param handler - turns the events into requests
 * @param options - see {@link ChannelSourceOptions}
 * @returns the source
 *
 * @example
 * async function* gameEvents(): AsyncGenerator<GenericEvent> {
 *   for await (const name of gameServer.restarts()) {
 *     yield { object: { apiVersion: "example.com/v1", kind: "Game", metadata: { namespace: "default", name } } };
 *   }
 * }
 * builder.watchesRawSource(channelSource(gameEvents(), enqueueRequestForObject()));
 */
export function channelSource<T extends KubernetesObject, R = Request>(
  events: AsyncIterable<GenericEvent<T>>,
  handler: EventHandler<T, R>,
  options: ChannelSourceOptions<T> = {},
): Source<R> {
  const { predicates = [] } = options;
  return {
    name: "channel source",
    async start({ context, queue: shared, metrics, clock = systemClock, inspection }: SourceContext<R>) {
      const delivery = new EventDelivery<T>({
        // Channels contain only generic events.
        dispatch: ({ event }) => {
          const inspected = { type: "generic", object: event.object } as const;
          const queue = inspection?.queueFor(inspected, "channel", shared) ?? shared;
          if (!predicates.every((predicate) => passes(predicate, { type: "generic", event }))) return undefined;
          const call = (): void | Promise<void> => handler.generic(context, event, queue);
          return inspection?.handle ? inspection.handle(inspected, call) : call();
        },
        clock,
        log: context.log,
        kind: "channel",
        metrics,
      });
      void feed(context.signal, delivery).catch((error: unknown) => context.log.error(error, "Channel source failed"));
    },
  };

  async function feed(signal: AbortSignal, delivery: EventDelivery<T>): Promise<void> {
    const iterator = events[Symbol.asyncIterator]();
    const stop = (): void => {
      delivery.close();
      void iterator.return?.();
    };
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    // After the end of the iteration, retries continue until the controller stops.
    for (let next = await iterator.next(); !next.done && !signal.aborted; next = await iterator.next()) {
      const full = delivery.offer({ type: "generic", event: next.value });
      if (full) await full;
    }
  }
}
