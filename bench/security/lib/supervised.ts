// Runs a manager within the limits of a container, and restarts it when it ends, as a kubelet does.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cgroup } from "../../lib/cgroup.ts";
import { processUsage, started } from "../../lib/process.ts";
import type { AttackedManager } from "./managers.ts";

/** Milliseconds between two measurements of the memory. */
const sampleInterval = 200;
/** Milliseconds between two probes, and the timeout of each (the default of `timeoutSeconds`). */
const probeInterval = 1000;
const probeTimeout = 1000;
/** Milliseconds within which a manager must be ready. */
const startTimeout = 60_000;
/** Milliseconds within which a restarted manager is expected to be ready. */
const restartTime = 15_000;
/** Milliseconds from SIGTERM to SIGKILL, as set by `terminationGracePeriodSeconds` in the scaffolded manifest. */
const grace = 10_000;

export interface SupervisedOptions {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cgroup?: Cgroup;
  readonly healthPort: number;
  /** The file of its output. */
  readonly log: string;
}

export class SupervisedManager {
  /** How often the process has ended without being stopped. */
  ended = 0;
  /** The exit code or signal of the last unexpected end. */
  lastEnd?: string;
  peakMiB = 0;
  readonly probes = { sent: 0, failed: 0 };
  readonly #manager: AttackedManager;
  readonly #options: SupervisedOptions;
  #child?: ChildProcess;
  #stopping = false;
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(manager: AttackedManager, options: SupervisedOptions) {
    this.#manager = manager;
    this.#options = options;
  }

  /** Starts the manager. Resolves when it is ready. */
  async start(): Promise<void> {
    this.#spawn();
    const end = Date.now() + startTimeout;
    while (!(await this.#isReady())) {
      if (Date.now() > end || this.ended > 0) {
        throw new Error(
          `the manager ${this.#manager.name} is not ready: ${this.lastEnd ?? "time limit"}, see ${this.#options.log}`,
        );
      }
      await sleep(100);
    }
    this.#timers.push(
      setInterval(() => this.#sample(), sampleInterval),
      setInterval(() => this.#probe(), probeInterval),
    );
  }

  /** Stops the process, waits for `between`, and starts the process again. Doesn't require that it becomes ready. */
  async restart(between: () => Promise<unknown>): Promise<void> {
    await this.#end();
    await between();
    this.#stopping = false;
    this.#spawn();
    const end = Date.now() + restartTime;
    while (!(await this.#isReady()) && Date.now() < end) await sleep(100);
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#sample();
    await this.#end();
  }

  async #end(): Promise<void> {
    this.#stopping = true;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGKILL"), grace);
    await exited;
    clearTimeout(late);
  }

  #spawn(): void {
    const { args, env, cgroup, log } = this.#options;
    const { argv, withoutCgroup } = this.#manager;
    // The shell enters the cgroup and then becomes the manager, so that the limits apply from the first instruction.
    const enter = (cgroup?.files ?? []).map((file) => `echo $$ > ${file} && `).join("");
    const child = spawn("sh", ["-c", `${enter}exec "$@"`, "sh", ...argv, ...args], {
      env: { PATH: process.env.PATH, ...env, ...(cgroup ? {} : withoutCgroup) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = createWriteStream(log, { flags: "a" });
    child.stdout.pipe(output, { end: false });
    child.stderr.pipe(output, { end: false });
    child.once("exit", (code, signal) => {
      if (this.#stopping) return;
      this.ended++;
      this.lastEnd = signal ?? `exit code ${code}`;
      this.#spawn();
    });
    this.#child = child;
  }

  #sample(): void {
    if (this.#child === undefined) return;
    try {
      this.peakMiB = Math.max(this.peakMiB, processUsage(started(this.#child)).peakMiB);
    } catch {
      // The process has just ended.
    }
  }

  async #probe(): Promise<void> {
    this.probes.sent++;
    if (!(await this.#isReady())) this.probes.failed++;
  }

  #isReady(): Promise<boolean> {
    return new Promise((resolve) => {
      const options = { host: "127.0.0.1", port: this.#options.healthPort, path: "/readyz", agent: false };
      const sent = get({ ...options, signal: AbortSignal.timeout(probeTimeout) }, (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      });
      sent.on("error", () => resolve(false));
    });
  }
}
