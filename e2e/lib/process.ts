import { type ChildProcess, spawn } from "node:child_process";

/** Options of a process in the background. */
export interface BackgroundOptions {
  cwd: string;
  env?: Record<string, string | undefined>;
  /** The user id; only root may set it. */
  uid?: number;
  gid?: number;
}

/** Milliseconds within which a process must end gracefully, even on a busy machine. */
const maxWait = 60_000;

/** A process that runs in the background of the test, such as the operator. */
export class Background {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  /** Its output so far, both streams in order of arrival. */
  output = "";

  constructor(command: string, args: readonly string[], options: BackgroundOptions) {
    this.#child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
      uid: options.uid,
      gid: options.gid,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on("data", (chunk) => {
        this.output += chunk;
      });
    }
    this.#ended = new Promise((resolve, reject) => {
      this.#child.on("close", (code) => resolve(code));
      this.#child.on("error", reject);
    });
    // Its end is reported to the caller that ends it. Until then, nothing handles a rejection.
    this.#ended.catch(() => {});
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get running(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Sends a signal to the process alone and returns its exit code. Kills its group after the timeout. */
  end(signal: NodeJS.Signals = "SIGTERM", timeout = maxWait): Promise<number | null> {
    if (this.running) this.#child.kill(signal);
    return this.#finish(timeout);
  }

  /** Sends a signal to the process group, as a terminal does, and returns the exit code of the process. */
  endGroup(signal: NodeJS.Signals, timeout = maxWait): Promise<number | null> {
    if (this.running) process.kill(-this.pid, signal);
    return this.#finish(timeout);
  }

  async #finish(timeout: number): Promise<number | null> {
    const timer = setTimeout(() => this.#killGroup(), timeout);
    const code = await this.#ended;
    clearTimeout(timer);
    this.#killGroup();
    return code;
  }

  /** A process that never started has no group, and 0 would be the group of this process. */
  #killGroup(): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // The group has already ended.
    }
  }
}
