import { setTimeout as sleep } from "node:timers/promises";
import { type Config, type Logger, Manager, newControllerManagedBy } from "@kubewright/runtime";
import { Namespace } from "@kubewright/runtime/api/core/v1";
import { rotatedLease, soakLabel } from "./protocol.ts";

interface Candidate {
  /** Resolves when the manager is the leader, or has ended. */
  led: Promise<boolean>;
  /** Resolves when the manager has ended, on request or because it lost the Lease. */
  ended: Promise<void>;
  stop(): void;
}

/**
 * Two managers of this process that compete for a Lease. The leader ends after its term, and a new candidate replaces it.
 */
export class Candidates {
  takeOvers = 0;
  readonly #config: Config;
  readonly #log: Logger;
  readonly #term: number;

  constructor(config: Config, { log, term }: { log: Logger; term: number }) {
    this.#config = config;
    this.#log = log;
    this.#term = term;
  }

  /** Resolves when the signal is aborted and both managers have ended. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#seat(signal), this.#seat(signal)]);
  }

  async #seat(signal: AbortSignal): Promise<void> {
    // Every second leader releases the Lease; the others leave it until it expires.
    for (let turn = 0; !signal.aborted; turn++) {
      const candidate = await this.#start(turn % 2 === 0);
      const stop = (): void => candidate.stop();
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      if (await candidate.led) {
        this.takeOvers++;
        await Promise.race([sleep(this.#term, undefined, { ref: false }), candidate.ended]);
      }
      candidate.stop();
      await candidate.ended;
      signal.removeEventListener("abort", stop);
    }
  }

  async #start(releases: boolean): Promise<Candidate> {
    const manager = await Manager.create(this.#config, {
      leaderElection: true,
      leaderElectionID: rotatedLease,
      leaderElectionNamespace: "default",
      leaderElectionReleaseOnCancel: releases,
      leaseDuration: 4000,
      renewDeadline: 3000,
      retryPeriod: 1000,
      cache: { defaultLabelSelector: `${soakLabel}=yes` },
      metrics: { bindAddress: "127.0.0.1:0" },
      logger: this.#log,
    });
    await newControllerManagedBy(manager)
      .for(Namespace)
      .complete({ reconcile: async () => ({ requeueAfter: 600_000 }) });
    const controller = new AbortController();
    // A lost Lease ends a manager with an error, as it must during an outage.
    const ended = manager.start(controller.signal).catch(() => {});
    const led = Promise.race([manager.elected.then(() => true), ended.then(() => false)]);
    return { led, ended, stop: () => controller.abort() };
  }
}
