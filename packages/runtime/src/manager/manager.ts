import type { RequestListener } from "node:http";
import type { Kind } from "../api/kind.ts";
import type { ControllerHost, ShardHost } from "../builder/host.ts";
import type { WebhookHost } from "../builder/webhook-host.ts";
import type { InformerCache } from "../cache/cache.ts";
import type { CertificateSource } from "../certs/certificate-source.ts";
import type { Client, Reader } from "../client/client.ts";
import type { Clock } from "../clock/clock.ts";
import { Cluster, type ClusterHost } from "../cluster/cluster.ts";
import type { Config } from "../config/config.ts";
import { type ControllerMetrics, noControllerMetrics } from "../controller/metrics.ts";
import type { RestMapper } from "../discovery/rest-mapper.ts";
import type { EventRecorder } from "../events/recorder.ts";
import { type HealthCheck, HealthChecks, healthListener, ping } from "../health/health.ts";
import type { Inspector } from "../inspect/inspector.ts";
import { createLogger } from "../log/create-logger.ts";
import type { Logger } from "../log/logger.ts";
import { createMetrics, type ManagerMetrics } from "../metrics/metrics.ts";
import type { ControllerInspection } from "../reconcile/inspection.ts";
import type { Runnable } from "../runnable/runnable.ts";
import { parseBindAddress } from "../server/bind-address.ts";
import { Server } from "../server/server.ts";
import { identityOfParent } from "../session/parent-process.ts";
import { simulatedProcess } from "../session/simulated-process.ts";
import { globalTracer, type Tracer } from "../tracing/tracer.ts";
import { programName } from "../transport/user-agent.ts";
import { definitionNames } from "../webhook/conversion/definitions.ts";
import { noWebhookMetrics } from "../webhook/http/metrics.ts";
import { localWebhooks } from "../webhook/local/local-webhooks.ts";
import { localRunnable } from "../webhook/local/types.ts";
import type { SelfManagedCertificatesOptions } from "../webhook/options/self-managed.ts";
import type { WebhookServerOptions } from "../webhook/options/server.ts";
import { selfManagedCertificates } from "../webhook/self-managed/certificates.ts";
import { sharedCertificates } from "../webhook/self-managed/shared-certificates.ts";
import { WebhookServer } from "../webhook/server.ts";
import { bindPprof, boundServer } from "./bound-server.ts";
import { checkSync } from "./check-sync.ts";
import { clusterHost } from "./cluster-host.ts";
import { newElection } from "./election.ts";
import { managerHook } from "./hooks.ts";
import { inspectionOf } from "./inspection-of.ts";
import { MetricsServer } from "./metrics-server.ts";
import type { ControllerManagerDefaults, ManagerOptions } from "./options.ts";
import type { Parts } from "./parts.ts";
import { ManagerRun } from "./run.ts";
import { Sharding, type Shards, shardingPlan } from "./sharding.ts";

/**
 * Runs an operator: holds the client, the cache and everything else that runs as long as the operator, and starts and
 * stops them in order.
 *
 * @example
 * const mgr = await Manager.create(getConfigOrDie(), { healthProbeBindAddress: ":8081" });
 * await newControllerManagedBy(mgr).for(Game).complete(new GameReconciler(mgr.client));
 * await mgr.start(setupSignalHandler());
 */
export class Manager implements ControllerHost, WebhookHost {
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
  /** Base of all loggers of the operator. */
  readonly logger: Logger;
  /** Clock of the operator, which tests can replace. */
  readonly clock: Clock;
  /** Source of random numbers of the operator, which tests can replace. */
  readonly random: () => number;
  /** Resolves when this process becomes the leader. Without leader election, it resolves soon after the start. */
  readonly elected: Promise<void>;
  readonly #parts: Parts;
  readonly #run: ManagerRun;
  readonly #clusterHost: ClusterHost;
  /** The manager's own cache, and those of added clusters. */
  readonly #caches = new Set<InformerCache>();
  readonly #controllerNames = new Set<string>();
  /** Everything that was added, in order. */
  readonly #added: Runnable[] = [];
  #tracer: Tracer | undefined;
  #webhookServer: WebhookServer | undefined;
  /** Serves the certificate of the webhooks, and of the metrics if they have a Service. */
  #selfManaged: CertificateSource | undefined;

