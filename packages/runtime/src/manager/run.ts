import { abortController } from "../clock/abort.ts";
import type { Clock } from "../clock/clock.ts";
import type { LeaderElector } from "../leader-election/leader-elector.ts";
import type { Logger } from "../log/logger.ts";
import { RunnableGroup } from "../runnable/runnable.ts";
import { listenToProcessErrors } from "./process-errors.ts";

export interface ManagerRunOptions {
  log: Logger;
  clock: Clock;
  elector: LeaderElector | undefined;
  /**
   * Called when the leader is elected. If it returns a promise, the leader starts when that resolves to `true`, and keeps its
   * lease in the meantime.
   */
  beforeLeading?: ((signal: AbortSignal) => Promise<boolean> | undefined) | undefined;
  /** The membership in a group of shards. */
  shards?: Membership;
  /** Time in milliseconds; 0 doesn't wait, a negative value waits forever. */
  gracefulShutdownTimeout: number;
  releaseOnCancel: boolean;
  /** Writes pending events when everything else has stopped, before the lease is released: later writes would be refused. */
  writeLast: () => Promise<void>;
  onUnhandledRejection: () => void;
  /** Called when the servers of webhooks and metrics listen, and the rest starts. */
  onServing?: () => void;
}

/** A membership that begins before the election, and ends after all work of this process. */
export interface Membership {
  /** Rejects when this process must end. */
  readonly lost: Promise<never>;
  run(signal: AbortSignal, onJoining: () => void): Promise<void>;
  leave(): Promise<void>;
  end(): Promise<void>;
}

/** Rejections belong to the process: with several managers, each counts one and only the first logs it. */
const loggedRejections = new WeakSet<Promise<unknown>>();

/** The lifecycle of a manager: starts groups in order, and stops them so that each can finish its work. */
export class ManagerRun {
  readonly httpServers: RunnableGroup;
  readonly webhooks: RunnableGroup;
  readonly caches: RunnableGroup;
  readonly others: RunnableGroup;
  readonly warmup: RunnableGroup;
  readonly leaderElection: RunnableGroup;
  readonly elected: Promise<void>;
  readonly #options: ManagerRunOptions;
  readonly #campaign = new AbortController();
  readonly #membership = new AbortController();
  readonly #ended: Promise<void>;
  readonly #errors: unknown[] = [];
  #end: () => void = () => {};
  #resolveElected: () => void = () => {};
  #election: Promise<void> = Promise.resolve();
  #member: Promise<void> = Promise.resolve();
  #isStarted = false;
  #hasEnded = false;
  #isStopping = false;
  #isLeaseLost = false;

