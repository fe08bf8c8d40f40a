import type { KubernetesObject } from "../api/index.ts";
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
    async start({ context, queue }: SourceContext<R>) {
      void feed(context.signal, async (event) => {
        if (!predicates.every((predicate) => passes(predicate, { type: "generic", event }))) return;
        try {
          await handler.generic(context, event, queue);
        } catch (error) {
          const { namespace, name } = event.object.metadata ?? {};
          context.log.error(error, "Event handler failed, the event is dropped", { event: "generic", namespace, name });
        }
      }).catch((error: unknown) => context.log.error(error, "Channel source failed"));
    },
  };

  async function feed(signal: AbortSignal, handle: (event: GenericEvent<T>) => Promise<void>): Promise<void> {
    const iterator = events[Symbol.asyncIterator]();
    const stop = (): void => void iterator.return?.();
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    try {
      for (let next = await iterator.next(); !next.done && !signal.aborted; next = await iterator.next()) {
        await handle(next.value);
      }
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}
