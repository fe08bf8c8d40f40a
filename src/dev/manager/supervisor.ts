import { setTimeout as sleep } from "node:timers/promises";
import type { ActiveFault, InspectMessage } from "@kubewright/dashboard/protocol";
import { type GoodBundle, removeBundle } from "../build/bundler.ts";
import type { OfferedWebhooks } from "../client/packages.ts";
import type { Records } from "../store/records.ts";
import type { ManagerFlags } from "./flags.ts";
import { Heartbeat } from "./heartbeat.ts";
import { LastingFaults } from "./lasting-faults.ts";
import { killAfter, type ManagerEnd, ManagerProcess } from "./manager-process.ts";
import { reconciledEvent } from "./reconciled-event.ts";
import { type RestartParts, Restarts } from "./restarts.ts";

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
  /** File with the keys of the endpoint and of the managers. */
  readonly keys: string;
  /**
   * Lets the cluster call the webhooks of a manager.
   *
   * @returns the session whose configuration the manager must restore if this process is killed
   */
  serve(webhooks: OfferedWebhooks & Pick<GoodBundle, "conversions">): Promise<string | undefined>;
  /** A manager without webhooks has started. */
  serveNothing(): Promise<void>;
  /** Requests wait for the next manager. */
  hold(): void;
}

/** The code of a manager. */
type Program = Pick<GoodBundle, "hash" | "conversions" | "write">;

/** The settings of all managers of a session. */
export interface ManagerSettings {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly kubeconfig: string;
  /** Name of the manager in the API server's records. */
  readonly program: string;
  /** Identity of the managers in their lease; `undefined` for one that each chooses. */
  identity(): string | undefined;
  /**
   * Time in milliseconds after which a manager that doesn't report its start counts as started.
   *
   * @defaultValue 5 seconds
   */
  readonly settleTime?: number;
}

/** The parts of a session that managers use. */
export interface SupervisorParts extends RestartParts {
  readonly settings: ManagerSettings;
  readonly flags: ManagerFlags;
  readonly webhooks: SupervisedWebhooks;
  readonly records: Records;
  /** Ends when the session ends. */
  readonly signal: AbortSignal;
}

/** A process with the code of a manager, which waits for its start. */
interface LoadedManager {
  /** Identifies its code, flags and state. */
  readonly key: string;
  readonly path: string;
  readonly process: ManagerProcess;
  /** Resolves when it reports its start, or ends. */
  readonly begun: Promise<void>;
  /** How it ended; `undefined` if it hasn't. */
  readonly end: () => ManagerEnd | undefined;
}

/** Runs the manager: one process at a time, replaced when its code or flags change. */
export class ManagerSupervisor {
  readonly #session: SupervisorParts;
  #manager: ManagerProcess | undefined;
  #state: "starting" | "running" | "stopped" | "failed" = "stopped";
  #startedAt: string | undefined;
  /** Identifies code and flags of the running manager. */
  #runningKey = "";
  #conversions = "";
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
  #next: LoadedManager | undefined;
  /** The time of the change that caused the last start, by `performance.now()`. */
  #since = 0;
  readonly #faults = new LastingFaults();
  /** Resolves when the last started manager reports its start, or ends. */
  #begun: Promise<void> = Promise.resolve();
  readonly #retries: Restarts;

  /** @param session - the parts of the session */
  constructor(session: SupervisorParts) {
    this.#session = session;
    this.#retries = new Restarts(session, this.#faults);
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

  /** The faults that still have an effect, or will have one on the next manager. */
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
    this.#session.events.emit({ event: "paused", paused });
  }

