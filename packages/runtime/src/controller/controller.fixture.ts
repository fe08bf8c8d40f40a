import { VirtualClock } from "../clock/virtual-clock.ts";
import { type Logger, silentLogger } from "../log/logger.ts";
import type { Queue } from "../queue/queue.ts";
import type { Reconciler } from "../reconcile/reconciler.ts";
import type { Request } from "../reconcile/request.ts";
import type { Source } from "../source/source.ts";
import { Controller, type ControllerSettings } from "./controller.ts";
import { type ControllerMetrics, noControllerMetrics } from "./metrics.ts";

/** The default request of a test. */
export const request: Request = { namespace: "default", name: "a" };

interface Setup {
  reconcile: Reconciler["reconcile"];
  settings?: Partial<ControllerSettings>;
  sources?: Source[];
}

interface TestBed {
  clock: VirtualClock;
  /** The count of each metric. */
  counts: Record<string, number>;
  errors: { error: unknown; message: string; fields: object }[];
  controller: Controller;
  stop: AbortController;
  /** Starts the controller. The promise settles when the controller has stopped. */
  begin: () => Promise<void>;
  add: (item?: Request, priority?: number) => void;
  queue: () => Queue<Request>;
}

/** Creates a controller on a virtual clock, and records its metrics and errors. */
export function setUp({ reconcile, settings, sources = [] }: Setup): TestBed {
  const clock = new VirtualClock();
  const counts: TestBed["counts"] = {};
  const count = (name: string) => () => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  const metrics: ControllerMetrics = {
    ...noControllerMetrics,
    reconciled: (result) => count(result)(),
    failed: count("errors"),
    failedTerminally: count("terminal"),
    panicked: count("panics"),
    timedOut: count("timeouts"),
  };
  const errors: TestBed["errors"] = [];
  const logWith = (fields: object): Logger => ({
    ...silentLogger,
    error: (error, message) => void errors.push({ error, message, fields }),
    with: (more) => logWith({ ...fields, ...more }),
  });
  let queue: Queue<Request> | undefined;
  const feed: Source = {
    name: "feed",
    start: async (ctx) => {
      queue = ctx.queue;
    },
  };
  const controller = new Controller({
    name: "test",
    reconciler: { reconcile },
    log: logWith({}),
    clock,
    metrics,
    ...settings,
  });
  const stop = new AbortController();
  async function run(): Promise<void> {
    for (const source of [feed, ...sources]) await controller.watch(source);
    await controller.start(stop.signal);
  }
  const begin = () => {
    const done = run();
    done.catch(() => {});
    return done;
  };
  return {
    clock,
    counts,
    errors,
    controller,
    stop,
    begin,
    add: (item = request, priority?: number) => queue!.add(item, { priority }),
    queue: () => queue!,
  };
}
