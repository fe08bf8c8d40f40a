import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { TestEnvironment } from "../../src/envtest/index.ts";
import { Lease } from "../../src/leader-election/lease.ts";
import type { LeaseDurations } from "../../src/leader-election/options.ts";
import { ConfigMap, widget } from "../../src/manager/widget.fixture.ts";
import { History, type Moment } from "./history.ts";
import { directClient } from "./operator.ts";
import { TcpProxy } from "./tcp-proxy.ts";

/** A way to make a leader lose its lease. */
export type Fault = "kill" | "stop" | "release" | "cut off";

export interface FightOptions {
  environment: TestEnvironment;
  /** The event that ends the leadership in each term. */
  faults: readonly { fault: Fault; lease: LeaseDurations }[];
}

/** A competing process. */
export interface Fighter {
  name: string;
  lease: LeaseDurations;
  /** The event that hit it, if any. */
  fault: Fault | undefined;
  /** Start times of its reconciles, in milliseconds of the wall clock that all processes share. */
  starts: number[];
  exitCode: number | null;
  /** Its log. */
  output: string;
}

export interface FightReport {
  fighters: Fighter[];
  /** All writes of the lease and of the ledger, in the server's order. */
  leases: Moment<Lease>[];
  ledger: Moment<ConfigMap>[];
}

const maxWait = 60_000;
/** Writes of a leader before it is disturbed. */
export const leastWrites = 5;
const script = fileURLToPath(new URL("processes/candidate.ts", import.meta.url));

/**
 * Runs two processes that compete for a lease. The current leader is disturbed repeatedly, and the other process must take
 * over.
 */
export async function fight({ environment, faults }: FightOptions): Promise<FightReport> {
  const scratch = mkdtempSync(join(tmpdir(), "kubewright-fight-"));
  const { client, close } = directClient(environment.config);
  const all: Candidate[] = [];
  const enter = async (lease: LeaseDurations): Promise<Candidate> => {
    const candidate = await Candidate.start(environment, scratch, `candidate-${all.length}`, lease);
    all.push(candidate);
    return candidate;
  };
  try {
    await client.create<ConfigMap>({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "ledger", namespace: "default" },
    });
    for (const name of ["one", "two", "three"]) await client.create(widget(name, "red"));
    const leases = await History.start(client, Lease, "default");
    const ledger = await History.start(client, ConfigMap, "default");
    const writers = (): (string | undefined)[] => ledger.moments.map(({ object }) => object.data?.holder);
    const lastWriter = (): string | undefined => writers().at(-1);
    let two: Candidate[] = [];
    // Waits until the last writer is a running, undisturbed process, which is then the leader, and has written enough to be in
    // the middle of its work. Processes that exited after losing the lease are replaced.
    const leaderOf = async (lease: LeaseDurations): Promise<Candidate> => {
      for (const end = performance.now() + maxWait; performance.now() < end; await sleep(50)) {
        two = two.filter(({ isRunning }) => isRunning);
        while (two.length < 2) two.push(await enter(lease));
        const leader = two.find(({ name }) => name === lastWriter());
        if (leader && writers().filter((name) => name === leader.name).length >= leastWrites) return leader;
      }
      throw new Error(`no leader among ${two.map(({ name }) => name)}; the last writer was ${lastWriter()}`);
    };
    for (const { fault, lease } of faults) {
      const leader = await leaderOf(lease);
      const next = enter(lease);
      await leader.inject(fault);
      two = [...two.filter((one) => one !== leader), await next];
    }
    await leaderOf(faults[0]!.lease);
    for (const candidate of two) await candidate.inject("release");
    await Promise.all(all.map(({ gone }) => gone));
    await leases.stop();
    await ledger.stop();
    return { fighters: all.map((one) => one.report()), leases: leases.moments, ledger: ledger.moments };
  } finally {
    for (const candidate of all) await candidate.end();
    await close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

class Candidate {
  readonly name: string;
  readonly gone: Promise<void>;
  readonly #lease: LeaseDurations;
  readonly #child: ChildProcess;
  readonly #cable: TcpProxy;
  readonly #starts: string;
  readonly #output: string;
  #fault: Fault | undefined;

  private constructor(parts: {
    name: string;
    lease: LeaseDurations;
    child: ChildProcess;
    cable: TcpProxy;
    starts: string;
    output: string;
  }) {
    this.name = parts.name;
    this.#lease = parts.lease;
    this.#child = parts.child;
    this.#cable = parts.cable;
    this.#starts = parts.starts;
    this.#output = parts.output;
    this.gone = new Promise((resolve) => this.#child.once("exit", () => resolve()));
  }

  static async start(
    environment: TestEnvironment,
    scratch: string,
    name: string,
    lease: LeaseDurations,
  ): Promise<Candidate> {
    const cable = await TcpProxy.start(environment.config);
    const { ca, cert, key } = environment.config;
    const starts = join(scratch, `${name}.starts`);
    const output = join(scratch, `${name}.log`);
    const log = openSync(output, "a");
    // Created in advance: the process can end before it writes its first line.
    writeFileSync(starts, "");
    const durations = [lease.leaseDuration, lease.renewDeadline, lease.retryPeriod].map(String);
    const child = spawn(process.execPath, ["--import", "tsx", script, name, cable.config.host, ...durations, starts], {
      stdio: ["ignore", log, log],
      env: { ...process.env, CANDIDATE_CA: ca, CANDIDATE_CERT: cert, CANDIDATE_KEY: key },
    });
    closeSync(log);
    return new Candidate({ name, lease, child, cable, starts, output });
  }

  /** Checks whether the process can lead: it runs and wasn't disturbed. */
  get isRunning(): boolean {
    return this.#fault === undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves when the disturbance is over. The process can still be ending. */
  async inject(fault: Fault): Promise<void> {
    this.#fault = fault;
    if (fault === "kill") this.#child.kill("SIGKILL");
    else if (fault === "release") this.#child.kill("SIGTERM");
    else if (fault === "cut off") this.#cable.state = "frozen";
    else {
      this.#child.kill("SIGSTOP");
      // Long enough for the other process to lead and write before this one resumes in the middle of its work.
      await sleep(this.#lease.leaseDuration * 2 + 500);
      this.#child.kill("SIGCONT");
    }
  }

  async end(): Promise<void> {
    this.#child.kill("SIGKILL");
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.gone;
    await this.#cable.close();
  }

  report(): Fighter {
    const starts = readFileSync(this.#starts, "utf8").split("\n").filter(Boolean).map(Number);
    const { name } = this;
    const fault = this.#fault;
    return {
      name,
      lease: this.#lease,
      fault,
      starts,
      exitCode: this.#child.exitCode,
      output: readFileSync(this.#output, "utf8"),
    };
  }
}
