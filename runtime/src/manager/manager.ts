import type { RequestListener } from "node:http";
import type { ControllerHost } from "../builder/host.ts";
import type { WebhookHost } from "../builder/webhook-host.ts";
import type { InformerCache } from "../cache/cache.ts";
import type { CertificateSource } from "../certs/certificate-source.ts";
import type { Client, Reader } from "../client/index.ts";
import type { Clock } from "../clock/clock.ts";
import { Cluster, type ClusterHost } from "../cluster/cluster.ts";
import type { Config } from "../config/config.ts";
import { type ControllerMetrics, noControllerMetrics } from "../controller/metrics.ts";
import type { RestMapper } from "../discovery/index.ts";
import type { EventRecorder } from "../events/recorder.ts";
import { type HealthCheck, HealthChecks, healthListener, ping } from "../health/health.ts";
import type { Logger } from "../log/logger.ts";
import { createMetrics, type ManagerMetrics } from "../metrics/metrics.ts";
import { globalTracer, type Tracer } from "../tracing/tracer.ts";
import { definitionNames } from "../webhook/conversion/definitions.ts";
import { type LocalWebhooks, localWebhooks } from "../webhook/local/index.ts";
import { noWebhookMetrics } from "../webhook/metrics.ts";
import type { WebhookServerOptions } from "../webhook/options.ts";
import { selfManagedCertificates } from "../webhook/self-managed/index.ts";
import type { SelfManagedCertificatesOptions } from "../webhook/self-managed/options.ts";
import { sharedCertificates } from "../webhook/self-managed/shared-certificates.ts";
import { WebhookServer } from "../webhook/server.ts";
import { type BindAddress, parseBindAddress } from "./bind-address.ts";
import { type Election, newElection } from "./election.ts";
import { keepV8Lean } from "./lean-v8.ts";
import { MetricsServer } from "./metrics-server.ts";
import type { ControllerManagerDefaults, ManagerOptions } from "./options.ts";
import { ManagerRun } from "./run.ts";
import type { Runnable } from "./runnable.ts";
import { Server } from "./server.ts";

/** What {@link Manager.create} puts together. */
interface Parts {
  options: ManagerOptions;
  cluster: Cluster;
  healthz: HealthChecks;
  readyz: HealthChecks;
  metrics: ManagerMetrics | undefined;
  metricsServer: MetricsServer | undefined;
  healthServer: Server | undefined;
  pprofServer: Server | undefined;
  election: Election | undefined;
  local: LocalWebhooks | undefined;
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
  /** How the API server is reached. */
  readonly config: Config;
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
  readonly #run: ManagerRun;
  readonly #clusterHost: ClusterHost;
  /** The manager's own, and those that were added. */
  readonly #caches = new Set<InformerCache>();
  readonly #controllerNames = new Set<string>();
  #tracer: Tracer | undefined;
  #webhookServer: WebhookServer | undefined;
  /** That of the webhooks, and of the metrics where these have a Service. */
  #selfManaged: CertificateSource | undefined;

