/** What a queue tells about itself. Durations are seconds. */
export interface QueueMetrics {
  /** An item became ready (`delta` 1) or was taken (-1). */
  depth(priority: number, delta: 1 | -1): void;
  add(): void;
  retry(): void;
  queueDuration(seconds: number): void;
  workDuration(seconds: number): void;
  /** Gives the seconds that each item in work has taken so far; asked when metrics are read. */
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
