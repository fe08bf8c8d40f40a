import type { KubeClient } from "../client/kube-client.ts";
import type { SessionEvents } from "../store/session-events.ts";
import { endMessage } from "./end-message.ts";
import type { LastingFaults } from "./lasting-faults.ts";
import type { ManagerEnd } from "./manager-process.ts";
import { type Address, isFree, takenAddress, untilFree } from "./ports.ts";
import { responds, untilResponds } from "./server-response.ts";

/** In the errors of requests during the fault, by the runtime. */
const outage = "(fault: unavailable)";

/** The parts of a session that restarts use. */
export interface RestartParts {
  readonly events: SessionEvents;
  client(): KubeClient;
  /** Requests a start of the last bundle. */
  restart(): void;
}

/** Reports that a manager has ended, and starts it again without an action of the user when the cause is over. */
export class Restarts {
  readonly #session: RestartParts;
  readonly #faults: LastingFaults;
  #wait = new AbortController();

  /**
   * @param session - the parts of the session
   * @param faults - the faults of the managers
   */
  constructor(session: RestartParts, faults: LastingFaults) {
    this.#session = session;
    this.#faults = faults;
  }

  /** Ends the wait: another manager starts, or the session ends. */
  cancel(): void {
    this.#wait.abort();
  }

  /** Handles the end of a manager that the session hasn't stopped. */
  async onEnd(end: ManagerEnd): Promise<void> {
    this.#wait = new AbortController();
    const { signal } = this.#wait;
    const taken = takenAddress(end.output);
    const isOver = taken ? await this.#portIsFree(end, taken, signal) : await this.#serverIsReachable(end, signal);
    if (isOver && !signal.aborted) this.#session.restart();
  }

  /** Waits while another program uses one of the manager's ports. Returns false if the manager uses it twice itself. */
  async #portIsFree(end: ManagerEnd, address: Address, signal: AbortSignal): Promise<boolean> {
    const isOwn = await isFree(address);
    if (signal.aborted) return false;
    this.#report(end, isOwn ? undefined : "stop the program that uses the port: the manager starts when it is free");
    if (!isOwn) await untilFree(address, signal);
    return !isOwn;
  }

  /** Waits for the end of faults, or for the server. Returns false if the cause is another one. */
  async #serverIsReachable(end: ManagerEnd, signal: AbortSignal): Promise<boolean> {
    const faults = this.#faults.timed;
    if (faults.length > 0) {
      this.#report(end, `it starts again when the fault ${faults.join(", ")} ends: npx scaffold dev fault clear`);
      await this.#faults.over(signal);
      return true;
    }
    // The fault can be over before the end of the manager is known. The next one can't end with it.
    if (endMessage(end).includes(outage)) {
      this.#report(end, "it starts again, because the fault unavailable is over");
      return true;
    }
    this.#report(end);
    if (await responds(this.#session.client, signal)) return false;
    if (signal.aborted) return false;
    this.#session.events.note("the API server doesn't respond: the manager starts again when it does");
    await untilResponds(this.#session.client, signal);
    return true;
  }

  #report(end: ManagerEnd, hint?: string): void {
    const problem = { phase: "manager", message: endMessage(end) } as const;
    this.#session.events.report("manager", [hint === undefined ? problem : { ...problem, hint }]);
  }
}
