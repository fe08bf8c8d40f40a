import type { Kind } from "../api/kind.ts";
import type { InformerCache } from "../cache/cache.ts";
import type { Config } from "../config/config.ts";
import type { RestMapper } from "../discovery/rest-mapper.ts";
import type { Logger } from "../log/logger.ts";
import type { ControllerInspection } from "../reconcile/inspection.ts";
import type { Runnable } from "../runnable/runnable.ts";
import { ProcessHook } from "../session/process-hook.ts";
import type { ConverterRegistry } from "../webhook/conversion/registry.ts";
import type { ManagerOptions } from "./options.ts";

/** The parts of a manager that a hook uses. */
export interface HookedManager {
  readonly config: Config;
  readonly mapper: RestMapper;
  readonly logger: Logger;
  readonly cache: InformerCache;
  readonly webhookServer: { readonly paths: readonly string[]; readonly converters: ConverterRegistry };
}

/** Replaces how managers of a process run. */
export interface ManagerHook {
  /** Returns the options of a manager that starts no servers. */
  options(given: ManagerOptions): ManagerOptions;
  /** Returns the hooks of a controller. */
  controller<R>(name: string, kind: Kind | undefined): ControllerInspection<R>;
  /**
   * Runs the manager in place of its start.
   *
   * @param manager - the manager
   * @param added - its controllers, clusters and other runnables, in the order in which they were added
   * @param signal - stops it
   */
  run(manager: HookedManager, added: readonly Runnable[], signal: AbortSignal): Promise<void>;
}

/** The hook of this process. */
export const managerHook: ProcessHook<ManagerHook> = new ProcessHook();
