import type { EventMetrics } from "../cache/event-metrics.ts";
import type { QueueMetrics } from "../queue/metrics.ts";
import { noQueueMetrics } from "../queue/metrics.ts";

export type ReconcileResult = "success" | "error" | "requeue" | "requeue_after";

/** What a controller tells about itself. Durations are seconds. */
export interface ControllerMetrics {
  queue: QueueMetrics;
  /** Counts of the events of sources that have no cache. */
  events?: EventMetrics;
  maxConcurrentReconciles(workers: number): void;
  activeWorkers(delta: 1 | -1): void;
  reconciled(result: ReconcileResult, seconds: number): void;
  failed(): void;
  failedTerminally(): void;
  panicked(): void;
  timedOut(): void;
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
});
