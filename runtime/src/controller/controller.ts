import { randomUUID } from "node:crypto";
import { type Clock, systemClock } from "../clock/clock.ts";
import type { Context } from "../context.ts";
import { isTransportError } from "../errors/index.ts";
import { isPanic } from "../errors/panic.ts";
import type { Logger } from "../log/logger.ts";
import { PriorityQueue } from "../queue/priority-queue.ts";
import type { Queue, QueueItem } from "../queue/queue.ts";
import { ExponentialBackoff } from "../queue/rate-limiter.ts";
import { type Request, requestKey } from "../request.ts";
import type { Source, SourceContext } from "../source/source.ts";
import type { Tracer } from "../tracing/tracer.ts";
import { type ControllerMetrics, noControllerMetrics } from "./metrics.ts";
import { type ControllerOptions, settled } from "./options.ts";
import { ReconcileContext } from "./reconcile-context.ts";
import type { Reconciler, Result } from "./reconciler.ts";
import { recovered } from "./recovered.ts";
import { requestFields } from "./request-fields.ts";
import { startSources } from "./start-sources.ts";
import { isTerminal } from "./terminal-error.ts";
import { traceReconcile } from "./trace.ts";

/** What a {@link Controller} is made of; the builder fills it in. */
export interface ControllerSettings<R = Request> extends ControllerOptions<R> {
  name: string;
  reconciler: Reconciler<R>;
  log: Logger;
  /** The kind reconciled, for the log lines of a reconcile. */
  kind?: string;
  clock?: Clock;
  metrics?: ControllerMetrics;
  /** Asked before each reconcile who traces. */
  tracer?: () => Tracer | undefined;
  /** Asked before each reconcile; a leader that may have lost its lease starts nothing. */
  mayReconcile?: () => boolean;
  /** Asked when a reconcile failed for want of a connection: the end of the outage, where there is one. */
  outage?: (signal: AbortSignal) => Promise<void> | undefined;
}

/** Takes requests off a queue and has them reconciled, as many at a time as it is told. */
export class Controller<R = Request> {
  readonly name: string;
  readonly #settings: ControllerSettings<R>;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #metrics: ControllerMetrics;
  readonly #queue: Queue<R>;
  readonly #sources: Source<R>[] = [];
  #isStarted = false;
  /** Set once the sources are started; resolves when all are in sync. */
  #started: { context: SourceContext<R>; synced: Promise<boolean> } | undefined;

  constructor(given: ControllerSettings<R>) {
    const settings = settled(given);
    this.name = settings.name;
    this.#settings = settings;
    this.#clock = settings.clock ?? systemClock;
    this.#log = settings.logConstructor?.(settings.log) ?? settings.log;
    this.#metrics = settings.metrics ?? noControllerMetrics;
    const rateLimiter = settings.rateLimiter ?? new ExponentialBackoff();
    this.#queue =
      settings.newQueue?.(settings.name, rateLimiter) ??
      new PriorityQueue<R>({
        keyOf: requestKey,
        clock: this.#clock,
        rateLimiter,
        metrics: this.#metrics.queue,
      });
  }

  /** Whether it runs on the leader alone. */
  needLeaderElection(): boolean {
    return this.#settings.needLeaderElection ?? true;
  }

