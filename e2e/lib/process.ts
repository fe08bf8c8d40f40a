import { type ChildProcess, spawn } from "node:child_process";

/** How a finished command ended. */
export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd: string;
  env?: Record<string, string | undefined>;
  input?: string;
  /** As whom a {@link Background} runs; only root may say so. */
  uid?: number;
  gid?: number;
}

/** Runs a command to its end, with nothing on standard input unless given. */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });
}

/** Like {@link run}, but any exit code other than 0 fails the test with the output of the command. */
export async function must(command: string, args: readonly string[], options: RunOptions): Promise<Finished> {
  const result = await run(command, args, options);
  if (result.code !== 0) {
    throw new Error(`${command} ${args.join(" ")} ended with ${result.code}\n${result.stdout}\n${result.stderr}`);
  }
  return result;
}

/** Milliseconds that a process may take to end gracefully on a busy machine. */
const patience = 60_000;

/** A process that goes on while the test does, such as the operator. */
export class Background {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  /** Everything it has printed so far, both streams in order of arrival. */
  output = "";

  constructor(command: string, args: readonly string[], options: RunOptions) {
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
    // Its end is reported to the caller that ends it; until then there is no listener.
    this.#ended.catch(() => {});
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get running(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Sends a signal to the process alone and gives its exit code; its group is killed where it takes longer. */
  end(signal: NodeJS.Signals = "SIGTERM", timeout = patience): Promise<number | null> {
    if (this.running) this.#child.kill(signal);
    return this.#finish(timeout);
  }

  /** Sends a signal to the process and all that it started, as a terminal does, and gives its exit code. */
  endGroup(signal: NodeJS.Signals, timeout = patience): Promise<number | null> {
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

  /** Of one that never started there is no group: 0 would be that of this very process. */
  #killGroup(): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // Nothing of the group is left.
    }
  }
}
