import type { ControllerHost } from "../builder/host.ts";
import type { WebhookHost } from "../builder/webhook-host.ts";
import { InformerCache } from "../cache/cache.ts";
import { CachedClient } from "../cache/cached-client.ts";
import { observeWrites } from "../cache/write-observer.ts";
import { type Client, createLiveClient, type Reader } from "../client/index.ts";
import { type Clock, systemClock } from "../clock/clock.ts";
import type { Config } from "../config/config.ts";
import { type ControllerMetrics, noControllerMetrics } from "../controller/metrics.ts";
import { createRestMapper, type RestMapper } from "../discovery/index.ts";
import { EventBroadcaster } from "../events/broadcaster.ts";
import type { EventRecorder } from "../events/recorder.ts";
import { type HealthCheck, HealthChecks, ping } from "../health/health.ts";
import { inClusterNamespace, newIdentity } from "../leader-election/identity.ts";
import { LeaderElector } from "../leader-election/leader-elector.ts";
import { guardWrites } from "../leader-election/leadership-guard.ts";
import { leaseDurations } from "../leader-election/options.ts";
import { createLogger } from "../log/create-logger.ts";
import type { Logger } from "../log/logger.ts";
import { createMetrics, type ManagerMetrics } from "../metrics/metrics.ts";
import { createTransport } from "../transport/index.ts";
import type { Transport } from "../transport/transport.ts";
import { noWebhookMetrics } from "../webhook/metrics.ts";
import { WebhookServer } from "../webhook/server.ts";
import { type BindAddress, parseBindAddress } from "./bind-address.ts";
import type { ControllerManagerDefaults, ManagerOptions } from "./options.ts";
import { ManagerRun } from "./run.ts";
import type { Runnable } from "./runnable.ts";
import { HealthServer, type MetricsServer, metricsServer } from "./servers.ts";

/** What {@link Manager.create} puts together. */
interface Parts {
  options: ManagerOptions;
  clock: Clock;
  logger: Logger;
  transport: Transport;
  ownsTransport: boolean;
  mapper: RestMapper;
  live: Client;
  metrics: ManagerMetrics | undefined;
  metricsServer: MetricsServer | undefined;
  healthServer: HealthServer | undefined;
  elector: LeaderElector | undefined;
}

/**
 * Runs an operator: holds the client, the cache and everything that runs as long as it does, and starts and stops them in
 * order.
 *
 * @example
 * const mgr = await Manager.create(getConfigOrDie(), { healthProbeBindAddress: ":8081" });
 * await newControllerManagedBy(mgr).for(Game).complete(new GameReconciler(mgr.client));
 * await mgr.start(setupSignalHandler());
 */
export class Manager implements ControllerHost, WebhookHost {
  /** Reads from the cache what is watched, and live what isn't; writes live. */
  readonly client: Client;
  /** Reads live, always. */
  readonly apiReader: Reader;
  readonly cache: InformerCache;
  readonly mapper: RestMapper;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Resolves when this process is the leader; soon after the start where there is no election. */
  readonly elected: Promise<void>;
  readonly #parts: Parts;
  readonly #healthz: HealthChecks;
  readonly #readyz: HealthChecks;
  readonly #events: EventBroadcaster;
  readonly #run: ManagerRun;
  readonly #controllerNames = new Set<string>();
  #webhookServer: WebhookServer | undefined;

