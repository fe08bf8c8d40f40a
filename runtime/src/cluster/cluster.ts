import { InformerCache } from "../cache/cache.ts";
import { CachedClient } from "../cache/cached-client.ts";
import type { EventMetrics } from "../cache/event-metrics.ts";
import { observeWrites } from "../cache/write-observer.ts";
import { type Client, createLiveClient, type Reader } from "../client/index.ts";
import { tellMissingPermissions } from "../client/missing-permissions.ts";
import { newDryRunClient, withFieldOwner, withFieldValidation } from "../client/wrappers/index.ts";
import { type Clock, systemClock } from "../clock/clock.ts";
import type { Config } from "../config/config.ts";
import { safeConfig } from "../config/safe-config.ts";
import { createRestMapper, type RestMapper } from "../discovery/index.ts";
import { EventBroadcaster } from "../events/broadcaster.ts";
import type { EventRecorder } from "../events/recorder.ts";
import { guardWrites } from "../leader-election/leadership-guard.ts";
import { createLogger } from "../log/create-logger.ts";
import type { Logger } from "../log/logger.ts";
import { traceRequests } from "../tracing/traced-transport.ts";
import type { Tracer } from "../tracing/tracer.ts";
import { createTransport } from "../transport/index.ts";
import type { Exchange, RequestDetails } from "../transport/options.ts";
import type { Transport } from "../transport/transport.ts";
import type { ClientOptions, ClusterOptions } from "./options.ts";

/** What a manager does for the clusters that it runs. */
export interface ClusterHost {
  /** Whether anything may be written: not when another process may be the leader. */
  mayWrite(): boolean;
  observe(exchange: Exchange): void;
  details(): RequestDetails | undefined;
  tracer(): Tracer | undefined;
  /** Counts of events and objects that the user's code could not process. */
  eventMetrics?(): EventMetrics | undefined;
}

/**
 * All that an operator needs of one cluster: client, cache, REST mapper, events. A manager has one; operators for several clusters
 * add the others to it.
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
  readonly config: Config;
  /** Reads from the cache what is watched, and live what isn't; writes live. */
  readonly client: Client;
  /** Reads live, always. */
  readonly apiReader: Reader;
  readonly cache: InformerCache;
  readonly mapper: RestMapper;
  readonly logger: Logger;
  readonly clock: Clock;
  /** The way to the server that all the others take. */
  readonly transport: Transport;
  readonly #events: EventBroadcaster;
  readonly #ownsTransport: boolean;
  #host: ClusterHost;

  private constructor(config: Config, options: ClusterOptions) {
    this.config = safeConfig(config);
    this.logger = options.logger ?? createLogger();
    this.clock = options.clock ?? systemClock;
    this.#host = { mayWrite: () => true, observe: () => {}, details: () => undefined, tracer: () => options.tracer };
    this.#ownsTransport = options.transport === undefined;
    this.transport = tellMissingPermissions(options.transport ?? this.#connect(), {
      logger: this.logger,
      mapper: () => this.mapper,
      namespaces: Object.keys(options.cache?.defaultNamespaces ?? {}),
    });
    this.mapper = createRestMapper(this.transport);
    const { transport, mapper, logger, clock } = this;
    // Spans are for what reconcilers ask for; what runs by itself (watches, events, leases) belongs to no trace.
    const traced = (inner: Transport): Transport => traceRequests(inner, () => this.#host.tracer());
    const live = createLiveClient({ transport: traced(transport), mapper, logger });
    this.apiReader = live;
    this.cache = new InformerCache({
      ...options.cache,
      transport,
      mapper,
      live,
      log: logger,
      clock,
      metrics: () => this.#host.eventMetrics?.(),
    });
    const seesOwnWrites = options.client?.cache?.enableReadYourWritesConsistency ?? true;
    const observed = seesOwnWrites ? observeWrites(transport, this.cache) : transport;
    const writes = guardWrites(observed, () => this.#host.mayWrite());
    this.client = clientOf(this.cache, createLiveClient({ transport: traced(writes), mapper, logger }), options.client);
    this.#events = new EventBroadcaster({
      client: createLiveClient({ transport: writes, mapper }),
      clock,
      log: logger,
    });
  }

  /** Makes a cluster; nothing is asked of its server yet. Throws for a configuration that can't work. */
  static async create(config: Config, options: ClusterOptions = {}): Promise<Cluster> {
    if (!config) throw new Error("must specify a configuration");
    return new Cluster(config, options);
  }

  /** Writes events about objects of this cluster, under the name of a controller. */
  recorder(name: string): EventRecorder {
    return this.#events.recorder(name);
  }

  /** Called by the manager that it is added to: its rules count for this cluster too. */
  adopt(host: ClusterHost): void {
    this.#host = host;
  }

  /** Runs the cache until the signal aborts, then closes. */
  async start(signal: AbortSignal): Promise<void> {
    try {
      await this.cache.start(signal);
    } finally {
      await this.close();
    }
  }

  /** Writes the pending events. Later ones are dropped. */
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

function clientOf(cache: InformerCache, live: Client, options: ClientOptions = {}): Client {
  let client: Client = new CachedClient(cache, live, options.cache?.disableFor);
  if (options.fieldOwner !== undefined) client = withFieldOwner(client, options.fieldOwner);
  if (options.fieldValidation !== undefined) client = withFieldValidation(client, options.fieldValidation);
  return options.dryRun ? newDryRunClient(client) : client;
}
