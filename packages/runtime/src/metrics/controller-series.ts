import type { Counter, Gauge, Registry } from "prom-client";
import type { ControllerMetrics } from "../controller/metrics.ts";
import type { QueueMetrics } from "../queue/metrics.ts";
import { type BufferedCounter, bufferedCounters, type Timings, timings } from "./buffered-series.ts";
import type { Prom } from "./prom.ts";

const buckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25, 1.5, 1.75,
  2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/** The metrics of reconciles: `controller_runtime_…`, and `kubewright_children_total`. */
export class ControllerSeries {
  readonly #total: (labels: Record<string, string>) => BufferedCounter;
  readonly #errors: Counter<"controller">;
  readonly #terminal: Counter<"controller">;
  readonly #panics: Counter<"controller">;
  readonly #timeouts: Counter<"controller">;
  readonly #time: (labels: Record<string, string>) => Timings;
  readonly #max: Gauge<"controller">;
  readonly #active: (labels: Record<string, string>) => BufferedCounter;
  readonly #children: (labels: Record<string, string>) => BufferedCounter;

  constructor(prom: Prom, registers: Registry[]) {
    const prefix = "controller_runtime_";
    const labelNames = ["controller"] as const;
    const counter = (name: string, help: string): Counter<"controller"> =>
      new prom.Counter({ name: `${prefix}${name}`, help, labelNames, registers });
    this.#total = bufferedCounters(prom, "Counter", {
      name: `${prefix}reconcile_total`,
      help: "Total number of reconciliations per controller",
      labelNames: ["controller", "result"] as const,
      registers,
    });
    this.#errors = counter("reconcile_errors_total", "Total number of reconciliation errors per controller");
    this.#terminal = counter(
      "terminal_reconcile_errors_total",
      "Total number of terminal reconciliation errors per controller",
    );
    this.#panics = counter("reconcile_panics_total", "Total number of reconciliation panics per controller");
    this.#timeouts = counter("reconcile_timeouts_total", "Total number of reconciliation timeouts per controller");
    const help = "Length of time per reconciliation per controller";
    this.#time = timings({ name: `${prefix}reconcile_time_seconds`, help, registers }, buckets);
    this.#max = new prom.Gauge({
      name: `${prefix}max_concurrent_reconciles`,
      help: "Maximum number of concurrent reconciles per controller",
      labelNames,
      registers,
    });
    this.#active = bufferedCounters(prom, "Gauge", {
      name: `${prefix}active_workers`,
      help: "Number of currently used workers per controller",
      labelNames,
      registers,
    });
    this.#children = bufferedCounters(prom, "Counter", {
      name: "kubewright_children_total",
      help: "Total number of reconciled children per controller, entry of the declaration and action.",
      labelNames: ["controller", "child", "action"] as const,
      registers,
    });
  }

  of(controller: string, queue: QueueMetrics): ControllerMetrics {
    const labels = { controller };
    const results = new Map(
      (["success", "error", "requeue", "requeue_after"] as const).map((result) => [
        result,
        this.#total({ controller, result }),
      ]),
    );
    for (const counter of [this.#errors, this.#terminal, this.#panics, this.#timeouts]) counter.inc(labels, 0);
    this.#max.set(labels, 0);
    const time = this.#time(labels);
    const active = this.#active(labels);
    const children = new Map<string, BufferedCounter>();
    return {
      queue,
      maxConcurrentReconciles: (workers) => this.#max.set(labels, workers),
      activeWorkers: (delta) => active.add(delta),
      reconciled: (result, seconds) => {
        results.get(result)?.add(1);
        time.observe(seconds);
      },
      failed: () => this.#errors.inc(labels),
      failedTerminally: () => this.#terminal.inc(labels),
      panicked: () => this.#panics.inc(labels),
      timedOut: () => this.#timeouts.inc(labels),
      child: (child, action) => {
        const key = `${child}/${action}`;
        const counter = children.get(key) ?? this.#children({ controller, child, action });
        children.set(key, counter);
        counter.add(1);
      },
    };
  }
}
