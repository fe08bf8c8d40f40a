import type { InformerCache } from "../cache/cache.ts";
import type { Clock } from "../clock/clock.ts";
import type { ControllerMetrics } from "../controller/metrics.ts";
import type { ControllerDefaults } from "../controller/options.ts";
import type { RestMapper } from "../discovery/rest-mapper.ts";
import type { Logger } from "../log/logger.ts";
import type { Tracer } from "../tracing/tracer.ts";

/** What a builder needs of a manager. */
export interface ControllerHost {
  readonly cache: InformerCache;
  readonly mapper: RestMapper;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly controllerDefaults: ControllerDefaults & { groupKindConcurrency?: Readonly<Record<string, number>> };
  /** Takes a name for a controller; throws when another one has it. */
  claimControllerName(name: string): void;
  controllerMetrics(controller: string): ControllerMetrics;
  /** Makes spans of reconciles, where there is somebody to trace. */
  tracer?(): Tracer | undefined;
  /** Whether reconciles may begin: false when the lease may be lost. */
  mayReconcile(): boolean;
  add(runnable: {
    start(signal: AbortSignal): Promise<void>;
    warmup?(signal: AbortSignal): Promise<void>;
    needLeaderElection?(): boolean;
  }): Promise<void>;
}