  private constructor(parts: Parts, healthz: HealthChecks, readyz: HealthChecks) {
    const { options, transport, mapper, live, logger, clock, elector } = parts;
    this.#parts = parts;
    this.#healthz = healthz;
    this.#readyz = readyz;
    this.mapper = mapper;
    this.logger = logger;
    this.clock = clock;
    this.cache = new InformerCache({ ...options.cache, transport, mapper, live, log: logger, clock });
    // Once elected, a process that may have lost its lease writes nothing any more.
    const mayWrite = (): boolean => elector?.mayAct ?? true;
    const writes = guardWrites(observeWrites(transport, this.cache), mayWrite);
    const writer = createLiveClient({ transport: writes, mapper, logger });
    this.client = new CachedClient(this.cache, writer);
    this.apiReader = live;
    this.#events = new EventBroadcaster({ client: writer, clock, log: logger });
    this.#run = new ManagerRun({
      log: logger,
      clock,
      elector,
      gracefulShutdownTimeout: options.gracefulShutdownTimeout ?? 30_000,
      releaseOnCancel: options.leaderElectionReleaseOnCancel ?? false,
      onUnhandledRejection: () => parts.metrics?.unhandledRejection(),
    });
    this.elected = this.#run.elected;
    this.#run.caches.add(this.cache);
    healthz.add("ping", ping);
    readyz.add("informer-sync", () => {
      if (!this.cache.hasSynced) throw new Error(`not in sync: ${this.cache.unsynced().join(", ") || "not started"}`);
    });
  }

  /**
   * Makes a manager. Nothing is asked of the server yet; the health port is bound, so that a taken port is known at once. Rejects
   * for options that can't work.
   */
  static async create(config: Config, options: ManagerOptions = {}): Promise<Manager> {
    if (!config) throw new Error("must specify a configuration");
    const clock = options.clock ?? systemClock;
    const logger = options.logger ?? createLogger();
    const metricsAddress = parseBindAddress(options.metrics?.bindAddress || ":8080");
    const healthAddress = parseBindAddress(options.healthProbeBindAddress || "0");
    const metrics = metricsAddress && (await createMetrics());
    const observe = metrics && { observe: metrics.exchange };
    const transport = options.transport ?? createTransport({ ...config }, { logger, ...observe });
    const mapper = createRestMapper(transport);
    const live = createLiveClient({ transport, mapper, logger });
    const elector = options.leaderElection ? newElector(options, { live, clock, logger, metrics }) : undefined;
    const healthz = new HealthChecks("/healthz", logger);
    const readyz = new HealthChecks("/readyz", logger);
    const servers = await newServers(options, {
      metricsAddress,
      healthAddress,
      metrics,
      transport,
      logger,
      healthz,
      readyz,
    });
    const ownsTransport = options.transport === undefined;
    const parts = { options, clock, logger, transport, ownsTransport, mapper, live, metrics, elector, ...servers };
    return new Manager(parts, healthz, readyz);
  }

  /** Runs something as long as the manager runs: from the start, or at once where that was already. */
  async add(runnable: Runnable): Promise<void> {
    const group = runnable.needLeaderElection?.() === false ? this.#run.others : this.#run.leaderElection;
    const { warmup } = runnable;
    if (warmup) this.#run.warmup.add({ start: (signal) => warmup.call(runnable, signal) });
    group.add(runnable);
  }

  addHealthzCheck(name: string, check: HealthCheck): void {
    this.#healthz.add(name, check);
  }

  addReadyzCheck(name: string, check: HealthCheck): void {
    this.#readyz.add(name, check);
  }

  /** Writes events about objects, under the name of a controller. */
  recorder(name: string): EventRecorder {
    return this.#events.recorder(name);
  }

  /**
   * Starts everything and runs until the signal aborts; resolves when all has stopped. Rejects when something failed, when the
   * lease was lost (end the process then), and when stopping took too long.
   */
  async start(signal: AbortSignal): Promise<void> {
    const { metricsServer: server, healthServer, transport, ownsTransport } = this.#parts;
    if (server) this.#run.httpServers.add(server);
    if (healthServer) this.#run.httpServers.add(healthServer);
    try {
      await this.#run.start(signal);
    } finally {
      await this.#events.stop();
      if (ownsTransport) await transport.close();
    }
  }

  /** The port of the health probes, once bound. */
  get healthProbePort(): number | undefined {
    return this.#parts.healthServer?.port;
  }

  /** The port of the metrics, once bound. */
  get metricsPort(): number | undefined {
    return this.#parts.metricsServer?.port;
  }

  /** The metrics of this manager, for series of one's own; `undefined` where they are switched off. */
  get metrics(): ManagerMetrics | undefined {
    return this.#parts.metrics;
  }

  /** Serves the webhooks; it starts with the manager as soon as it has a path to serve. */
  get webhookServer(): WebhookServer {
    this.#webhookServer ??= this.#newWebhookServer();
    return this.#webhookServer;
  }

  get controllerDefaults(): ControllerManagerDefaults {
    return this.#parts.options.controller ?? {};
  }

  claimControllerName(name: string): void {
    if (this.#controllerNames.has(name)) {
      throw new Error(`controller with name ${name} already exists: names tell logs and metrics apart, use named(…)`);
    }
    this.#controllerNames.add(name);
  }

  controllerMetrics(controller: string): ControllerMetrics {
    return this.#parts.metrics?.controller(controller) ?? noControllerMetrics;
  }

  mayReconcile(): boolean {
    return this.#parts.elector?.mayAct ?? true;
  }

  #newWebhookServer(): WebhookServer {
    const { options, logger, metrics } = this.#parts;
    const server = new WebhookServer({
      options: options.webhook ?? {},
      log: logger,
      metrics: metrics?.webhooks() ?? noWebhookMetrics,
      onUsed: () => {
        this.#run.webhooks.add(server);
        this.#readyz.add("webhook-server", server.startedChecker);
      },
    });
    return server;
  }
}

interface ElectorParts {
  live: Client;
  clock: Clock;
  logger: Logger;
  metrics: ManagerMetrics | undefined;
}

function newElector(options: ManagerOptions, { live, clock, logger, metrics }: ElectorParts): LeaderElector {
  const name = options.leaderElectionID;
  if (!name) throw new Error("leaderElectionID must be configured");
  metrics?.leader(name, false);
  return new LeaderElector({
    ...leaseDurations(options),
    client: live,
    namespace: options.leaderElectionNamespace || inClusterNamespace(),
    name,
    identity: newIdentity(),
    labels: options.leaderElectionLabels,
    clock,
    log: logger,
    onChange: (isLeader) => metrics?.leader(name, isLeader),
  });
}

interface ServerParts {
  metricsAddress: BindAddress | undefined;
  healthAddress: BindAddress | undefined;
  metrics: ManagerMetrics | undefined;
  transport: Transport;
  logger: Logger;
  healthz: HealthChecks;
  readyz: HealthChecks;
}

async function newServers(
  options: ManagerOptions,
  parts: ServerParts,
): Promise<{ metricsServer: MetricsServer | undefined; healthServer: HealthServer | undefined }> {
  const { metricsAddress, healthAddress, metrics, transport, logger, healthz, readyz } = parts;
  const server =
    metricsAddress && metrics
      ? metricsServer({ address: metricsAddress, metrics, transport, logger, options: options.metrics ?? {} })
      : undefined;
  const health = healthAddress && (await HealthServer.bind(healthAddress, [healthz, readyz], logger));
  return { metricsServer: server, healthServer: health };
}
