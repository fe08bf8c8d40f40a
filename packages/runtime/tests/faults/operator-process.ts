import { type ChildProcess, fork } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The state of an operator after a garbage collection. */
export interface OperatorState {
  reconciles: number;
  /** Number of unhandled promise rejections. */
  unhandled: number;
  /** Size in bytes, like the following two fields. */
  heapUsed: number;
  external: number;
  rss: number;
  /** Names of the cached Widgets. */
  cached: string[];
}

/** An operator under test in a separate process. `S` is the state that its program reports. */
export class OperatorProcess<S extends OperatorState = OperatorState> {
  readonly #child: ChildProcess;
  readonly #exited: Promise<number | null>;

  /**
   * Starts the operator.
   *
   * @param argument the program's argument; the server's address for the default program
   * @param log the file for its log
   * @param program the program; an operator of Widgets by default
   */
  constructor(argument: string, log: string, program: URL = new URL("processes/operator.ts", import.meta.url)) {
    const output = openSync(log, "a");
    this.#child = fork(fileURLToPath(program), [argument], {
      execArgv: ["--expose-gc", "--import", "tsx"],
      stdio: ["ignore", output, output, "ipc"],
    });
    closeSync(output);
    this.#exited = new Promise((resolve) => this.#child.once("exit", resolve));
  }

  /** Returns the state of the operator. Rejects if the process has ended. */
  async state(): Promise<S> {
    return this.#ask("tell");
  }

  /** Writes a heap snapshot to a file. Not all programs support it. */
  async snapshot(file: string): Promise<void> {
    await this.#ask({ snapshot: file });
  }

  /** Stops the process as a signal would, and kills it after half a minute. Returns its exit code. */
  async stop(): Promise<number | null> {
    if (this.#child.connected) this.#child.send("stop");
    const late = setTimeout(() => this.#child.kill("SIGKILL"), 30_000);
    const code = await this.#exited;
    clearTimeout(late);
    return code;
  }

  async #ask<A>(question: string | object): Promise<A> {
    const answer = new Promise<A>((resolve) => {
      this.#child.once("message", (message) => resolve(message as A));
    });
    this.#child.send(question);
    return Promise.race([
      answer,
      this.#exited.then((code): never => {
        throw new Error(`the operator ended with code ${code}`);
      }),
    ]);
  }
}
