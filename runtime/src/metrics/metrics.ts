import type { Registry } from "prom-client";
import type { EventMetrics } from "../cache/event-metrics.ts";
import type { ControllerMetrics } from "../controller/metrics.ts";
import type { Exchange, RequestDetails } from "../transport/options.ts";
import type { WebhookMetrics } from "../webhook/metrics.ts";
import { certificateSeries } from "./certificate-series.ts";
import { ControllerSeries } from "./controller-series.ts";
import { eventSeries } from "./event-series.ts";
import { processSeries } from "./process-series.ts";
import { loadProm } from "./prom.ts";
import { restClientSeries } from "./rest-client-series.ts";
import { webhookSeries } from "./webhook-series.ts";
import { WorkqueueSeries } from "./workqueue-series.ts";

/** The metrics of one manager, in a registry of its own, under controller-runtime's names. */
export interface ManagerMetrics {
  readonly registry: Registry;
  /** The series of a controller, there with 0 from the start. */
  controller(name: string): ControllerMetrics;
  /** The series of the webhook server; those without a path are there from the start. */
  readonly webhooks: WebhookMetrics;
  /** Counts of events and objects that the user's code could not process. */
  readonly events: EventMetrics;
  /** One exchange with the API server. */
  exchange(exchange: Exchange): void;
  /** Takes what else there is to tell of requests, where somebody asked for it. */
  readonly requestDetails: RequestDetails | undefined;
  leader(name: string, isLeader: boolean): void;
  unhandledRejection(): void;
  /** A certificate's files were read. */
  certificateRead(failed: boolean): void;
  /** Adds the series of the process itself, the first time; to be called when metrics are read: what nobody reads isn't measured. */
  addProcessSeries(): Promise<void>;
}

export interface MetricsParts {
  /** The series of requests to the API server that cost more than they tell in most operators. */
  restClient?: boolean;
}

/** Makes a registry and the series in it. prom-client is loaded here and nowhere else: programs without metrics don't pay for it. */
export async function createMetrics(options: MetricsParts = {}): Promise<ManagerMetrics> {
  const prom = await loadProm();
  const registry = new prom.Registry();
  const registers = [registry];
  const controllers = new ControllerSeries(prom, registers);
  const queues = new WorkqueueSeries(prom, registers);
  const requests = new prom.Counter({
    name: "rest_client_requests_total",
    help: "HTTP requests by status code, method and host.",
    labelNames: ["code", "method", "host"] as const,
    registers,
  });
  const leaders = new prom.Gauge({
    name: "leader_election_master_status",
    help: "Whether this process holds the lease: 1 if it does, 0 if not.",
    labelNames: ["name"] as const,
    registers,
  });
  const rejections = new prom.Counter({
    name: "kubewright_unhandled_rejections_total",
    help: "Promises that were rejected with nobody listening.",
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
