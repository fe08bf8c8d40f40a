import type { Reader } from "../client/client.ts";
import type { Clock } from "../clock/clock.ts";
import type { RestMapper } from "../discovery/rest-mapper.ts";
import type { Logger } from "../log/logger.ts";
import type { Transport } from "../transport/transport.ts";
import type { CacheShards } from "./cache-shards.ts";
import type { EventMetrics } from "./event-metrics.ts";
import type { CacheOptions } from "./options.ts";
import type { ReadMetrics } from "./read-metrics.ts";

/**
 * The parts of an {@link InformerCache}. The manager creates it.
 *
 * @internal
 */
export interface InformerCacheOptions extends CacheOptions {
  transport: Transport;
  mapper: RestMapper;
  /** Reader for kinds without an informer. */
  live: Reader;
  log: Logger;
  clock?: Clock;
  random?: () => number;
  /** Called at each use, since metrics can be created after caches. */
  metrics?: () => EventMetrics | undefined;
  /** Measures reads that include own writes. */
  readMetrics?: () => ReadMetrics | undefined;
  /** The shards of this process. Without them, informers hold all objects. */
  shards?: CacheShards;
}
