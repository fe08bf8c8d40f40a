import type { EventMetrics } from "../cache/event-metrics.ts";
import type { Clock } from "../clock/clock.ts";
import type { Queue } from "../queue/queue.ts";
import type { Context } from "../reconcile/context.ts";
import type { ControllerInspection } from "../reconcile/inspection.ts";
import type { Request } from "../reconcile/request.ts";

/** Everything that a source needs from its controller. */
export interface SourceContext<R = Request> {
  /** Context for handlers, with the logger and abort signal of the controller. */
  context: Context;
  /** Queue of the controller. */
  queue: Queue<R>;
  /**
   * Counts events that the user's code failed to process.
   *
   * @internal
   */
  metrics?: () => EventMetrics | undefined;
  /**
   * Clock of retries.
   *
   * @defaultValue {@link systemClock}
   */
  clock?: Clock;
  /**
   * Records the events as reasons of reconciles.
   *
   * @internal
   */
  inspection?: ControllerInspection<R>;
}

/** Produces the events of a controller. */
export interface Source<R = Request> {
  /** Name for log lines and errors, such as `kind source: Game`. */
  readonly name: string;
  /**
   * Starts to add requests to the queue, and returns.
   *
   * @param ctx - queue, logger and abort signal of the controller
   */
  start(ctx: SourceContext<R>): Promise<void>;
  /**
   * Waits until everything that existed at the start is in the queue. Rejects when the signal aborts.
   *
   * @param signal - ends the wait
   */
  waitForSync?(signal: AbortSignal): Promise<void>;
}