  /** Adds a source. Before the start it is started and waited for with all others; later at once, without waiting. */
  async watch(source: Source<R>): Promise<void> {
    if (!this.#started) {
      this.#sources.push(source);
      return;
    }
    this.#log.info("Starting EventSource", { source: source.name });
    await source.start(this.#started.context);
  }

  /**
   * Where `enableWarmup` asks for it, starts the sources and fills the queue of a process that isn't the leader yet; reconciles
   * nothing. Resolves when the sources are in sync; rejects as {@link start} does.
   */
  async warmup(signal: AbortSignal): Promise<void> {
    if (!this.#settings.enableWarmup || !this.needLeaderElection()) return;
    // Where it never comes to a start, nobody else would end the queue.
    const shutDown = (): void => {
      if (!this.#isStarted) this.#queue.shutDown();
    };
    if (signal.aborted) shutDown();
    signal.addEventListener("abort", shutDown, { once: true });
    await this.#startSources(signal);
  }

  /**
   * Starts the sources, waits until their initial lists are in the queue, then reconciles until the signal aborts. Resolves when
   * the last reconcile has ended; rejects when a source doesn't get in sync.
   */
  async start(signal: AbortSignal): Promise<void> {
    if (this.#isStarted) throw new Error(`controller ${this.name} was started already`);
    this.#isStarted = true;
    const shutDown = (): void => this.#queue.shutDown();
    signal.addEventListener("abort", shutDown, { once: true });
    try {
      // Where a warm-up was stopped too early there is nothing to work on.
      if (!(await this.#startSources(signal)) || signal.aborted) return;
      await this.#work(signal);
    } finally {
      signal.removeEventListener("abort", shutDown);
      this.#queue.shutDown();
    }
  }

  /** Once: what was warmed up goes on as it is. */
  #startSources(signal: AbortSignal): Promise<boolean> {
    if (!this.#started) {
      const context: SourceContext<R> = {
        context: { log: this.#log, signal, reconcileID: "", reasons: [] },
        queue: this.#queue,
        metrics: () => this.#metrics.events,
        clock: this.#clock,
      };
      const { cacheSyncTimeout: timeout = 120_000 } = this.#settings;
      const synced = startSources(this.#sources, context, { clock: this.#clock, timeout, controller: this.name });
      this.#started = { context, synced };
    }
    return this.#started.synced;
  }

  async #work(signal: AbortSignal): Promise<void> {
    const { maxConcurrentReconciles: workers = 1 } = this.#settings;
    this.#log.info("Starting Controller");
    this.#log.info("Starting workers", { "worker count": workers });
    this.#metrics.maxConcurrentReconciles(workers);
    this.#queue.resetAges?.();
    const running = Promise.all(Array.from({ length: workers }, () => this.#worker(signal)));
    const onAbort = (): void => this.#log.info("Shutdown signal received, waiting for all workers to finish");
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    await running.finally(() => signal.removeEventListener("abort", onAbort));
    this.#log.info("All workers finished");
  }

  async #worker(signal: AbortSignal): Promise<void> {
    for (let next = await this.#queue.get(); next; next = await this.#queue.get()) {
      // The manager is about to learn that the lease is lost; until then nothing new is begun.
      if (signal.aborted || this.#settings.mayReconcile?.() === false) {
        this.#queue.done(next.item);
        if (!signal.aborted) this.#queue.add(next.item, { after: 100, priority: next.priority });
        continue;
      }
      this.#metrics.activeWorkers(1);
      let isUnreachable = false;
      try {
        isUnreachable = await this.#process(next, signal);
      } finally {
        this.#queue.done(next.item);
        this.#metrics.activeWorkers(-1);
      }
      // Going on would fail all that is queued, and have it wait for its back-off when the server is back.
      if (isUnreachable) await this.#settings.outage?.(signal);
    }
  }

  /** Reconciles; returns whether that failed because a server can't be reached. */
  async #process(next: QueueItem<R>, signal: AbortSignal): Promise<boolean> {
    const started = this.#clock.now();
    const reconcileID = randomUUID();
    const context = new ReconcileContext({
      log: () => this.#logOf(next.item, reconcileID),
      signal,
      reconcileID,
      reasons: next.reasons,
      clock: this.#clock,
      timeout: this.#settings.reconciliationTimeout,
    });
    try {
      const result = (await this.#reconcile(context, next.item)) ?? {};
      this.#succeeded(next, result, this.#secondsSince(started));
      return false;
    } catch (thrown) {
      this.#failed(next, thrown, context, this.#secondsSince(started));
      // Not the value itself: as the result of an async function it would be waited for if it is a promise.
      return isTransportError(thrown);
    } finally {
      if (context.end()) this.#metrics.timedOut();
    }
  }

  #reconcile(context: Context, request: R): Promise<Result | undefined> {
    const { reconciler, tracer } = this.#settings;
    const run = () => reconciler.reconcile(context, request) as Promise<Result | undefined>;
    const found = tracer?.();
    return found ? traceReconcile(found, { controller: this.name, context, request, run }) : run();
  }

  #succeeded({ item, priority: had }: QueueItem<R>, result: Result, seconds: number): void {
    const priority = result.priority ?? had;
    const reason = { type: "requeue" } as const;
    if (result.requeueAfter !== undefined && result.requeueAfter > 0) {
      // Not a retry: the failures are over.
      this.#queue.forget(item);
      this.#queue.add(item, { after: result.requeueAfter, priority, reason });
      this.#metrics.reconciled("requeue_after", seconds);
    } else if (result.requeue) {
      this.#queue.add(item, { rateLimited: true, priority, reason });
      this.#metrics.reconciled("requeue", seconds);
    } else {
      this.#queue.forget(item);
      this.#metrics.reconciled("success", seconds);
    }
  }

  #failed({ item, priority }: QueueItem<R>, thrown: unknown, context: Context, seconds: number): void {
    this.#metrics.failed();
    this.#metrics.reconciled("error", seconds);
    let error = thrown;
    if (isPanic(thrown)) {
      this.#metrics.panicked();
      if (this.#settings.recoverPanic === false) {
        context.log.error(thrown, "Observed a panic");
        throw thrown;
      }
      error = recovered(thrown);
    }
    if (isTerminal(error)) {
      this.#metrics.failedTerminally();
    } else {
      this.#queue.add(item, { rateLimited: true, priority, reason: { type: "retry" } });
    }
    context.log.error(error, "Reconciler error");
  }

  #secondsSince(started: number): number {
    return (this.#clock.now() - started) / 1000;
  }

  #logOf(request: R, reconcileID: string): Logger {
    const { log, kind, logConstructor } = this.#settings;
    const base = log.with({ ...requestFields(request, kind), reconcileID });
    try {
      return logConstructor?.(base, request) ?? base;
    } catch (error) {
      base.error(error, "logConstructor failed");
      return base;
    }
  }
}
