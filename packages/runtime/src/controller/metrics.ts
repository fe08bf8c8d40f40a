import type { EventMetrics } from "../cache/event-metrics.ts";
import type { QueueMetrics } from "../queue/metrics.ts";
import { noQueueMetrics } from "../queue/metrics.ts";

export type ReconcileResult = "success" | "error" | "requeue" | "requeue_after";

/** Receives the metrics of a controller. Durations are in seconds. */
export interface ControllerMetrics {
  queue: QueueMetrics;
  /** Receives the event metrics of sources without a cache. */
  events?: EventMetrics;
  maxConcurrentReconciles(workers: number): void;
  activeWorkers(delta: 1 | -1): void;
  reconciled(result: ReconcileResult, seconds: number): void;
  failed(): void;
  failedTerminally(): void;
  panicked(): void;
  timedOut(): void;
  /** Counts what happened to a child: the name of its entry, and the action. */
  child(child: string, action: string): void;
}

export const noControllerMetrics: ControllerMetrics = Object.freeze({
  queue: noQueueMetrics,
  maxConcurrentReconciles(): void {},
  activeWorkers(): void {},
  reconciled(): void {},
  failed(): void {},
  failedTerminally(): void {},
  panicked(): void {},
  timedOut(): void {},
  child(): void {},
});
