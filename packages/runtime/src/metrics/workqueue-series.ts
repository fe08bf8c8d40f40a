import type { Registry } from "prom-client";
import type { QueueMetrics } from "../queue/metrics.ts";
import { tenfoldSeconds } from "./buckets.ts";
import { type BufferedCounter, bufferedCounters, type Timings, timings } from "./buffered-series.ts";
import type { Prom } from "./prom.ts";

type Labels = Readonly<Record<string, string>>;

/** Maximum number of priorities with their own series, since users choose priorities. */
const maxPriorities = 25;
const otherPriorities = "exceeded_cardinality_limit";

/** Adds `workqueue_…`: length and durations of queues. */
export class WorkqueueSeries {
  readonly #depth: (labels: Labels) => BufferedCounter;
  readonly #adds: (labels: Labels) => BufferedCounter;
  readonly #retries: (labels: Labels) => BufferedCounter;
  readonly #queueDuration: (labels: Labels) => Timings;
  readonly #workDuration: (labels: Labels) => Timings;
  readonly #inWork = new Map<string, () => number[]>();
  readonly #priorities = new Set<number>();

  constructor(prom: Prom, registers: Registry[]) {
    const labelNames = ["name", "controller"] as const;
    this.#depth = bufferedCounters(prom, "Gauge", {
      name: "workqueue_depth",
      help: "Current depth of workqueue by workqueue and priority",
      labelNames: [...labelNames, "priority"],
      registers,
    });
    const counted = (name: string, help: string): ((labels: Labels) => BufferedCounter) =>
      bufferedCounters(prom, "Counter", { name, help, labelNames, registers });
    this.#adds = counted("workqueue_adds_total", "Items added.");
    this.#retries = counted("workqueue_retries_total", "Total number of retries handled by workqueue");
    const timed = (name: string, help: string): ((labels: Labels) => Timings) =>
      timings({ name, help, registers }, tenfoldSeconds);
    this.#queueDuration = timed(
      "workqueue_queue_duration_seconds",
      "How long in seconds an item stays in workqueue before being requested",
    );
    this.#workDuration = timed(
      "workqueue_work_duration_seconds",
      "How long in seconds processing an item from workqueue takes.",
    );
    const inWork = this.#inWork;
    const collected = (name: string, help: string, value: (ages: number[]) => number): void => {
      new prom.Gauge({
        name,
        help,
        labelNames,
        registers,
        collect() {
          for (const [queue, ages] of inWork) this.set({ name: queue, controller: queue }, value(ages()));
        },
      });
    };
    collected(
      "workqueue_unfinished_work_seconds",
      "Total seconds of work in progress, which work_duration doesn't include yet. Large values indicate stuck workers.",
      (ages) => ages.reduce((sum, age) => sum + age, 0),
    );
    collected(
      "workqueue_longest_running_processor_seconds",
      "How many seconds has the longest running processor for workqueue been running.",
      (ages) => Math.max(0, ...ages),
    );
  }

  of(name: string): QueueMetrics {
    const labels = { name, controller: name };
    this.#inWork.set(name, () => []);
    const depths = new Map<string, BufferedCounter>();
    const depthOf = (priority: string): BufferedCounter => {
      const depth = this.#depth({ ...labels, priority });
      depths.set(priority, depth);
      return depth;
    };
    const adds = this.#adds(labels);
    const retries = this.#retries(labels);
    const queueDuration = this.#queueDuration(labels);
    const workDuration = this.#workDuration(labels);
    return {
      depth: (priority, delta) => {
        const label = this.#priority(priority);
        (depths.get(label) ?? depthOf(label)).add(delta);
      },
      add: () => adds.add(1),
      retry: () => retries.add(1),
      queueDuration: (seconds) => queueDuration.observe(seconds),
      workDuration: (seconds) => workDuration.observe(seconds),
      inWork: (ages) => this.#inWork.set(name, ages),
    };
  }

  #priority(priority: number): string {
    if (this.#priorities.has(priority)) return String(priority);
    if (this.#priorities.size >= maxPriorities) return otherPriorities;
    this.#priorities.add(priority);
    return String(priority);
  }
}
