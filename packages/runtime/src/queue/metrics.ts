/** Receives the metrics of a queue. Durations are in seconds. */
export interface QueueMetrics {
  /** Counts an item that became ready (`delta` 1) or was taken (-1). */
  depth(priority: number, delta: 1 | -1): void;
  add(): void;
  retry(): void;
  queueDuration(seconds: number): void;
  workDuration(seconds: number): void;
  /** Sets a function that returns the age in seconds of each item in progress. It is called when metrics are read. */
  inWork(ages: () => number[]): void;
}

export const noQueueMetrics: QueueMetrics = Object.freeze({
  depth(): void {},
  add(): void {},
  retry(): void {},
  queueDuration(): void {},
  workDuration(): void {},
  inWork(): void {},
});
