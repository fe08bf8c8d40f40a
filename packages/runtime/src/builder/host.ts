import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import type { InformerCache } from "../cache/cache.ts";
import type { Informer } from "../cache/informer.ts";
import type { ChildrenObserver } from "../children/observer.ts";
import type { Client, Reader } from "../client/client.ts";
import type { Clock } from "../clock/clock.ts";
import type { ControllerMetrics } from "../controller/metrics.ts";
import type { ControllerDefaults } from "../controller/options.ts";
import type { RestMapper } from "../discovery/rest-mapper.ts";
import type { EventRecorder } from "../events/recorder.ts";
import type { Logger } from "../log/logger.ts";
import type { ControllerInspection } from "../reconcile/inspection.ts";
import type { Request } from "../reconcile/request.ts";
import type { ShardGate } from "../reconcile/shard-gate.ts";
import type { ShardKey } from "../shards/selector.ts";
import type { Tracer } from "../tracing/tracer.ts";

/** The shards of a manager, as its controllers use them. */
export interface ShardHost {
  readonly key: ShardKey;
  /** Returns the gate of a controller. */
  gate(kind: Kind, informer: Informer<KubernetesObject>): ShardGate<Request>;
}

/** The parts of a {@link Manager} that a {@link ControllerBuilder} uses. */
export interface ControllerHost {
  /** Serves reads and watches. */
  readonly cache: InformerCache;
  /** Reads from the cache, and writes to the API server. */
  readonly client: Client;
  /** Reads from the API server. */
  readonly apiReader: Reader;
  /** Finds the resources of kinds. */
  readonly mapper: RestMapper;
  /**
   * Returns a recorder of events.
   *
   * @param name - the reporting controller
   * @returns the recorder
   */
  recorder(name: string): EventRecorder;
  /** Base of the controllers' loggers. */
  readonly logger: Logger;
  /** Clock of the controllers. */
  readonly clock: Clock;
  /** Source of random numbers; that of the system by default. */
  readonly random?: () => number;
  /**
   * Options that apply to all controllers.
   *
   * @internal
   */
  readonly controllerDefaults: ControllerDefaults & { groupKindConcurrency?: Readonly<Record<string, number>> };
  /**
   * Reserves a name for a controller.
   *
   * @throws Error if another controller has the name
   * @internal
   */
  claimControllerName(name: string): void;
  /**
   * Returns the metrics of a controller.
   *
   * @internal
   */
  controllerMetrics(controller: string): ControllerMetrics;
  /**
   * Returns the tracer that creates the spans of reconciles, if there is one.
   *
   * @internal
   */
  tracer?(): Tracer | undefined;
  /**
   * Returns the hooks that record the work of a controller, if there are any.
   *
   * @internal
   */
  inspectController?<R>(name: string, kind: Kind | undefined): ControllerInspection<R> | undefined;
  /**
   * Observes the sets of children in a simulation.
   *
   * @internal
   */
  readonly childrenObserver?: ChildrenObserver | undefined;
  /**
   * Returns whether reconciles may start: `false` if the lease may be lost.
   *
   * @internal
   */
  mayReconcile(): boolean;
  /**
   * The shards of this process, if replicas share the objects.
   *
   * @internal
   */
  readonly shardHost?: ShardHost;
  /**
   * Runs a controller with the manager.
   *
   * @param runnable - the controller
   */
  add(runnable: {
    start(signal: AbortSignal): Promise<void>;
    warmup?(signal: AbortSignal): Promise<void>;
    needLeaderElection?(): boolean;
  }): Promise<void>;
}
