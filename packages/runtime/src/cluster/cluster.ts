import { InformerCache } from "../cache/cache.ts";
import type { CacheShards } from "../cache/cache-shards.ts";
import { CachedClient } from "../cache/cached-client.ts";
import type { EventMetrics } from "../cache/event-metrics.ts";
import type { ReadMetrics } from "../cache/read-metrics.ts";
import { observeWrites } from "../cache/write-observer.ts";
import type { Client, Reader } from "../client/client.ts";
import { createLiveClient } from "../client/live-client.ts";
import { withMissingPermissionLog } from "../client/missing-permissions.ts";
import { newDryRunClient, withFieldOwner, withFieldValidation } from "../client/wrappers/with-options.ts";
import { type Clock, systemClock } from "../clock/clock.ts";
import { systemRandom } from "../clock/random.ts";
import type { Config } from "../config/config.ts";
import { safeConfig } from "../config/safe-config.ts";
import { createRestMapper, type RestMapper } from "../discovery/rest-mapper.ts";
import { EventBroadcaster } from "../events/broadcaster.ts";
import type { EventRecorder } from "../events/recorder.ts";
import { guardWrites } from "../leader-election/leadership-guard.ts";
import { createLogger } from "../log/create-logger.ts";
import type { Logger } from "../log/logger.ts";
import { traceRequests } from "../tracing/traced-transport.ts";
import type { Tracer } from "../tracing/tracer.ts";
import { createTransport } from "../transport/create-transport.ts";
import type { Exchange, RequestDetails } from "../transport/options.ts";
import type { Transport } from "../transport/transport.ts";
import type { ClusterInspection } from "./inspection.ts";
import type { ClientOptions, ClusterOptions } from "./options.ts";

/**
 * Connects a cluster to the manager that runs it.
 *
 * @internal
 */
export interface ClusterHost {
  /** Returns whether writes may be sent: `false` if another process may be the leader. */
  mayWrite(): boolean;
  /** Records a write that ended without a response. */
  unanswered?(): void;
  observe(exchange: Exchange): void;
  details(): RequestDetails | undefined;
  tracer(): Tracer | undefined;
  /** Counts events and objects that the user's code failed to process. */
  eventMetrics?(): EventMetrics | undefined;
  /** Measures reads that include own writes. */
  readMetrics?(): ReadMetrics | undefined;
}

/**
 * Provides everything that an operator needs of one cluster: client, cache, REST mapper and events. A manager contains
 * one. Operators of several clusters add the others to it.
 *
 * @example
 * const west = await Cluster.create(westConfig);
 * await mgr.add(west);
 * await newControllerManagedBy(mgr)
 *   .for(Game)
 *   .watchesRawSource(kindSource(west.cache, Game, inCluster("west", enqueueRequestForObject())))
 *   .complete(new GameReconciler(mgr.client, west.client));
 */
export class Cluster {
  /** Connection settings of the API server. */
  readonly config: Config;
  /** Reads watched kinds from the cache and all others from the API server; writes to the API server. */
  readonly client: Client;
  /** Reads from the API server, never from the cache. */
  readonly apiReader: Reader;
  /** Holds the objects of the watched kinds. */
  readonly cache: InformerCache;
  /** Finds the resources of kinds. */
  readonly mapper: RestMapper;
  /** Base of all loggers of the cluster. */
  readonly logger: Logger;
  /** Clock of the cluster. */
  readonly clock: Clock;
  /** Source of random numbers of the cluster. */
  readonly random: () => number;
  /** Connection to the API server, shared by the other parts. */
  readonly transport: Transport;
  readonly #events: EventBroadcaster;
  readonly #ownsTransport: boolean;
  #host: ClusterHost;