  private constructor(parts: Parts) {
    const { options, cluster, metrics, election, healthz, readyz } = parts;
    this.#parts = parts;
    ({
      config: this.config,
      client: this.client,
      apiReader: this.apiReader,
      cache: this.cache,
      mapper: this.mapper,
      logger: this.logger,
      clock: this.clock,
    } = cluster);
    this.#tracer = options.tracer;
    this.#clusterHost = {
      // Once elected, a process that may have lost its lease writes nothing any more.
      mayWrite: () => election?.elector.mayAct ?? true,
      observe: (exchange) => metrics?.exchange(exchange),
      details: () => metrics?.requestDetails,
      tracer: () => this.#tracer,
      eventMetrics: () => metrics?.events,
    };
    cluster.adopt(this.#clusterHost);
    this.#run = new ManagerRun({
      log: this.logger,
      clock: this.clock,
      elector: election?.elector,
      gracefulShutdownTimeout: options.gracefulShutdownTimeout ?? 30_000,
      releaseOnCancel: options.leaderElectionReleaseOnCancel ?? false,
      writeLast: () => cluster.writeLastEvents(),
      onUnhandledRejection: () => metrics?.unhandledRejection(),
    });
    this.elected = this.#run.elected;
    this.#run.caches.add(this.cache);
    this.#caches.add(this.cache);
    healthz.add("ping", ping);
    readyz.add("informer-sync", () => this.#checkSync());
  }

  /**
   * Makes a manager. Nothing is asked of the server yet; the ports of probes and profiles are bound, so that a taken port is known
   * at once. Rejects for options that can't work.
   */
  static async create(config: Config, options: ManagerOptions = {}): Promise<Manager> {
    const { metrics: metricsOptions = {}, livenessEndpointName, readinessEndpointName } = options;
    const metricsAddress = parseBindAddress(metricsOptions.bindAddress || ":8080");
    const healthAddress = parseBindAddress(options.healthProbeBindAddress || "0");
    const pprofAddress = parseBindAddress(options.pprofBindAddress || "0");
    const local = localWebhooks(options.webhook?.local);
    keepV8Lean();
    const cluster = await Cluster.create(config, options);
    const { logger, transport } = cluster;
    const metrics = metricsAddress && (await createMetrics({ restClient: metricsOptions.restClientMetrics }));
    const election = options.leaderElection ? newElection(cluster, options, metrics) : undefined;
    const metricsServer =
      metricsAddress && metrics
        ? new MetricsServer({ address: metricsAddress, metrics, transport, logger, options: metricsOptions })
        : undefined;
    const healthz = new HealthChecks(livenessEndpointName || "/healthz", logger);
    const readyz = new HealthChecks(readinessEndpointName || "/readyz", logger);
    const healthServer =
      healthAddress && (await boundServer("health probe", healthAddress, healthListener([healthz, readyz]), logger));
    const pprofServer = pprofAddress && (await bindPprof(pprofAddress, logger, healthServer));
    const servers = { metricsServer, healthServer, pprofServer };
    return new Manager({ options, cluster, healthz, readyz, metrics, election, local, ...servers });
  }

  /**
   * Runs something as long as the manager runs: from the start, or at once where that was already. A {@link Cluster} starts with the
   * caches, and the rules of leadership count for what is written there; a {@link Server} starts first and ends last.
   */
  async add(runnable: Runnable): Promise<void> {
    if (runnable instanceof Cluster) {
      runnable.adopt(this.#clusterHost);
      this.#run.caches.add(runnable);
      this.#caches.add(runnable.cache);
      return;
    }
    if (runnable instanceof Server) runnable.adopt(this.logger);
    const { warmup } = runnable;
    const everywhere = runnable instanceof Server ? this.#run.httpServers : this.#run.others;
    const group = runnable.needLeaderElection?.() === false ? everywhere : this.#run.leaderElection;
    if (warmup) this.#run.warmup.add({ start: (signal) => warmup.call(runnable, signal) });
    group.add(runnable);
  }

  /** Adds a check to `/healthz`, under its own path too: `/healthz/<name>`. What it throws or rejects with makes it fail. */
  addHealthzCheck(name: string, check: HealthCheck): void {
    this.#parts.healthz.add(name, check);
  }

  /** Adds a check to `/readyz`, as {@link addHealthzCheck} does to `/healthz`. */
  addReadyzCheck(name: string, check: HealthCheck): void {
    this.#parts.readyz.add(name, check);
  }

  /** Serves something beside the metrics, as protected as they are. Throws for a path that is taken, and without metrics. */
  addMetricsServerExtraHandler(path: string, handler: RequestListener): void {
    const { metricsServer } = this.#parts;
    if (!metricsServer) throw new Error("there is no metrics server to serve it: metrics.bindAddress is 0");
    metricsServer.addHandler(path, handler);
  }

  /** Writes events about objects, under the name of a controller. */
  recorder(name: string): EventRecorder {
    return this.#parts.cluster.recorder(name);
  }

  /**
   * Starts everything and runs until the signal aborts; resolves when all has stopped. Rejects when something failed, when the
   * lease was lost (end the process then), and when stopping took too long.
   */
  async start(signal: AbortSignal): Promise<void> {
    const { metricsServer, healthServer, pprofServer, cluster, election, local, options } = this.#parts;
    const selfManaged = local ? undefined : options.webhook?.selfManagedCertificates;
    if (selfManaged?.metricsService) metricsServer?.useCertificates(this.#selfManagedCertificates(selfManaged));
    for (const server of [metricsServer, healthServer, pprofServer]) if (server) this.#run.httpServers.add(server);
    this.#tracer ??= globalTracer();
    if (local && !this.#webhookServer?.paths.length) {
      this.logger.warn("No webhook is registered: webhook.local.url has no effect");
    }
    try {
      await this.#run.start(signal);
    } finally {
      await cluster.close();
      await election?.close();
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

  /** The port of the profiles, once bound. */
  get pprofPort(): number | undefined {
    return this.#parts.pprofServer?.port;
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
    return this.#clusterHost.mayWrite();
  }

  tracer(): Tracer | undefined {
    return this.#tracer;
  }

  #checkSync(): void {
    const caches = [...this.#caches];
    if (caches.every(({ hasSynced }) => hasSynced)) return;
    const kinds = caches.flatMap((cache) => cache.unsynced());
    throw new Error(`not in sync: ${kinds.join(", ") || "not started"}`);
  }

  #webhookOptions(): WebhookServerOptions {
    const { local, options: all } = this.#parts;
    const { webhook = {} } = all;
    const { selfManagedCertificates: options, certificates } = webhook;
    if (local) return { ...webhook, certificates: local.certificates };
    if (!options || certificates) return webhook;
    return { ...webhook, certificates: this.#selfManagedCertificates(options) };
  }

  #selfManagedCertificates(options: SelfManagedCertificatesOptions): CertificateSource {
    const { apiReader: reader, client, clock, logger: log } = this;
    const definitions = () => this.#convertedDefinitions();
    const { transport } = this.#parts.cluster;
    const parts = { options, reader, client, transport, definitions, clock, log };
    this.#selfManaged ??= sharedCertificates(selfManagedCertificates(parts));
    return this.#selfManaged;
  }

  #convertedDefinitions(): Promise<string[]> {
    return definitionNames(this.webhookServer.convertedKinds, this.mapper);
  }

  #newWebhookServer(): WebhookServer {
    const { metrics } = this.#parts;
    const server = new WebhookServer({
      options: this.#webhookOptions(),
      log: this.logger,
      metrics: metrics?.webhooks ?? noWebhookMetrics,
      tracer: () => this.#tracer,
      onUsed: () => {
        this.#run.webhooks.add(server);
        this.#parts.readyz.add("webhook-server", server.startedChecker);
        this.#callHere(server);
      },
    });
    return server;
  }

  /** Stops before the server does: nobody is called who is gone. */
  #callHere(server: WebhookServer): void {
    const { local, options } = this.#parts;
    if (!local || (options.webhook?.port ?? 0) < 0) return;
    const { apiReader: reader, client, logger: log } = this;
    const definitions = () => this.#convertedDefinitions();
    this.#run.others.add({
      start: (signal) => local.run({ reader, client, log, paths: server.paths, definitions }, signal),
    });
  }
}

async function bindPprof(address: BindAddress, logger: Logger, healthServer: Server | undefined): Promise<Server> {
  const { pprofListener } = await import("../profiling/pprof.ts");
  try {
    return await boundServer("pprof", { host: "127.0.0.1", ...address }, pprofListener(logger), logger);
  } catch (error) {
    await healthServer?.close();
    throw error;
  }
}

/** Serves from its making on: a taken port is known at once, and a kubelet asks before everything is started. */
async function boundServer(
  name: string,
  bindAddress: BindAddress,
  listener: RequestListener,
  logger: Logger,
): Promise<Server> {
  const server = new Server({ name, server: listener, bindAddress, logger });
  await server.bind();
  return server;
}
