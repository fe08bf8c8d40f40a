import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import type { Clock } from "../clock/clock.ts";
import type { Random } from "../clock/random.ts";
import type { Logger } from "../log/logger.ts";
import type { ConnectionGate } from "./connection-gate.ts";
import type { EventMetrics } from "./event-metrics.ts";
import type { InformerShards } from "./informer-shards.ts";
import type { ListWatch } from "./list-watch.ts";
import type { InformerScope } from "./scope.ts";

/**
 * The parts of an {@link Informer}. The cache creates it.
 *
 * @internal
 */
export interface InformerOptions<T extends KubernetesObject> {
  kind: Kind<T>;
  /** Returns the scopes to watch, with one reflector per scope. Called when the informer starts. */
  scopes: () => Promise<readonly InformerScope[]>;
  listWatch: (scope: InformerScope) => ListWatch;
  /** Called for each list or watch that fails. */
  onError?: (error: unknown) => void;
  gate: ConnectionGate;
  clock: Clock;
  log: Logger;
  /** Called at each use, since metrics can be created after caches. */
  metrics?: () => EventMetrics | undefined;
  /** Time in milliseconds between resyncs. Without it, there are none. */
  syncPeriod?: number;
  /** Keeps only the objects of this process's shards. Without it, the informer holds all objects of its scopes. */
  shards?: InformerShards;
  random?: Random;
}
