import { type CacheStatus, type Controllers, type Queues, RequestError } from "@kubewright/dashboard/protocol";
import { EndedError, LateError } from "./manager-process.ts";
import type { ManagerSupervisor } from "./supervisor.ts";

/** A request to a manager, by its name. */
type ManagerCall = { readonly call: string } & Readonly<Record<string, unknown>>;

/** Sends the requests of people to the running manager. */
export class ManagerRequests {
  readonly #supervisor: Pick<ManagerSupervisor, "manager" | "loaded" | "status" | "paused" | "pause">;

  /** @param supervisor - runs the manager */
  constructor(supervisor: Pick<ManagerSupervisor, "manager" | "loaded" | "status" | "paused" | "pause">) {
    this.#supervisor = supervisor;
  }

  /**
   * Reads something from the running manager.
   *
   * @throws RequestError if no manager runs, or if it doesn't answer
   */
  async read<T>(call: ManagerCall): Promise<T> {
    const { manager } = this.#supervisor;
    if (!manager) throw new RequestError(409, "the manager isn't running", "fix the errors, or press r in the session");
    try {
      return await manager.call<T>(call);
    } catch (error) {
      throw new RequestError(409, (error as Error).message, undefined, { cause: error });
    }
  }

  /**
   * Requests a change of the manager, from the next one if it is being replaced.
   *
   * @throws RequestError if no manager runs, or if it doesn't answer
   */
  async change<T>(call: ManagerCall): Promise<T> {
    const manager = await this.#supervisor.loaded();
    if (manager && !manager.isInspected && this.#supervisor.status.state === "starting") {
      throw new RequestError(409, "the manager is still loading", "try again when it has started");
    }
    return this.read<T>(call).catch((error: RequestError) => {
      // It was replaced in the meantime.
      if (error.cause instanceof EndedError) return this.change<T>(call);
      if (error.cause instanceof LateError) {
        throw new RequestError(409, error.message, "what was requested happens when it answers again");
      }
      throw error;
    });
  }

  /** Returns the length of each controller's queue, and its items. */
  async queues(): Promise<Queues> {
    return { controllers: await this.read<Queues["controllers"]>({ call: "queues" }) };
  }

  /** Returns the controllers of the running manager. */
  async controllers(): Promise<Controllers> {
    const { controllers } = await this.read<Pick<Controllers, "controllers">>({ call: "controllers" });
    return { paused: this.#supervisor.paused, controllers };
  }

  /** Returns the caches of the running manager. */
  caches(): Promise<readonly CacheStatus[]> {
    return this.read<readonly CacheStatus[]>({ call: "caches" });
  }

  /** @throws RequestError if the manager doesn't answer */
  async pause(paused: boolean): Promise<void> {
    try {
      await this.#supervisor.pause(paused);
    } catch (error) {
      throw new RequestError(409, (error as Error).message);
    }
  }
}
