import { expect, it } from "vitest";
import { createMetrics } from "./metrics.ts";

const queue = "name controller";
/** Each metric of controller-runtime v0.25 with its labels, including optional ones. */
const theirs: [name: string, type: "counter" | "gauge" | "histogram", labels: string][] = [
  ["controller_runtime_reconcile_total", "counter", "controller result"],
  ["controller_runtime_reconcile_errors_total", "counter", "controller"],
  ["controller_runtime_terminal_reconcile_errors_total", "counter", "controller"],
  ["controller_runtime_reconcile_panics_total", "counter", "controller"],
  ["controller_runtime_reconcile_timeouts_total", "counter", "controller"],
  ["controller_runtime_reconcile_time_seconds", "histogram", "controller"],
  ["controller_runtime_max_concurrent_reconciles", "gauge", "controller"],
  ["controller_runtime_active_workers", "gauge", "controller"],
  ["controller_runtime_client_consistency_wait_duration_seconds", "histogram", "operation result"],
  ["workqueue_depth", "gauge", `${queue} priority`],
  ["workqueue_adds_total", "counter", queue],
  ["workqueue_retries_total", "counter", queue],
  ["workqueue_queue_duration_seconds", "histogram", queue],
  ["workqueue_work_duration_seconds", "histogram", queue],
  ["workqueue_unfinished_work_seconds", "gauge", queue],
  ["workqueue_longest_running_processor_seconds", "gauge", queue],
  ["rest_client_requests_total", "counter", "code method host"],
  ["rest_client_request_duration_seconds", "histogram", "verb host"],
  ["rest_client_dns_resolution_duration_seconds", "histogram", "host"],
  ["rest_client_request_size_bytes", "histogram", "verb host"],
  ["rest_client_response_size_bytes", "histogram", "verb host"],
  ["rest_client_rate_limiter_duration_seconds", "histogram", "verb host"],
  ["rest_client_request_retries_total", "counter", "code verb host"],
  ["leader_election_master_status", "gauge", "name"],
  ["controller_runtime_webhook_requests_total", "counter", "webhook code"],
  ["controller_runtime_webhook_latency_seconds", "histogram", "webhook"],
  ["controller_runtime_webhook_requests_in_flight", "gauge", "webhook"],
  ["controller_runtime_webhook_panics_total", "counter", ""],
  ["controller_runtime_conversion_webhook_panics_total", "counter", ""],
  ["certwatcher_read_certificate_total", "counter", ""],
  ["certwatcher_read_certificate_errors_total", "counter", ""],
];
const ours = [
  "kubewright_children_total counter action child controller",
  "kubewright_dropped_events_total counter kind reason",
  "kubewright_event_handler_errors_total counter kind",
  "kubewright_index_errors_total counter kind",
  "kubewright_set_aside_objects gauge kind",
  "kubewright_stalled_event_handlers gauge kind",
  "kubewright_unhandled_rejections_total counter",
];

it("the registry contains each metric of controller-runtime, with its type and labels, and the runtime's own metrics", async () => {
  const metrics = await createMetrics({ restClient: true });
  const { requestDetails } = metrics;
  metrics.controller("game").queue.depth(0, 1);
  metrics.controller("game").child("deployment", "created");
  metrics.exchange({ method: "GET", code: "200", host: "h", duration: 1 });
  requestDetails?.resolved("h", 1);
  requestDetails?.sent("GET", "h", 1);
  requestDetails?.received("GET", "h", 1);
  requestDetails?.rateLimited("GET", "h", 1);
  requestDetails?.retried("GET", "h", "429");
  metrics.leader("x", true);
  metrics.reads.waited("get", "success", 1);
  metrics.events.handlerFailed("Game");
  metrics.events.eventDropped("Game", "error");
  metrics.events.handlerStalled("Game", 1);
  metrics.events.setAside("Game", 1);
  metrics.events.indexFailed("Game");
  metrics.webhooks.registered("/x");
  const text = await metrics.registry.metrics();
  const declared = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => {
    const series = new RegExp(`^${name}(?:_bucket)?(?:\\{(.*)\\})? \\S+$`, "m").exec(text);
    expect(series, `a series of ${name}`).not.toBeNull();
    const labels = [...(series?.[1] ?? "").matchAll(/(\w+)="/g)]
      .map(([, label]) => label)
      .filter((each) => each !== "le");
    return [name, type, ...labels.sort()].join(" ");
  });
  const expected = theirs.map(([name, type, labels]) =>
    [name, type, ...labels.split(" ").filter(Boolean).sort()].join(" "),
  );
  expect(declared.sort()).toEqual([...expected, ...ours].sort());
});
