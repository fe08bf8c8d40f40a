import { type Clock, systemClock } from "../clock/clock.ts";
import { uuid } from "../clock/random.ts";
import { isPanic } from "../errors/panic.ts";
import { isTransportError } from "../errors/transport-error.ts";
import { errorText } from "../log/error-text.ts";
import type { Logger } from "../log/logger.ts";
import { PriorityQueue } from "../queue/priority-queue.ts";
import type { Queue, QueueItem } from "../queue/queue.ts";
import { ExponentialBackoff } from "../queue/rate-limiter.ts";
import type { Context } from "../reconcile/context.ts";
import type { ControllerInspection } from "../reconcile/inspection.ts";
import type { Reconciler, Result } from "../reconcile/reconciler.ts";
import { type Request, requestKey } from "../reconcile/request.ts";
import type { ShardGate, StartedReconcile } from "../reconcile/shard-gate.ts";
import { isTerminal } from "../reconcile/terminal-error.ts";
import type { Source, SourceContext } from "../source/source.ts";
import type { Tracer } from "../tracing/tracer.ts";
import { GatedQueue } from "./gated-queue.ts";
import { type ControllerMetrics, noControllerMetrics } from "./metrics.ts";
import { type ControllerOptions, settled } from "./options.ts";
import { ReconcileContext } from "./reconcile-context.ts";
import { requestFields } from "./request-fields.ts";
import { startSources } from "./start-sources.ts";
import { traceReconcile } from "./trace.ts";

/** Everything that a {@link Controller} needs. The builder sets it. */
export interface ControllerSettings<R = Request> extends ControllerOptions<R> {
  /** Name in logs and metrics. */
  name: string;
  /** Reconciles the requests. */
  reconciler: Reconciler<R>;
  /** Base of all log lines of the controller. */
  log: Logger;
  /**
   * Kind that is reconciled, for the log lines of a reconcile.
   *
   * @defaultValue none
   */
  kind?: string;
  /**
   * Clock of the queue and of time limits.
   *
   * @defaultValue {@link systemClock}
   */
  clock?: Clock;
  /**
   * Source of the IDs of reconciles.
   *
   * @defaultValue the random numbers of the system
   */
  random?: () => number;
  /**
   * Receives the metrics.
   *
   * @internal
   */
  metrics?: ControllerMetrics;
  /**
   * Returns the tracer of a reconcile. Called before each one.
   *
   * @defaultValue no tracing
   */
  tracer?: () => Tracer | undefined;
  /**
   * Returns whether a reconcile may start. Called before each one: a leader that may have lost its lease starts
   * nothing.
   *
   * @defaultValue always `true`
   */
  mayReconcile?: () => boolean;
  /**
   * Decides which objects this process reconciles.
   *
   * @defaultValue it reconciles all objects
   * @internal
   */
  shards?: ShardGate<R>;
  /**
   * Returns a promise of the end of an outage, if there is one. Called when a reconcile failed because the server can't
   * be reached.
   *
   * @defaultValue no outage is detected
   */
  outage?: (signal: AbortSignal) => Promise<void> | undefined;
  /**
   * Records the reconciles.
   *
   * @internal
   */
  inspection?: ControllerInspection<R>;
}

/** Takes requests from a queue and reconciles them with a limited number of workers. */
export class Controller<R = Request> {
  /** Name in logs and metrics. */
  readonly name: string;
  readonly #settings: ControllerSettings<R>;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #metrics: ControllerMetrics;
  readonly #queue: Queue<R>;
  readonly #sources: Source<R>[] = [];
  #isStarted = false;
  /** Set when the sources were started. `synced` resolves when all are in sync. */
  #started: { context: SourceContext<R>; synced: Promise<boolean> } | undefined;

  /**
   * Creates a controller. Use {@link newControllerManagedBy} instead.
   *
   * @param given - its settings
   */
  constructor(given: ControllerSettings<R>) {
    const settings = settled(given);
    this.name = settings.name;
    this.#settings = settings;
    this.#clock = settings.clock ?? systemClock;
    this.#log = settings.logConstructor?.(settings.log) ?? settings.log;
    this.#metrics = settings.metrics ?? noControllerMetrics;
    const rateLimiter = settings.rateLimiter ?? new ExponentialBackoff();
    const queue =
      settings.newQueue?.(settings.name, rateLimiter) ??
      new PriorityQueue<R>({
        keyOf: requestKey,
        clock: this.#clock,
        rateLimiter,
        metrics: this.#metrics.queue,
      });
    const inspected = settings.inspection?.queue(queue, settings.maxConcurrentReconciles ?? 1) ?? queue;
    this.#queue = settings.shards ? new GatedQueue(inspected, settings.shards) : inspected;
  }

  /**
   * Returns whether the controller runs only on the leader.
   *
   * @returns `needLeaderElection` of the options
   */
  needLeaderElection(): boolean {
    return this.#settings.needLeaderElection ?? true;
  }

