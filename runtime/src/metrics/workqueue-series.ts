import type { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { QueueMetrics } from "../queue/metrics.ts";
import type { Prom } from "./prom.ts";

type Labels = "name" | "controller";

const buckets = Array.from({ length: 12 }, (_, power) => 10 ** (power - 8));
/** Priorities are the user's to choose: more than so many would make a metric of them a burden. */
const maxPriorities = 25;
const otherPriorities = "exceeded_cardinality_limit";

/** `workqueue_…`: how much work there is and how long it takes. */
export class WorkqueueSeries {
  readonly #depth: Gauge<Labels | "priority">;
  readonly #adds: Counter<Labels>;
  readonly #retries: Counter<Labels>;
  readonly #queueDuration: Histogram<Labels>;
  readonly #workDuration: Histogram<Labels>;
  readonly #inWork = new Map<string, () => number[]>();
  readonly #priorities = new Set<number>();

  constructor(prom: Prom, registers: Registry[]) {
    const labelNames = ["name", "controller"] as const;
    this.#depth = new prom.Gauge({
      name: "workqueue_depth",
      help: "Items that are ready, by queue and priority.",
      labelNames: ["name", "controller", "priority"] as const,
      registers,
    });
    this.#adds = new prom.Counter({ name: "workqueue_adds_total", help: "Items added.", labelNames, registers });
    this.#retries = new prom.Counter({
      name: "workqueue_retries_total",
      help: "Items added with a delay.",
      labelNames,
      registers,
    });
    this.#queueDuration = new prom.Histogram({
      name: "workqueue_queue_duration_seconds",
      help: "How long items wait before they are handed out.",
      labelNames,
      buckets,
      registers,
    });
    this.#workDuration = new prom.Histogram({
      name: "workqueue_work_duration_seconds",
      help: "How long items are worked on.",
      labelNames,
      buckets,
      registers,
    });
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
    collected("workqueue_unfinished_work_seconds", "Seconds of work in progress, summed up.", (ages) =>
      ages.reduce((sum, age) => sum + age, 0),
    );
    collected("workqueue_longest_running_processor_seconds", "Seconds that the slowest worker has taken.", (ages) =>
      Math.max(0, ...ages),
    );
  }

  of(name: string): QueueMetrics {
    const labels = { name, controller: name };
    this.#adds.inc(labels, 0);
    this.#retries.inc(labels, 0);
    this.#queueDuration.zero(labels);
    this.#workDuration.zero(labels);
    this.#inWork.set(name, () => []);
    const adds = this.#adds.labels(labels);
    const queueDuration = this.#queueDuration.labels(labels);
    const workDuration = this.#workDuration.labels(labels);
    return {
      depth: (priority, delta) => this.#depth.inc({ ...labels, priority: this.#priority(priority) }, delta),
      add: () => adds.inc(),
      retry: () => this.#retries.inc(labels),
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
