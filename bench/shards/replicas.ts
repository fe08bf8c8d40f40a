// Starts replicas of the operator in replica.mjs, and asks them what they hold.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Config } from "@kubewright/runtime";
import { eventually } from "@kubewright/runtime/testing";
import { environment, started } from "../lib/process.ts";
import { elapsed } from "../lib/statistics.ts";
import type { Counts, Report, Settings } from "./replica.mjs";

/** Milliseconds until the replicas must hold what is expected of them. */
const longest = 600_000;
const program = fileURLToPath(new URL("replica.mjs", import.meta.url));

/** A running replica. */
export class Replica {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor(config: Config, sharding: boolean) {
    // The copy also shows the key, which JSON of a configuration hides.
    const settings: Settings = { config: { ...config }, sharding };
    const options = { env: environment, execArgv: ["--expose-gc"] };
    this.#child = fork(program, [JSON.stringify(settings)], options);
    this.#ended = once(this.#child, "exit");
    started(this.#child);
  }

  /** Asks the replica. With `collect`, it collects garbage before, and measures its heap. */
  async report({ collect = false } = {}): Promise<Report> {
    this.#child.send(collect ? "collect" : "report");
    const ended = this.#ended.then(() => Promise.reject(new Error("a replica has ended")));
    const [report] = (await Promise.race([once(this.#child, "message"), ended])) as [Report];
    return report;
  }

  /** Ends the replica, which hands over its ranges. Resolves to its last counts. */
  async stop(): Promise<Counts> {
    this.#child.send("stop");
    const [[counts]] = (await Promise.all([once(this.#child, "message"), this.#ended])) as [[Counts], unknown];
    return counts;
  }

  /** Ends the replica at once. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }
}

/** Asks all replicas at the same time. */
export function reports(replicas: readonly Replica[], options?: { collect?: boolean }): Promise<Report[]> {
  return Promise.all(replicas.map((replica) => replica.report(options)));
}

/** Waits until the reports are as expected. Returns the milliseconds that this took. */
export function until(
  what: string,
  replicas: readonly Replica[],
  isExpected: (all: readonly Report[]) => boolean,
): Promise<number> {
  const check = async (): Promise<boolean> => isExpected(await reports(replicas));
  // A replica that has ended won't answer.
  const options = { timeout: longest, interval: 500, isFinal: () => true };
  return elapsed(() => eventually(check, options)).catch((cause: unknown) => {
    throw new Error(`${what} didn't come`, { cause });
  });
}
