import type { KubernetesObject } from "../api/index.ts";
import { EventDelivery } from "../cache/delivery.ts";
import { systemClock } from "../clock/clock.ts";
import type { EventHandler } from "../handler/event-handler.ts";
import type { GenericEvent } from "../handler/events.ts";
import { passes } from "../predicate/combine.ts";
import type { Predicate } from "../predicate/predicate.ts";
import type { Request } from "../request.ts";
import type { Source, SourceContext } from "./source.ts";

/** Which events of a channel count. */
export interface ChannelSourceOptions<T extends KubernetesObject> {
  /** Events must pass all of them to reach the handler. */
  predicates?: readonly Predicate<T>[];
}

/**
 * Events from outside of the cluster: anything that can be iterated over asynchronously. The source ends when the iterable does.
 *
 * @example
 * builder.watchesRawSource(channelSource(webhookCalls(), enqueueRequestForObject()));
 */
export function channelSource<T extends KubernetesObject, R = Request>(
  events: AsyncIterable<GenericEvent<T>>,
  handler: EventHandler<T, R>,
  options: ChannelSourceOptions<T> = {},
): Source<R> {
  const { predicates = [] } = options;
  return {
    name: "channel source",
    async start({ context, queue, metrics, clock = systemClock }: SourceContext<R>) {
      const delivery = new EventDelivery<T>({
        // Channels carry generic events only.
        dispatch: ({ event }) => {
          const wanted = predicates.every((predicate) => passes(predicate, { type: "generic", event }));
          return wanted ? handler.generic(context, event, queue) : undefined;
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
    // After the iterable's end retries go on until the controller stops.
    for (let next = await iterator.next(); !next.done && !signal.aborted; next = await iterator.next()) {
      const full = delivery.offer({ type: "generic", event: next.value });
      if (full) await full;
    }
  }
}