  private constructor(parts: Parts) {
    const { options, cluster, metrics, election, sharding, healthz, readyz } = parts;
    this.#parts = parts;
    ({
      config: this.config,
      client: this.client,
      apiReader: this.apiReader,
      cache: this.cache,
      mapper: this.mapper,
      logger: this.logger,
      clock: this.clock,
      random: this.random,
    } = cluster);
    this.#tracer = options.tracer;
    this.#clusterHost = clusterHost(parts, () => this.#tracer);
    cluster.adopt(this.#clusterHost);
    this.#run = new ManagerRun({
      log: this.logger,
      clock: this.clock,
      elector: election?.elector,
      shards: sharding?.group,
      beforeLeading: election && ((signal) => election.waitForShards(signal)),
      gracefulShutdownTimeout: options.gracefulShutdownTimeout ?? 30_000,
      // The next manager of the session continues with the same identity, and an operator in the cluster must not act between.
      releaseOnCancel: (options.leaderElectionReleaseOnCancel ?? false) && identityOfParent() === undefined,
      writeLast: () => cluster.writeLastEvents(),
      onUnhandledRejection: () => metrics?.unhandledRejection(),
      onServing: () => parts.inspection?.inspector.started(),
    });
    this.elected = managerHook.installed ? Promise.resolve() : this.#run.elected;
    this.#run.caches.add(this.cache);
    this.#caches.add(this.cache);
    healthz.add("ping", ping);
    readyz.add("informer-sync", () => checkSync(this.#caches));
    if (sharding) readyz.add("shards", () => sharding.checkReady());
  }

  /**
   * Creates a manager. It sends no requests yet. The ports of probes and profiles are bound, so that an occupied port
   * is detected before the start.
   *
   * @param config - connection settings of the API server
   * @param given - see {@link ManagerOptions}
   * @returns the manager, which {@link start} runs
   * @throws Error if options are invalid or contradict each other, or if a port is occupied
   */
  static async create(config: Config, given: ManagerOptions = {}): Promise<Manager> {
    const simulated = simulatedProcess()?.managers;
    const options = managerHook.installed?.options(given) ?? simulated?.options(given, programName()) ?? given;
    const { metrics: metricsOptions = {}, livenessEndpointName, readinessEndpointName } = options;
    const metricsAddress = parseBindAddress(metricsOptions.bindAddress || ":8080");
    const healthAddress = parseBindAddress(options.healthProbeBindAddress || "0");
    const pprofAddress = parseBindAddress(options.pprofBindAddress || "0");
    const local = localWebhooks(options.webhook?.local);
    const inspection = await inspectionOf(options);
    const plan = shardingPlan(options);
    const inspectedLogger = inspection?.inspector.logger(options.logger ?? createLogger());
    const clusterOptions = inspectedLogger ? { ...options, logger: inspectedLogger } : options;
    const cluster = await Cluster.createInspected(config, clusterOptions, inspection?.inspector.cluster, plan?.cache);
    inspection?.inspector.observeCache(cluster.cache);
    const { logger, transport } = cluster;
    const metrics =
      metricsAddress && (await createMetrics({ restClient: metricsOptions.restClientMetrics, shards: !!plan }));
    const election = options.leaderElection || plan ? newElection(cluster, options, metrics, plan?.name) : undefined;
    const sharding = plan && election ? new Sharding({ plan, cluster, election, options, metrics }) : undefined;
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
    const parts = { options, cluster, healthz, readyz, metrics, election, sharding, local, inspection, ...servers };
    const manager = new Manager(parts);
    simulated?.created(manager);
    return manager;
  }

  /**
   * Adds a runnable, which runs as long as the manager. It starts with the manager, or immediately if the manager has
   * started. A {@link Cluster} starts with the caches, and its writes follow the rules of leader election.
   * A {@link Server} starts first and stops last.
   *
   * @param runnable - an object with `start(signal)`, a {@link Cluster} or a {@link Server}
   * @throws Error if the manager is stopping
   */
  async add(runnable: Runnable): Promise<void> {
    this.#added.push(runnable);
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

  /**
   * Adds a check to `/healthz`, which is also served as `/healthz/<name>`.
   *
   * @param name - the name
   * @param check - fails by throwing or rejecting
   */
  addHealthzCheck(name: string, check: HealthCheck): void {
    this.#parts.healthz.add(name, check);
  }

  /**
   * Adds a check to `/readyz`, which is also served as `/readyz/<name>`.
   *
   * @param name - the name
   * @param check - fails by throwing or rejecting
   */
  addReadyzCheck(name: string, check: HealthCheck): void {
    this.#parts.readyz.add(name, check);
  }

  /**
   * Serves another path on the metrics server, with the same protection as the metrics.
   *
   * @param path - the path
   * @param handler - answers the requests
   * @throws Error if the path is already served, or if metrics are disabled
   */
  addMetricsServerExtraHandler(path: string, handler: RequestListener): void {
    const { metricsServer } = this.#parts;
    if (!metricsServer)
      throw new Error(`metrics handler ${path}: there is no metrics server, because metrics.bindAddress is "0"`);
    metricsServer.addHandler(path, handler);
  }

  /**
   * Returns a recorder, which writes events about objects.
   *
   * @param name - the reporting controller, such as `game-controller`
   * @returns the recorder
   */
  recorder(name: string): EventRecorder {
    return this.#parts.cluster.recorder(name);
  }

  /**
   * Starts everything and runs until the signal aborts. Resolves when everything has stopped.
   *
   * @param signal - stops the manager; see {@link setupSignalHandler}
   * @throws the error of the runnable that failed
   * @throws Error if the lease was lost (end the process then), or if stopping took longer than
   * `gracefulShutdownTimeout`
   */
  async start(signal: AbortSignal): Promise<void> {
    if (managerHook.installed) return managerHook.installed.run(this, this.#added, signal);
    const simulated = simulatedProcess()?.managers;
    return simulated ? simulated.run((abortSignal) => this.#start(abortSignal), signal) : this.#start(signal);
  }

  async #start(signal: AbortSignal): Promise<void> {
    const { metricsServer, healthServer, pprofServer, cluster, election, local, options } = this.#parts;
    const selfManaged = local ? undefined : options.webhook?.selfManagedCertificates;
    if (selfManaged?.metricsService) metricsServer?.useCertificates(this.#selfManagedCertificates(selfManaged));
    const inspectServer = await this.#parts.inspection?.serve(this.logger);
    for (const server of [metricsServer, healthServer, pprofServer, inspectServer]) {
      if (server) this.#run.httpServers.add(server);
    }
    this.#tracer ??= globalTracer();
    if (local && !local.precedeCaches && !this.#webhookServer?.paths.length) {
      this.logger.warn("No webhook is registered: webhook.local.url has no effect");
    }
    try {
      await this.#run.start(signal);
    } finally {
      await cluster.close();
      await election?.close();
    }
  }

  /** Port of the health probes. Unset until it is bound. */
  get healthProbePort(): number | undefined {
    return this.#parts.healthServer?.port;
  }

  /** Port of the metrics. Unset until it is bound. */
  get metricsPort(): number | undefined {
    return this.#parts.metricsServer?.port;
  }

  /** Port of the profiles. Unset until it is bound. */
  get pprofPort(): number | undefined {
    return this.#parts.pprofServer?.port;
  }

  /** Port of the records of `inspect`. Unset until it is bound. */
  get inspectPort(): number | undefined {
    return this.#parts.inspection?.port;
  }

  /** Metrics of this manager, whose registry accepts your own metrics. `undefined` if metrics are disabled. */
  get metrics(): ManagerMetrics | undefined {
    return this.#parts.metrics;
  }

  /** Serves the webhooks. It starts with the manager if a path is registered. */
  get webhookServer(): WebhookServer {
    this.#webhookServer ??= this.#newWebhookServer();
    return this.#webhookServer;
  }

  /** Options that apply to all controllers. @internal */
  get controllerDefaults(): ControllerManagerDefaults {
    return this.#parts.options.controller ?? {};
  }

  /** Reserves a name for a controller. @internal */
  claimControllerName(name: string): void {
    if (this.#controllerNames.has(name)) {
      throw new Error(
        `controller with name ${name} already exists: names must be unique in logs and metrics, set another one with named(…)`,
      );
    }
    this.#controllerNames.add(name);
  }

  /** Returns the metrics of a controller. @internal */
  controllerMetrics(controller: string): ControllerMetrics {
    return this.#parts.metrics?.controller(controller) ?? noControllerMetrics;
  }

  /** The objects that this process reconciles. `undefined` without the option `sharding`. */
  get shards(): Shards | undefined {
    return this.#parts.sharding;
  }

  /** The shards, as controllers use them. @internal */
  get shardHost(): ShardHost | undefined {
    return this.#parts.sharding;
  }

  /** Returns whether reconciles may start: `false` if the lease may be lost. @internal */
  mayReconcile(): boolean {
    return this.#clusterHost.mayWrite();
  }

  /** Records what the manager does, if the option `inspect` is set. @internal */
  get inspector(): Inspector | undefined {
    return this.#parts.inspection?.inspector;
  }

  /** Returns the hooks of a controller, if its work is recorded. @internal */
  inspectController<R>(name: string, kind: Kind | undefined): ControllerInspection<R> | undefined {
    return managerHook.installed?.controller<R>(name, kind) ?? this.inspector?.controller<R>(name, kind);
  }

  /** Returns the tracer, if there is one. @internal */
  tracer(): Tracer | undefined {
    return this.#tracer;
  }

  #webhookOptions(): WebhookServerOptions {
    const { local, options: all } = this.#parts;
    const { webhook = {} } = all;
    const { selfManagedCertificates: options, certificates } = webhook;
    if (local && (webhook.port ?? 0) >= 0) return { ...webhook, ...local.server };
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
    return definitionNames(this.webhookServer.convertedVersions, this.mapper);
  }

  #newWebhookServer(): WebhookServer {
    const { metrics } = this.#parts;
    const server = WebhookServer.create({
      options: this.#webhookOptions(),
      log: this.logger,
      metrics: metrics?.webhooks ?? noWebhookMetrics,
      tracer: () => this.#tracer,
      inspection: this.inspector?.webhooks,
      onUsed: () => {
        this.#run.webhooks.add(server);
        this.#parts.readyz.add("webhook-server", server.startedChecker);
        this.#callHere(server);
      },
    });
    return server;
  }

  /** Lets the cluster call this process. It stops before the webhook server, so that the cluster stops calling first. */
  #callHere(server: WebhookServer): void {
    const { local, options } = this.#parts;
    if (!local || (options.webhook?.port ?? 0) < 0) return;
    const { apiReader: reader, client, logger: log } = this;
    const runnable = localRunnable(local, server, { reader, client, log }, () => this.#convertedDefinitions());
    (local.precedeCaches ? this.#run.webhooks : this.#run.others).add(runnable);
  }
}