  constructor(options: ManagerRunOptions) {
    this.#options = options;
    const group = (): RunnableGroup => new RunnableGroup((error) => this.#fail(error));
    this.httpServers = group();
    this.webhooks = group();
    this.caches = group();
    this.others = group();
    this.warmup = group();
    this.leaderElection = group();
    this.#ended = new Promise((resolve) => {
      this.#end = () => {
        this.#hasEnded = true;
        resolve();
      };
    });
    this.elected = new Promise((resolve) => {
      this.#resolveElected = resolve;
    });
  }

  async start(signal: AbortSignal): Promise<void> {
    if (this.#isStarted) throw new Error("the manager was already started");
    this.#isStarted = true;
    const { log } = this.#options;
    const onAbort = (): void => this.#end();
    const onRejection = (reason: unknown, promise: Promise<unknown>): void => {
      this.#options.onUnhandledRejection();
      if (loggedRejections.has(promise)) return;
      loggedRejections.add(promise);
      log.error(reason, "Unhandled promise rejection");
    };
    // The exception still ends the process. Node.js's own output would lack the time and a source-mapped stack trace.
    const onException = (error: unknown): void => log.error(error, "Uncaught exception");
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    const stopListening = listenToProcessErrors({ onRejection, onException });
    try {
      await this.#startGroups();
      await this.#ended;
      await this.#stop();
    } finally {
      signal.removeEventListener("abort", onAbort);
      stopListening();
    }
    if (this.#errors.length === 1) throw this.#errors[0];
    if (this.#errors.length > 1) throw new AggregateError(this.#errors, this.#errors.map(String).join("; "));
  }

  /**
   * Starts the groups in order. Servers and webhooks start first, because listing a kind can require this process's own
   * conversion webhook.
   */
  async #startGroups(): Promise<void> {
    const serving = this.httpServers.start();
    // If a webhook server can't start, the manager stops.
    await Promise.race([this.webhooks.start(), this.#ended]);
    if (this.#hasEnded) return;
    void Promise.race([serving, this.#ended]).then(() => {
      if (!this.#hasEnded) this.#options.onServing?.();
    });
    this.caches.start();
    this.others.start();
    this.warmup.start();
    const { shards } = this.#options;
    this.#election = shards ? this.#join(shards).then(() => this.#campaignAndLead()) : this.#campaignAndLead();
  }

  /** Joins the group of shards. A leader that isn't a member would count as one without sharding. */
  async #join(shards: Membership): Promise<void> {
    shards.lost.catch((error: unknown) => {
      this.#isLeaseLost = true;
      this.#fail(error);
    });
    const joining = new Promise<void>((resolve) => {
      this.#member = shards.run(this.#membership.signal, resolve).catch((error: unknown) => this.#fail(error));
    });
    await Promise.race([joining, this.#member, this.#ended]);
  }

  async #campaignAndLead(): Promise<void> {
    const { elector, beforeLeading } = this.#options;
    const { signal } = this.#campaign;
    if (elector) {
      const won = await elector.acquire(signal);
      // Stopped in the meantime: nothing may start as a leader.
      if (!won || this.#isStopping) return;
    }
    const keeping = elector?.keep(signal);
    const waiting = beforeLeading?.(signal);
    const mayStart = waiting ? await Promise.race([waiting, keeping?.then(() => false) ?? waiting]) : true;
    if (mayStart && !this.#isStopping) {
      this.leaderElection.start();
      this.#resolveElected();
    }
    if (!keeping || (await keeping)) return;
    this.#isLeaseLost = true;
    this.#fail(new Error("leader election lost"));
  }

  #fail(error: unknown): void {
    // A controller whose warm-up failed also fails to start, for the same reason.
    if (!this.#errors.includes(error)) this.#errors.push(error);
    this.#end();
  }

  async #stop(): Promise<void> {
    const { log, clock, elector } = this.#options;
    this.#isStopping = true;
    // A stopping candidate must not win; a leader keeps its lease until its work is done.
    if (!elector?.isLeader) abortController(this.#campaign);
    const timeout = this.#isLeaseLost ? 0 : this.#options.gracefulShutdownTimeout;
    const left = this.#options.shards?.leave();
    const stopped = this.#stopGroups(left).then(() => true);
    if (timeout === 0) {
      // Nothing waits for a runnable that doesn't end, so it must not keep the lease.
      abortController(this.#campaign);
      abortController(this.#membership);
      return;
    }
    let timer: ReturnType<Clock["setTimeout"]> | undefined;
    const late = new Promise<boolean>((resolve) => {
      if (timeout > 0) timer = clock.setTimeout(() => resolve(false), timeout);
    });
    const inTime = await Promise.race([stopped, late]);
    clock.clearTimeout(timer);
    if (!inTime) {
      abortController(this.#campaign);
      abortController(this.#membership);
      this.#errors.push(new Error("failed waiting for all runnables to end within grace period"));
      return;
    }
    log.info("Wait completed, proceeding to shutdown the manager");
  }

  /** @param left - resolves when no range of the shards belongs to this process */
  async #stopGroups(left: Promise<void> | undefined): Promise<void> {
    const { log, elector, releaseOnCancel, shards } = this.#options;
    log.info("Stopping and waiting for non leader election runnables");
    const others = this.others.stop();
    log.info("Stopping and waiting for warmup runnables");
    await Promise.all([this.warmup.stop(), others]);
    log.info("Stopping and waiting for leader election runnables");
    await this.leaderElection.stop();
    await left;
    log.info("Stopping and waiting for caches");
    await this.caches.stop();
    log.info("Stopping and waiting for webhooks");
    await this.webhooks.stop();
    log.info("Stopping and waiting for HTTP servers");
    await this.httpServers.stop();
    await this.#options.writeLast();
    abortController(this.#campaign);
    await shards?.end();
    await this.#member;
    await this.#election;
    if (releaseOnCancel) await elector?.release();
  }
}
