import { setTimeout as sleep } from "node:timers/promises";
import type { ActiveFault, Fault } from "@kubewright/dashboard/protocol";

/** In seconds: the runtime accepts no longer faults. */
const longest = 600;

/**
 * The faults of a session that haven't ended. The next manager continues them: a person who injects a fault and saves a file wants to
 * see how the new code copes with it.
 */
export class LastingFaults {
  #faults: readonly { readonly fault: ActiveFault; readonly endsAt: number }[] = [];

  #wake: () => void = () => {};

  /** Receives all faults of the manager. */
  set(faults: readonly ActiveFault[]): void {
    // The clock of the computer can be set before they end.
    const offset = performance.now() - Date.now();
    this.#faults = faults.map((fault) => ({
      fault,
      endsAt: fault.until === undefined ? Number.POSITIVE_INFINITY : Date.parse(fault.until) + offset,
    }));
    this.#wake();
  }

  /** Names of the faults that end by themselves, and haven't. */
  get timed(): readonly Fault["fault"][] {
    return this.active.filter(({ until }) => until !== undefined).map(({ fault }) => fault);
  }

  /** Resolves when the faults that end by themselves are over or cleared, or when the signal aborts. */
  async over(signal: AbortSignal): Promise<void> {
    while (this.timed.length > 0 && !signal.aborted) {
      const left = Math.max(...this.#faults.map(({ endsAt }) => (endsAt === Number.POSITIVE_INFINITY ? 0 : endsAt)));
      const changed = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      const wait = sleep(left - performance.now() + 1, undefined, { signal, ref: false }).catch(() => undefined);
      await Promise.race([changed, wait]);
    }
  }

  /** The faults that still have an effect. */
  get active(): readonly ActiveFault[] {
    const now = performance.now();
    return this.#faults.filter(({ endsAt }) => endsAt > now).map(({ fault }) => fault);
  }

  /** The same, as faults to inject. */
  get toInject(): readonly Fault[] {
    const now = performance.now();
    return this.#faults.flatMap(({ fault: { fault, left = 0, apiVersion, kind }, endsAt }): Fault[] => {
      const seconds = Math.min(longest, (endsAt - now) / 1000);
      if (fault === "conflict") {
        return [{ fault, count: left, ...(apiVersion ? { apiVersion } : {}), ...(kind ? { kind } : {}) }];
      }
      const lasts = (fault === "unavailable" || fault === "webhook-down") && seconds > 0;
      return lasts ? [{ fault, seconds }] : [];
    });
  }
}
