import type { Kind } from "../api/kind.ts";
import type { InformerCache } from "../cache/cache.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Logger } from "../log/logger.ts";
import type { ControllerInspection } from "../reconcile/inspection.ts";
import type { Runnable } from "../runnable/runnable.ts";
import { ProcessHook } from "../session/process-hook.ts";
import type { ManagerOptions } from "./options.ts";

/** The parts of a manager that a hook runs in place of {@link Manager.start}. */
export interface HookedManager {
  readonly cluster: Cluster;
  /** The manager's cache, and those of added clusters. */
  readonly caches: readonly InformerCache[];
  readonly clusters: readonly Cluster[];
  readonly logger: Logger;
  /** The controllers and others that the manager would run, in the order in which they were added. */
  readonly runnables: readonly Runnable[];
  /** Names of the servers and other parts that the manager would start. */
  readonly others: readonly string[];
}

/** Replaces how managers of a process run. */
export interface ManagerHook {
  /** Returns the options of a manager that starts no servers. */
  options(given: ManagerOptions): ManagerOptions;
  /** Returns the hooks of a controller. */
  controller<R>(name: string, kind: Kind | undefined): ControllerInspection<R>;
  /** Runs the manager. */
  run(manager: HookedManager, signal: AbortSignal): Promise<void>;
}

/** The hook of this process. */
export const managerHook: ProcessHook<ManagerHook> = new ProcessHook();
