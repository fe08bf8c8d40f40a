import type { Registry } from "prom-client";
import type { QueueMetrics } from "../queue/metrics.ts";
import { tenfoldSeconds } from "./buckets.ts";
import type { Prom } from "./prom.ts";
import { type Tally, type Timings, tallies, timings } from "./tally.ts";

type Labels = Readonly<Record<string, string>>;

/** Priorities are the user's to choose: more than so many would make a metric of them a burden. */
const maxPriorities = 25;
const otherPriorities = "exceeded_cardinality_limit";

/** `workqueue_…`: how much work there is and how long it takes. */
export class WorkqueueSeries {
  readonly #depth: (labels: Labels) => Tally;
  readonly #adds: (labels: Labels) => Tally;
  readonly #retries: (labels: Labels) => Tally;
  readonly #queueDuration: (labels: Labels) => Timings;
  readonly #workDuration: (labels: Labels) => Timings;
  readonly #inWork = new Map<string, () => number[]>();
  readonly #priorities = new Set<number>();

  constructor(prom: Prom, registers: Registry[]) {
    const labelNames = ["name", "controller"] as const;
    this.#depth = tallies(prom, "Gauge", {
      name: "workqueue_depth",
      help: "Items that are ready, by queue and priority.",
      labelNames: [...labelNames, "priority"],
      registers,
    });
    const counted = (name: string, help: string): ((labels: Labels) => Tally) =>
      tallies(prom, "Counter", { name, help, labelNames, registers });
    this.#adds = counted("workqueue_adds_total", "Items added.");
    this.#retries = counted("workqueue_retries_total", "Items added with a delay.");
    const timed = (name: string, help: string): ((labels: Labels) => Timings) =>
      timings({ name, help, registers }, tenfoldSeconds);
    this.#queueDuration = timed("workqueue_queue_duration_seconds", "How long items wait before they are handed out.");
    this.#workDuration = timed("workqueue_work_duration_seconds", "How long items are worked on.");
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
    this.#inWork.set(name, () => []);
    const depths = new Map<string, Tally>();
    const depthOf = (priority: string): Tally => {
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