  async stop(): Promise<void> {
    this.#retries.cancel();
    this.#heartbeat?.stop();
    await Promise.all([this.unload(), this.#manager?.stop()]);
  }

  /**
   * Loads a bundle, so that {@link start} takes less time. Its code doesn't run: it may still have type errors, for example.
   *
   * @param bundle - the bundle
   */
  load(bundle: Program): void {
    const [running, loaded] = this.#keysOf(bundle);
    const isRunning = this.#state === "running" || this.#state === "starting";
    if (this.#session.signal.aborted || (isRunning && running === this.#runningKey) || this.#next?.key === loaded)
      return;
    void this.unload();
    try {
      this.#next = this.#create(bundle.write(), loaded);
    } catch {
      // The start tries it again, and reports the problem.
    }
  }

  /** Ends the process of the loaded bundle, if there is one. */
  async unload(): Promise<void> {
    const next = this.#next;
    this.#next = undefined;
    if (!next) return;
    await next.process.stop();
    // Otherwise, the bundle of the running manager would soon be an old one, which is removed.
    removeBundle(next.path);
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
    const [key, loaded] = this.#keysOf(bundle);
    const isRunning = this.#state === "running" || this.#state === "starting";
    if (!force && isRunning && key === this.#runningKey) return;
    // It is loaded while the old one stops, or already was during the check of its types.
    const next = this.#next?.key === loaded && !this.#next.end() ? this.#next : this.#written(bundle, loaded);
    if (next === undefined) return;
    if (next === this.#next) this.#next = undefined;
    else void this.unload();
    this.#retries.cancel();
    this.#since = since;
    this.#begun = next.begun;
    await this.#stopOld();
    if (this.#session.signal.aborted) return next.process.stop();
    [this.#runningKey, this.#conversions] = [key, bundle.conversions];
    this.#restarts++;
    this.#state = "starting";
    this.#manager = next.process;
    this.#configured = new Promise((done) => {
      this.#onConfigured = done;
    });
    const end = next.end();
    if (end) return this.#onEnd(end, next.process);
    next.process.start(this.#faults.toInject);
    // Older runtimes report nothing.
    const settled = sleep(this.#session.settings.settleTime ?? settleTime, undefined, { ref: false }).then(() => {
      if (next.process === this.#manager && this.#state === "starting") this.#onStarted(next.process);
    });
    await Promise.race([next.begun, settled]);
  }

  /** Returns what identifies a running manager, and what identifies a loaded one. */
  #keysOf({ hash }: Program): [running: string, loaded: string] {
    const { flags, webhooks, settings } = this.#session;
    const args = flags.all();
    return [
      JSON.stringify([hash, args, webhooks.manifest]),
      JSON.stringify([hash, args, this.#isPaused, flags.webhookAddress !== undefined, settings.identity()]),
    ];
  }

  /** Creates the process of a manager. */
  #create(path: string, key: string): LoadedManager {
    const { flags, webhooks, events, settings } = this.#session;
    const { root, env, kubeconfig, program } = settings;
    const options = {
      cwd: root,
      env: { ...env, KUBECONFIG: kubeconfig, KUBEWRIGHT_PROGRAM: program },
      isPaused: this.#isPaused,
      webhookKeys: flags.webhookAddress && webhooks.keys,
      identity: settings.identity(),
    };
    let end: ManagerEnd | undefined;
    let resolve = (): void => {};
    const begun = new Promise<void>((done) => {
      resolve = done;
    });
    const process = new ManagerProcess(path, flags.all(), options, {
      onMessage: (message, from) => {
        if (from !== this.#manager) return;
        if (message.type === "started") {
          this.#onStarted(from);
          resolve();
        } else this.#onRecord(message);
      },
      onWebhooks: (offered, from) => {
        if (from === this.#manager) void this.#onWebhooks(offered, from);
      },
      onFaults: (faults, from) => {
        if (from === this.#manager) this.#faults.set(faults);
      },
      onLine: (line) => events.send("line", line),
      onEnd: (how, from) => {
        end = how;
        this.#onEnd(how, from);
        resolve();
      },
    });
    return { key, path, process, begun, end: () => end };
  }

  async #stopOld(): Promise<void> {
    const isBlocked = this.#heartbeat?.isAnswering === false;
    this.#heartbeat?.stop();
    this.#isReplacing = true;
    this.#session.webhooks.hold();
    try {
      await this.#manager?.stop({ now: isBlocked });
    } finally {
      this.#isReplacing = false;
    }
  }

  /** Writes and loads a bundle. If that fails, as with a full disk, the old manager continues to run. */
  #written(bundle: Program, key: string): LoadedManager | undefined {
    try {
      return this.#create(bundle.write(), key);
    } catch (error) {
      const message = `can't write the bundle: ${(error as Error).message}`;
      const hint = "check the disk, then press r or save a file";
      this.#session.events.report("bundle", [{ phase: "bundle", message, hint }]);
      return undefined;
    }
  }

  /** The manager starts its caches after the answer. */
  async #onWebhooks(offered: OfferedWebhooks, manager: ManagerProcess): Promise<void> {
    this.#serving = manager;
    try {
      const restore = await this.#session.webhooks.serve({ ...offered, conversions: this.#conversions });
      manager.answerWebhooks(restore === undefined ? {} : { restore });
    } catch (error) {
      const message = `the cluster can't be configured to call the webhooks: ${(error as Error).message}`;
      manager.answerWebhooks({ error: message });
    }
    if (manager === this.#manager) this.#onConfigured();
  }

  /** A manager that reports its start has offered its webhooks, if it has any. */
  #onServing(manager: ManagerProcess): void {
    const configured = this.#serving === manager ? Promise.resolve() : this.#session.webhooks.serveNothing();
    const onConfigured = this.#onConfigured;
    configured.catch(() => undefined).finally(() => onConfigured());
  }

  #onStarted(manager: ManagerProcess): void {
    // A slow manager that counted as started, and reports its start now.
    if (manager.isInspected) this.#onServing(manager);
    if (this.#state === "running") {
      this.#session.events.send("message", { type: "started" });
      return;
    }
    this.#state = "running";
    this.#startedAt = new Date().toISOString();
    this.#session.events.report("manager", []);
    // It can have changed since the process was created.
    manager.call({ call: "pause", paused: this.#isPaused }).catch(() => undefined);
    this.#session.events.emit({
      event: "started",
      pid: manager.pid,
      durationMs: Math.round(performance.now() - this.#since),
    });
    this.#session.events.send("message", { type: "started" });
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
      this.#session.events.report("manager", isAnswering ? [] : [{ phase: "manager", message }]);
    });
  }

  #onRecord(message: Exclude<InspectMessage, { type: "started" }>): void {
    if (message.type === "reconcile") {
      this.#session.records.addReconcile(message.reconcile);
      this.#session.events.emit(reconciledEvent(message.reconcile));
    } else this.#session.records.addAdmission(message.admission);
    this.#session.events.send("message", message);
  }

  #onEnd(end: ManagerEnd, manager: ManagerProcess): void {
    if (manager !== this.#manager) return;
    this.#heartbeat?.stop();
    this.#session.webhooks.hold();
    this.#onConfigured();
    this.#manager = undefined;
    this.#state = end.expected ? "stopped" : "failed";
    if (end.expected || this.#session.signal.aborted) return;
    void this.#retries.onEnd(end);
  }
}
