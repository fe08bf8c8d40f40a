import { setTimeout as sleep } from "node:timers/promises";
import type { GoodBundle } from "../build/bundler.ts";
import type { OfferedWebhooks } from "../packages.ts";
import type { ActiveFault } from "../protocol.ts";
import type { Records } from "../store/records.ts";
import type { ManagerFlags } from "./flags.ts";
import { Heartbeat } from "./heartbeat.ts";
import { LastingFaults } from "./lasting-faults.ts";
import {
  type InspectMessage,
  killAfter,
  type ManagerEnd,
  type ManagerEvents,
  ManagerProcess,
} from "./manager-process.ts";
import { reconciledEvent } from "./reconciled-event.ts";
import { Restarts, type RestartsHost } from "./restarts.ts";

/** Time in milliseconds in which a manager must not end to count as started, if it doesn't report its start. */
const settleTime = 5000;
/** Milliseconds that a request waits for a manager that is loaded. */
const loadTime = 10_000;
/** Milliseconds for a manager to offer its webhooks, if it doesn't report its start. */
const configureTime = 30_000;

/** The webhooks of the session, as managers use them. */
export interface SupervisedWebhooks {
  /** The project's manifest of webhooks; empty without one. */
  readonly manifest: string;
  /**
   * Lets the cluster call the webhooks of a manager.
   *
   * @returns the session whose configuration the manager must restore if this process is killed
   */
  serve(webhooks: OfferedWebhooks): Promise<string | undefined>;
  /** A manager without webhooks has started. */
  serveNothing(): Promise<void>;
  /** Requests wait for the next manager. */
  hold(): void;
}

/** The code of a manager. */
type Program = Pick<GoodBundle, "hash" | "write">;

/** The session that managers run in. */
export interface SupervisorHost extends RestartsHost {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly kubeconfig: string;
  /** Name of the manager in the API server's records. */
  readonly program: string;
  /** Identity of the managers in their lease; `undefined` for one that each chooses. */
  identity(): string | undefined;
  readonly flags: ManagerFlags;
  readonly webhooks: SupervisedWebhooks;
  readonly records: Records;
  /** Ends when the session ends. */
  readonly signal: AbortSignal;
  tell(message: InspectMessage): void;
  onLine(line: string): void;
  /**
   * Time in milliseconds after which a manager that doesn't report its start counts as started.
   *
   * @defaultValue 5 seconds
   */
  readonly settleTime?: number;
}

/** Runs the manager: one process at a time, replaced when its code or flags change. */
export class ManagerSupervisor {
  readonly #host: SupervisorHost;
  #manager: ManagerProcess | undefined;
  #state: "starting" | "running" | "stopped" | "failed" = "stopped";
  #startedAt: string | undefined;
  /** Identifies code and flags of the running manager. */
  #runningKey = "";
  #restarts = -1;
  #isPaused = false;
  /** Whether the running manager is being stopped for another one. */
  #isReplacing = false;
  /** The manager that has offered webhooks last. */
  #serving: ManagerProcess | undefined;
  /** Resolves when the webhooks of the last started manager work, or it has none. */
  #configured: Promise<void> = Promise.resolve();
  #onConfigured = (): void => {};
  #heartbeat: Heartbeat | undefined;
  readonly #faults = new LastingFaults();
  /** Resolves when the last started manager reports its start, or ends. */
  #begun: Promise<void> = Promise.resolve();
  readonly #retries: Restarts;

  constructor(host: SupervisorHost) {
    this.#host = host;
    this.#retries = new Restarts(host, this.#faults);
  }

  /** The running manager, if there is one. */
  get manager(): ManagerProcess | undefined {
    return this.#manager;
  }

  /**
   * Waits while a manager is loaded. A request to the one that it replaces would be lost.
   *
   * @returns the running manager, if there is one
   */
  async loaded(): Promise<ManagerProcess | undefined> {
    const limit = sleep(loadTime, "late", { ref: false });
    for (let begun: Promise<void> | undefined; begun !== this.#begun; ) {
      begun = this.#begun;
      if ((await Promise.race([begun, limit])) === "late") break;
    }
    return this.#manager;
  }