  /**
   * Adds a source. Before {@link start}, it is started and synced with all others; afterwards it is started without
   * waiting for its sync.
   *
   * @param source - the source
   */
  async watch(source: Source<R>): Promise<void> {
    if (!this.#started) {
      this.#sources.push(source);
      return;
    }
    this.#log.info("Starting EventSource", { source: source.name });
    await source.start(this.#started.context);
  }

  /**
   * Starts the sources and fills the queue before this process is elected, if `enableWarmup` is set. It reconciles
   * nothing. Resolves when the sources are in sync; rejects like {@link start}.
   *
   * @param signal - stops the warm-up
   */
  async warmup(signal: AbortSignal): Promise<void> {
    if (!this.#settings.enableWarmup || !this.needLeaderElection()) return;
    // If the controller is never started, nothing else shuts the queue down.
    const shutDown = (): void => {
      if (!this.#isStarted) this.#queue.shutDown();
    };
    if (signal.aborted) shutDown();
    signal.addEventListener("abort", shutDown, { once: true });
    await this.#startSources(signal);
  }

  /**
   * Starts the sources, waits until their initial lists are in the queue, then reconciles until the signal aborts.
   * Resolves when the last reconcile has ended.
   *
   * @param signal - stops the controller
   * @throws Error if a source doesn't sync in time, or if the controller was started before
   */
  async start(signal: AbortSignal): Promise<void> {
    if (this.#isStarted) throw new Error(`controller ${this.name} was already started`);
    this.#isStarted = true;
    const shutDown = (): void => this.#queue.shutDown();
    signal.addEventListener("abort", shutDown, { once: true });
    try {
      // The warm-up was aborted before the sync, so no request is reconciled.
      if (!(await this.#startSources(signal)) || signal.aborted) return;
      await this.#work(signal);
    } finally {
      signal.removeEventListener("abort", shutDown);
      this.#queue.shutDown();
    }
  }

  /** Runs once: sources that the warm-up has started continue. */
  #startSources(signal: AbortSignal): Promise<boolean> {
    if (!this.#started) {
      const context: SourceContext<R> = {
        context: { log: this.#log, signal, reconcileID: "", reasons: [] },
        queue: this.#queue,
        metrics: () => this.#metrics.events,
        clock: this.#clock,
        inspection: this.#settings.inspection,
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
      // The lease may be lost, so nothing new starts until the manager has determined its state.
      if (signal.aborted || this.#settings.mayReconcile?.() === false) {
        this.#queue.done(next.item);
        if (!signal.aborted) this.#queue.add(next.item, { after: 100, priority: next.priority });
        continue;
      }
      const started = this.#settings.shards ? await this.#beginInShard(next, signal) : undefined;
      if (started === "skip") continue;
      this.#metrics.activeWorkers(1);
      let isUnreachable = false;
      try {
        isUnreachable = await this.#process(next, started?.signal ?? signal);
      } finally {
        started?.end();
        this.#queue.done(next.item);
        this.#metrics.activeWorkers(-1);
      }
      // Continuing would fail every queued item and delay each by its back-off, although the server may be available again
      // by then.
      if (isUnreachable) await this.#settings.outage?.(signal);
    }
  }

  /** Starts the reconcile of an object that this process owns. Others are dropped, or wait until it is decided. */
  async #beginInShard(next: QueueItem<R>, signal: AbortSignal): Promise<StartedReconcile | "skip"> {
    const { item, priority } = next;
    const started = await this.#settings.shards!.begin(item, signal);
    if (typeof started === "object") return started;
    this.#queue.done(item);
    if (started === "later") this.#queue.add(item, { after: 100, priority, reason: next.reasons[0] });
    else this.#queue.forget(item);
    return "skip";
  }

  /** Reconciles a request. Returns whether it failed because the server can't be reached. */
  async #process(next: QueueItem<R>, signal: AbortSignal): Promise<boolean> {
    const started = this.#clock.now();
    const context: ReconcileContext = new ReconcileContext({
      log: () => this.#logOf(next.item, context.reconcileID),
      signal,
      reconcileID: () => uuid(this.#settings.random),
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
      // Doesn't return the thrown value itself: if it is a promise, the async function would wait for it.
      return isTransportError(thrown);
    } finally {
      if (context.end()) this.#metrics.timedOut();
    }
  }

  #reconcile(context: Context, request: R): Promise<Result | undefined> {
    const { reconciler, tracer, inspection } = this.#settings;
    const reconcile = () => reconciler.reconcile(context, request) as Promise<Result | undefined>;
    const run = inspection ? () => inspection.run(context, request, reconcile) : reconcile;
    const trace = tracer?.();
    return trace ? traceReconcile(trace, { controller: this.name, context, request, run }) : run();
  }

  #succeeded({ item, priority: had }: QueueItem<R>, result: Result, seconds: number): void {
    const priority = result.priority ?? had;
    const reason = { type: "requeue" } as const;
    if (result.requeueAfter !== undefined && result.requeueAfter > 0) {
      // A scheduled reconcile isn't a retry, so the failures are reset.
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
        context.log.error(thrown, "Bug in the reconciler");
        throw thrown;
      }
      error = errorOfBug(thrown);
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

/** Returns an error for what a bug has thrown, with the type of the error in its message. Never throws. */
function errorOfBug(thrown: unknown): Error {
  try {
    if (!(thrown instanceof Error)) return new Error(`threw a value that isn't an Error: ${errorText(thrown)}`);
    const error = new Error(`${thrown.name}: ${thrown.message}`, { cause: thrown });
    if (thrown.stack) error.stack = thrown.stack;
    return error;
  } catch {
    // The value is a revoked proxy, or an error whose getter throws.
    return new Error("threw a value that can't be read");
  }
}
