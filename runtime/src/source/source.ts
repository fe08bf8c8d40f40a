import type { EventMetrics } from "../cache/event-metrics.ts";
import type { Clock } from "../clock/clock.ts";
import type { Context } from "../context.ts";
import type { Queue } from "../queue/queue.ts";
import type { Request } from "../request.ts";

/** What a source is started with. */
export interface SourceContext<R = Request> {
  /** For handlers: carries logger and signal of the controller. */
  context: Context;
  queue: Queue<R>;
  /** Counts of events that the user's code could not process. */
  metrics?: () => EventMetrics | undefined;
  clock?: Clock;
}

/** Where a controller's events come from. */
export interface Source<R = Request> {
  /** For log lines and errors, such as `kind source: Game`. */
  readonly name: string;
  /** Begins to feed the queue and returns. */
  start(ctx: SourceContext<R>): Promise<void>;
  /** Resolves when everything that is there at the start has been handed to the queue; rejects when the signal aborts. */
  waitForSync?(signal: AbortSignal): Promise<void>;
}
