import type { Registry } from "prom-client";
import type { EventMetrics } from "../cache/event-metrics.ts";
import type { ShardCacheMetrics } from "../cache/informer-shards.ts";
import type { ReadMetrics } from "../cache/read-metrics.ts";
import type { ControllerMetrics } from "../controller/metrics.ts";
import type { ShardGroupMetrics } from "../shard-group/work.ts";
import type { Exchange, RequestDetails } from "../transport/options.ts";
import type { WebhookMetrics } from "../webhook/http/metrics.ts";
import { ControllerSeries } from "./controller-series.ts";
import { eventSeries } from "./event-series.ts";
import { processSeries } from "./process-series.ts";
import type { Prom } from "./prom.ts";
import { loadProm } from "./prom.ts";
import { readSeries } from "./read-series.ts";
import { restClientSeries } from "./rest-client-series.ts";
import { shardSeries } from "./shard-series.ts";
import { webhookSeries } from "./webhook-series.ts";
import { WorkqueueSeries } from "./workqueue-series.ts";

/** The metrics of a manager in their own registry, with controller-runtime's names. */
export interface ManagerMetrics {
  /** The registry, which accepts your own metrics. */
  readonly registry: Registry;
  /**
   * Returns the series of a controller, which start with 0.
   *
   * @internal
   */
  controller(name: string): ControllerMetrics;
  /**
   * Series of the webhook server. Those without a path exist from the start.
   *
   * @internal
   */
  readonly webhooks: WebhookMetrics;
  /**
   * Counts events and objects that the user's code failed to process.
   *
   * @internal
   */
  readonly events: EventMetrics;
  /**
   * Measures reads that include own writes.
   *
   * @internal
   */
  readonly reads: ReadMetrics;
  /**
   * Measures the shards of this process. Unset unless replicas share the objects.
   *
   * @internal
   */
  readonly shards: (ShardGroupMetrics & ShardCacheMetrics) | undefined;
  /**
   * Counts an exchange with the API server.
   *
   * @internal
   */
  exchange(exchange: Exchange): void;
  /**
   * Receives further details of requests, if they are enabled.
   *
   * @internal
   */
  readonly requestDetails: RequestDetails | undefined;
  /** @internal */
  leader(name: string, isLeader: boolean): void;
  /** @internal */
  unhandledRejection(): void;
  /**
   * Counts a read of a certificate's files.
   *
   * @internal
   */
  certificateRead(failed: boolean): void;
  /**
   * Adds the series of the process on the first call, when the metrics are first read, so that unused ones aren't measured.
   *
   * @internal
   */
  addProcessSeries(): Promise<void>;
}

export interface MetricsParts {
  /** Whether to include the more expensive metrics of requests to the API server. */
  restClient?: boolean;
  /** Whether replicas share the objects. */
  shards?: boolean;
}

/** Creates a registry with its series. Only this function loads prom-client, so that programs without metrics don't. */
export async function createMetrics(options: MetricsParts = {}): Promise<ManagerMetrics> {
  const prom = await loadProm();
  const registry = new prom.Registry();
  const registers = [registry];
  const controllers = new ControllerSeries(prom, registers);
  const queues = new WorkqueueSeries(prom, registers);
  const requests = new prom.Counter({
    name: "rest_client_requests_total",
    help: "Number of HTTP requests, partitioned by status code, method, and host.",
    labelNames: ["code", "method", "host"] as const,
    registers,
  });
  const leaders = new prom.Gauge({
    name: "leader_election_master_status",
    help: "Whether this process is the leader of the lease: 1 if it is, 0 if it is a candidate.",
    labelNames: ["name"] as const,
    registers,
  });
  const rejections = new prom.Counter({
    name: "kubewright_unhandled_rejections_total",
    help: "Total number of unhandled promise rejections.",
    registers,
  });
  const events = eventSeries(prom, registers);
  const certificateRead = certificateSeries(prom, registers);
  const restClient = options.restClient ? restClientSeries(prom, registers) : undefined;
  let ofProcess: Promise<void> | undefined;
  return {
    registry,
    webhooks: { ...webhookSeries(prom, registers), certificateRead },
    controller: (name) => ({ ...controllers.of(name, queues.of(name)), events }),
    events,
    reads: readSeries(registers),
    shards: options.shards ? shardSeries(prom, registers) : undefined,
    exchange(exchange) {
      const { code, method, host } = exchange;
      requests.inc({ code, method, host });
      restClient?.exchange(exchange);
    },
    requestDetails: restClient?.details,
    leader: (name, isLeader) => leaders.set({ name }, isLeader ? 1 : 0),
    unhandledRejection: () => rejections.inc(),
    certificateRead,
    addProcessSeries: () => {
      ofProcess ??= processSeries(prom, registry);
      return ofProcess;
    },
  };
}

/** Adds `certwatcher_…`: reads of the certificates of webhooks and metrics. Returns a function that counts one. */
function certificateSeries(prom: Prom, registers: Registry[]): (failed: boolean) => void {
  const counter = (name: string, help: string) => new prom.Counter({ name, help, registers });
  const reads = counter("certwatcher_read_certificate_total", "Total number of certificate reads");
  const errors = counter("certwatcher_read_certificate_errors_total", "Total number of certificate read errors");
  return (failed) => {
    reads.inc();
    if (failed) errors.inc();
  };
}