  /** The faults that have still an effect, or will have one on the next manager. */
  get faults(): readonly ActiveFault[] {
    return this.#faults.active;
  }

  /** Ends the faults that the next manager would continue. */
  clearFaults(): void {
    this.#faults.set([]);
  }

  get status() {
    return {
      state: this.#state,
      pid: this.#manager?.pid ?? null,
      startedAt: this.#startedAt ?? null,
      restarts: Math.max(0, this.#restarts),
      inspected: this.#manager?.isInspected ?? false,
    };
  }

  get paused(): boolean {
    return this.#isPaused;
  }

  /**
   * Holds back reconciles, or releases them. It stays in effect when the manager restarts.
   *
   * @throws Error if the running manager doesn't answer, or can't do it
   */
  async pause(paused: boolean): Promise<void> {
    const manager = this.#manager;
    const before = this.#isPaused;
    // A manager that starts now begins with this state.
    this.#isPaused = paused;
    try {
      await manager?.call({ call: "pause", paused });
    } catch (error) {
      // The next manager takes the place of one that has ended, or that hasn't started.
      if (manager === this.#manager && this.#state === "running" && !this.#isReplacing) {
        this.#isPaused = before;
        throw error;
      }
    }
    this.#host.emit({ event: "paused", paused });
  }

  async stop(): Promise<void> {
    this.#retries.cancel();
    this.#heartbeat?.stop();
    await this.#manager?.stop();
  }

  /** Resolves when the webhooks of the running manager work, or can't. */
  async webhooksConfigured(): Promise<void> {
    await Promise.race([this.#configured, sleep(configureTime, undefined, { ref: false })]);
  }

  /**
   * Starts a bundle in place of the running manager, and waits until it runs.
   *
   * @param bundle - the bundle
   * @param since - the time of the change that caused it, by `performance.now()`
   * @param force - whether a manager with the same code and flags is replaced too
   */
  async start(bundle: Program, since: number, force = false): Promise<void> {
    const { flags, webhooks } = this.#host;
    const args = flags.all();
    const key = JSON.stringify([bundle.hash, args, webhooks.manifest]);
    const isRunning = this.#state === "running" || this.#state === "starting";
    if (!force && isRunning && key === this.#runningKey) return;
    const path = this.#write(bundle);
    if (path === undefined) return;
    this.#retries.cancel();
    let end: ManagerEnd | undefined;
    let resolve = (): void => {};
    const begun = new Promise<void>((done) => {
      resolve = done;
    });
    this.#begun = begun;
    // It is loaded while the old one stops.
    const next = this.#create(path, args, {
      onMessage: (message, from) => {
        if (from !== this.#manager) return;
        if (message.type === "started") {
          this.#onStarted(from, since);
          resolve();
        } else this.#onRecord(message);
      },
      onWebhooks: (offered, from) => {
        if (from === this.#manager) void this.#onWebhooks(offered, from);
      },
      onFaults: (faults, from) => {
        if (from === this.#manager) this.#faults.set(faults);
      },
      onLine: (line) => this.#host.onLine(line),
      onEnd: (how, from) => {
        end = how;
        this.#onEnd(how, from);
        resolve();
      },
    });
    await this.#stopOld();
    if (this.#host.signal.aborted) return next.stop();
    this.#runningKey = key;
    this.#restarts++;
    this.#state = "starting";
    this.#manager = next;
    this.#configured = new Promise((done) => {
      this.#onConfigured = done;
    });
    if (end) return this.#onEnd(end, next);
    next.start(this.#faults.toInject);
    // Older runtimes report nothing.
    const settled = sleep(this.#host.settleTime ?? settleTime, undefined, { ref: false }).then(() => {
      if (next === this.#manager && this.#state === "starting") this.#onStarted(next, since);
    });
    await Promise.race([begun, settled]);
  }

  #create(path: string, args: readonly string[], events: ManagerEvents): ManagerProcess {
    const { root, env, kubeconfig, identity } = this.#host;
    const options = {
      cwd: root,
      env: { ...env, KUBECONFIG: kubeconfig, KUBEWRIGHT_PROGRAM: this.#host.program },
      isPaused: this.#isPaused,
      offersWebhooks: this.#host.flags.webhookAddress !== undefined,
      identity: identity(),
    };
    return new ManagerProcess(path, args, options, events);
  }

  async #stopOld(): Promise<void> {
    const isBlocked = this.#heartbeat?.isAnswering === false;
    this.#heartbeat?.stop();
    this.#isReplacing = true;
    this.#host.webhooks.hold();
    try {
      await this.#manager?.stop({ now: isBlocked });
    } finally {
      this.#isReplacing = false;
    }
  }

  /** Writes a bundle. If that fails, as with a full disk, the old manager continues to run. */
  #write(bundle: Pick<Program, "write">): string | undefined {
    try {
      return bundle.write();
    } catch (error) {
      const message = `can't write the bundle: ${(error as Error).message}`;
      const hint = "check the disk, then press r or save a file";
      this.#host.report("bundle", [{ phase: "bundle", message, hint }]);
      return undefined;
    }
  }

  /** The manager starts its caches after the answer. */
  async #onWebhooks(offered: OfferedWebhooks, manager: ManagerProcess): Promise<void> {
    this.#serving = manager;
    try {
      const restore = await this.#host.webhooks.serve(offered);
      manager.answerWebhooks(restore === undefined ? {} : { restore });
    } catch (error) {
      const message = `the cluster can't be configured to call the webhooks: ${(error as Error).message}`;
      manager.answerWebhooks({ error: message });
    }
    if (manager === this.#manager) this.#onConfigured();
  }

  /** A manager that reports its start has offered its webhooks, if it has any. */
  #onServing(manager: ManagerProcess): void {
    const configured = this.#serving === manager ? Promise.resolve() : this.#host.webhooks.serveNothing();
    const onConfigured = this.#onConfigured;
    configured.catch(() => undefined).finally(() => onConfigured());
  }

  #onStarted(manager: ManagerProcess, since: number): void {
    // A slow manager that counted as started, and reports its start now.
    if (manager.isInspected) this.#onServing(manager);
    if (this.#state === "running") {
      this.#host.tell({ type: "started" });
      return;
    }
    this.#state = "running";
    this.#startedAt = new Date().toISOString();
    this.#host.report("manager", []);
    // It can have changed since the process was created.
    manager.call({ call: "pause", paused: this.#isPaused }).catch(() => undefined);
    this.#host.emit({ event: "started", pid: manager.pid, durationMs: Math.round(performance.now() - since) });
    this.#host.tell({ type: "started" });
    this.#observe(manager);
  }

  /** Follows a started manager. */
  #observe(manager: ManagerProcess): void {
    this.#heartbeat?.stop();
    let isGuarded = false;
    this.#heartbeat = new Heartbeat(manager, (isAnswering) => {
      if (!isAnswering && !isGuarded) killAfter(process.pid, manager.pid);
      isGuarded ||= !isAnswering;
      const message = "the manager doesn't answer: its code blocks the event loop, or a debugger has stopped it";
      this.#host.report("manager", isAnswering ? [] : [{ phase: "manager", message }]);
    });
  }

  #onRecord(message: Exclude<InspectMessage, { type: "started" }>): void {
    if (message.type === "reconcile") {
      this.#host.records.addReconcile(message.reconcile);
      this.#host.emit(reconciledEvent(message.reconcile));
    } else this.#host.records.addAdmission(message.admission);
    this.#host.tell(message);
  }

  #onEnd(end: ManagerEnd, manager: ManagerProcess): void {
    if (manager !== this.#manager) return;
    this.#heartbeat?.stop();
    this.#host.webhooks.hold();
    this.#onConfigured();
    this.#manager = undefined;
    this.#state = end.expected ? "stopped" : "failed";
    if (end.expected || this.#host.signal.aborted) return;
    void this.#retries.onEnd(end);
  }
}
