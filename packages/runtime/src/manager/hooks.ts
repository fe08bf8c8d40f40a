import type { Kind } from "../api/kind.ts";
import type { ControllerInspection } from "../reconcile/inspection.ts";
import type { Runnable } from "../runnable/runnable.ts";
import { ProcessHook } from "../session/process-hook.ts";
import type { Manager } from "./manager.ts";
import type { ManagerOptions } from "./options.ts";

/** Replaces how managers of a process run. */
export interface ManagerHook {
  /** Returns the options of a manager that starts no servers. */
  options(given: ManagerOptions): ManagerOptions;
  /** Returns the hooks of a controller. */
  controller<R>(name: string, kind: Kind | undefined): ControllerInspection<R>;
  /**
   * Runs the manager in place of {@link Manager.start}.
   *
   * @param manager - the manager
   * @param added - its controllers, clusters and other runnables, in the order in which they were added
   * @param signal - stops it
   */
  run(manager: Manager, added: readonly Runnable[], signal: AbortSignal): Promise<void>;
}

/** The hook of this process. */
export const managerHook: ProcessHook<ManagerHook> = new ProcessHook();