  private constructor(
    config: Config,
    options: ClusterOptions,
    inspection: ClusterInspection | undefined,
    shards: CacheShards | undefined,
  ) {
    this.config = safeConfig(config);
    this.logger = options.logger ?? createLogger();
    this.clock = options.clock ?? systemClock;
    this.random = options.random ?? systemRandom;
    this.#host = { mayWrite: () => true, observe: () => {}, details: () => undefined, tracer: () => options.tracer };
    this.#ownsTransport = options.transport === undefined;
    const connection = options.transport ?? this.#connect();
    this.transport = withMissingPermissionLog(inspection?.transport(connection) ?? connection, {
      logger: this.logger,
      mapper: () => this.mapper,
      namespaces: Object.keys(options.cache?.defaultNamespaces ?? {}),
    });
    this.mapper = createRestMapper(this.transport, this.clock);
    const { transport, mapper, logger, clock } = this;
    // Only requests of reconcilers have spans. Requests of watches, events and leases belong to no trace.
    const traced = (inner: Transport): Transport => traceRequests(inner, () => this.#host.tracer());
    const live = createLiveClient({ transport: traced(transport), mapper, logger });
    this.apiReader = live;
    const seesOwnWrites = options.client?.cache?.enableReadYourWritesConsistency ?? true;
    this.cache = InformerCache.create({
      ...options.cache,
      transport,
      mapper,
      live,
      log: logger,
      clock,
      random: this.random,
      metrics: () => this.#host.eventMetrics?.(),
      shards,
      ...(seesOwnWrites ? { readMetrics: () => this.#host.readMetrics?.() } : {}),
    });
    const observed = seesOwnWrites ? observeWrites(transport, this.cache) : transport;
    const onUnanswered = shards && (() => this.#host.unanswered?.());
    const writes = guardWrites(observed, () => this.#host.mayWrite(), onUnanswered);
    const reads = inspection?.reader(this.cache) ?? this.cache;
    this.client = clientOf(reads, createLiveClient({ transport: traced(writes), mapper, logger }), options.client);
    this.#events = new EventBroadcaster({
      client: createLiveClient({ transport: writes, mapper }),
      clock,
      log: logger,
    });
  }

  /**
   * Creates a cluster. It sends no requests yet.
   *
   * @param config - connection settings of the API server
   * @param options - see {@link ClusterOptions}
   * @returns the cluster, which {@link Manager.add} runs
   * @throws Error if the configuration isn't valid
   */
  static async create(config: Config, options: ClusterOptions = {}): Promise<Cluster> {
    return Cluster.createInspected(config, options);
  }

  /**
   * Creates a cluster whose connection and reads are recorded.
   *
   * @param config - connection settings of the API server
   * @param options - see {@link ClusterOptions}
   * @param inspection - the hooks, if there are any
   * @param shards - the shards of this process, if replicas share the objects
   * @returns the cluster
   * @throws Error if the configuration isn't valid
   * @internal
   */
  static async createInspected(
    config: Config,
    options: ClusterOptions,
    inspection?: ClusterInspection,
    shards?: CacheShards,
  ): Promise<Cluster> {
    if (!config) throw new Error("must specify a configuration, such as getConfigOrDie()");
    return new Cluster(config, options, inspection, shards);
  }

  /**
   * Returns a recorder, which writes events about objects of this cluster.
   *
   * @param name - the reporting controller, such as `game-controller`
   * @returns the recorder
   */
  recorder(name: string): EventRecorder {
    return this.#events.recorder(name);
  }

  /**
   * Connects the cluster to a manager. Called by {@link Manager.add}.
   *
   * @param host - the manager's part
   * @internal
   */
  adopt(host: ClusterHost): void {
    this.#host = host;
  }

  /**
   * Runs the cache until the signal aborts, then closes the cluster.
   *
   * @param signal - stops the cluster
   */
  async start(signal: AbortSignal): Promise<void> {
    try {
      await this.cache.start(signal);
    } finally {
      await this.close();
    }
  }

  /** Writes the pending events. Later events are dropped. */
  async writeLastEvents(): Promise<void> {
    await this.#events.stop();
  }

  /** Writes the pending events and closes the connections. */
  async close(): Promise<void> {
    await this.writeLastEvents();
    if (this.#ownsTransport) await this.transport.close();
  }

  #connect(): Transport {
    return createTransport(this.config, {
      logger: this.logger,
      observe: (exchange) => this.#host.observe(exchange),
      details: () => this.#host.details(),
    });
  }
}

function clientOf(cache: Reader, live: Client, options: ClientOptions = {}): Client {
  let client: Client = new CachedClient(cache, live, options.cache?.disableFor);
  if (options.fieldOwner !== undefined) client = withFieldOwner(client, options.fieldOwner);
  if (options.fieldValidation !== undefined) client = withFieldValidation(client, options.fieldValidation);
  if (options.dryRun) client = newDryRunClient(client);
  return options.wrap ? options.wrap(client) : client;
}
