import type { Registry } from "prom-client";
import type { ControllerMetrics } from "../controller/metrics.ts";
import type { Exchange } from "../transport/options.ts";
import type { WebhookMetrics } from "../webhook/metrics.ts";
import { ControllerSeries } from "./controller-series.ts";
import { webhookSeries } from "./webhook-series.ts";
import { WorkqueueSeries } from "./workqueue-series.ts";

/** The metrics of one manager, in a registry of its own, under controller-runtime's names. */
export interface ManagerMetrics {
  readonly registry: Registry;
  /** The series of a controller, there with 0 from the start. */
  controller(name: string): ControllerMetrics;
  /** The series of the webhook server, made when they are first asked for. */
  webhooks(): WebhookMetrics;
  /** One exchange with the API server. */
  exchange(exchange: Exchange): void;
  leader(name: string, isLeader: boolean): void;
  unhandledRejection(): void;
}

/** Makes a registry and the series in it. prom-client is loaded here and nowhere else: programs without metrics don't pay for it. */
export async function createMetrics(): Promise<ManagerMetrics> {
  const prom = (await import("prom-client")).default;
  const registry = new prom.Registry();
  const registers = [registry];
  prom.collectDefaultMetrics({ register: registry });
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
  let webhooks: WebhookMetrics | undefined;
  return {
    registry,
    webhooks: () => {
      webhooks ??= webhookSeries(prom, registers);
      return webhooks;
    },
    controller: (name) => controllers.of(name, queues.of(name)),
    exchange: ({ code, method, host }) => requests.inc({ code, method, host }),
    leader: (name, isLeader) => leaders.set({ name }, isLeader ? 1 : 0),
    unhandledRejection: () => rejections.inc(),
  };
}
