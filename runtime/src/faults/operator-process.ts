import { type ChildProcess, fork } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What an operator tells of itself, after a garbage collection. */
export interface OperatorState {
  reconciles: number;
  /** Promises that were rejected with nobody listening. */
  unhandled: number;
  /** Bytes. */
  heapUsed: number;
  external: number;
  rss: number;
  /** Names of the Widgets in its cache. */
  cached: string[];
}

/** The operator under test in its own process. */
export class OperatorProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<number | null>;

  /** Starts it against a server; its log goes into a file. */
  constructor(host: string, log: string) {
    const output = openSync(log, "a");
    this.#child = fork(fileURLToPath(new URL("processes/operator.ts", import.meta.url)), [host], {
      execArgv: ["--expose-gc", "--import", "tsx"],
      stdio: ["ignore", output, output, "ipc"],
    });
    closeSync(output);
    this.#exited = new Promise((resolve) => this.#child.once("exit", resolve));
  }

  /** Rejects when it has ended, which it never does unasked. */
  async state(): Promise<OperatorState> {
    const answer = new Promise<OperatorState>((resolve) => {
      this.#child.once("message", (message) => resolve(message as OperatorState));
    });
    this.#child.send("tell");
    return Promise.race([
      answer,
      this.#exited.then((code): never => {
        throw new Error(`the operator ended with code ${code}`);
      }),
    ]);
  }

  /** Ends it as a signal would, with force after half a minute; gives its exit code. */
  async stop(): Promise<number | null> {
    if (this.#child.connected) this.#child.send("stop");
    const late = setTimeout(() => this.#child.kill("SIGKILL"), 30_000);
    const code = await this.#exited;
    clearTimeout(late);
    return code;
  }
}
