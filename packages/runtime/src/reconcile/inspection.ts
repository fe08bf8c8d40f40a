import type { KubernetesObject } from "../api/index.ts";
import type { AddOnlyQueue, Queue } from "../queue/queue.ts";
import type { ReconciledChild } from "../session/records.ts";
import type { Context } from "./context.ts";
import type { Result } from "./reconciler.ts";

/** How a controller watches the object of an event. */
export type Via = "for" | "owns" | "watches" | "channel";

/** An event that a source passes to its handler. */
export interface InspectedEvent {
  readonly type: "create" | "update" | "delete" | "generic";
  readonly object: KubernetesObject;
  readonly oldObject?: KubernetesObject;
  readonly isInInitialList?: boolean;
}

/**
 * The hooks of one controller. Without the manager's option `inspect` there is none of them, and each place that calls one
 * only checks for `undefined`.
 */
export interface ControllerInspection<R> {
  /** Wraps the queue. */
  queue(inner: Queue<R>, workers: number): Queue<R>;
  /** Returns the queue that records an event as the reason of what its handler adds. */
  queueFor(event: InspectedEvent, via: Via, queue: AddOnlyQueue<R>): AddOnlyQueue<R>;
  /** Calls the handler of an event. */
  handle?(event: InspectedEvent, call: () => void | Promise<void>): void | Promise<void>;
  /** Adds what happened to the children of an object to the record of the reconcile that is running. */
  children?(results: readonly ReconciledChild[]): void;
  /** Runs a reconcile, and records it. */
  run(context: Context, request: R, reconcile: () => Promise<Result | undefined>): Promise<Result | undefined>;
}
