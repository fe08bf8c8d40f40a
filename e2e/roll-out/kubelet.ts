// Probes a process as a kubelet does, with the settings of its Deployment.
import { setTimeout as sleep } from "node:timers/promises";
import type { Probe } from "./operator.ts";

/** Runs one probe of a process repeatedly until it is stopped. */
export class Prober {
  /** Number of sent probes, and of failed ones. */
  sent = 0;
  failed = 0;
  /** Whether the number of consecutive failures has reached the threshold at which a kubelet acts. */
  hasFailed = false;
  /** The longest response time in milliseconds. */
  slowest = 0;
  #inARow = 0;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  /** `began`: the start time of the process, from `performance.now()`. */
  constructor(url: string, probe: Probe, began: number) {
    this.#running = this.#run(`${url}${probe.path}`, probe, began);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(url: string, probe: Probe, began: number): Promise<void> {
    const { signal } = this.#stop;
    const rest = (milliseconds: number) => sleep(milliseconds, undefined, { signal }).catch(() => {});
    await rest(began + probe.initialDelaySeconds * 1000 - performance.now());
    for (; !signal.aborted; await rest(probe.periodSeconds * 1000)) await this.#probe(url, probe);
  }

  async #probe(url: string, { timeoutSeconds, failureThreshold }: Probe): Promise<void> {
    const sent = performance.now();
    this.sent++;
    try {
      // A kubelet opens a connection for each probe.
      const options = { signal: AbortSignal.timeout(timeoutSeconds * 1000), headers: { connection: "close" } };
      const { status } = await fetch(url, options);
      if (status !== 200) throw new Error(`status ${status}`);
      this.#inARow = 0;
    } catch {
      this.failed++;
      this.#inARow++;
      if (this.#inARow >= failureThreshold) this.hasFailed = true;
    }
    this.slowest = Math.max(this.slowest, performance.now() - sent);
  }
}
