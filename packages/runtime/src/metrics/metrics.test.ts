import prom from "prom-client";
import { describe, expect, it } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { PriorityQueue } from "../queue/priority-queue.ts";
import { createMetrics } from "./metrics.ts";

describe("metrics", () => {
  it("have the names of controller-runtime, and start with 0", async () => {
    const metrics = await createMetrics();
    metrics.controller("game");
    const text = await metrics.registry.metrics();
    for (const result of ["success", "error", "requeue", "requeue_after"]) {
      expect(text).toContain(`controller_runtime_reconcile_total{controller="game",result="${result}"} 0`);
    }
    for (const name of [
      "controller_runtime_reconcile_errors_total",
      "controller_runtime_terminal_reconcile_errors_total",
      "controller_runtime_reconcile_panics_total",
      "controller_runtime_reconcile_timeouts_total",
      "controller_runtime_max_concurrent_reconciles",
      "controller_runtime_active_workers",
    ]) {
      expect(text).toContain(`${name}{controller="game"} 0`);
    }
    expect(text).toContain('workqueue_adds_total{name="game",controller="game"} 0');
    expect(text).toContain('workqueue_retries_total{name="game",controller="game"} 0');
    expect(text).toContain('workqueue_unfinished_work_seconds{name="game",controller="game"} 0');
    expect(text).toContain('workqueue_longest_running_processor_seconds{name="game",controller="game"} 0');
    for (const name of ["workqueue_queue_duration_seconds", "workqueue_work_duration_seconds"]) {
      expect(text).toContain(`# TYPE ${name} histogram`);
    }
    expect(text).toContain("# TYPE workqueue_depth gauge");
    expect(text).toContain("# TYPE rest_client_requests_total counter");
    expect(text).toContain("# TYPE leader_election_master_status gauge");
  });

  it("of the process are the default metrics of prom-client, after addProcessSeries", async () => {
    const metrics = await createMetrics();
    const own = (await metrics.registry.getMetricsAsJSON()).map(({ name }) => name);
    await metrics.addProcessSeries();
    const all = await metrics.registry.getMetricsAsJSON();
    const theirs = new prom.Registry();
    prom.collectDefaultMetrics({ register: theirs });
    const shapes = (list: readonly { name: string; help: string; type: unknown }[]) =>
      list.map(({ name, help, type }) => `${name} ${type} ${help}`).sort();
    expect(shapes(all.filter(({ name }) => !own.includes(name)))).toEqual(shapes(await theirs.getMetricsAsJSON()));
    const text = await metrics.registry.metrics();
    const [user, system, sum] = ["user_", "system_", ""].map((kind) =>
      Number(new RegExp(`^process_cpu_${kind}seconds_total (.*)$`, "m").exec(text)?.[1]),
    );
    expect(user! + system!).toBeCloseTo(sum!, 1);
    expect(sum).toBeGreaterThan(0);
  });

  it("count the work of controllers", async () => {
    const metrics = await createMetrics();
    const game = metrics.controller("game");
    game.reconciled("requeue_after", 0.2);
    game.reconciled("error", 3);
    game.failed();
    game.activeWorkers(1);
    metrics.exchange({ method: "GET", code: "200", host: "h:1", duration: 5 });
    metrics.leader("x", true);
    const text = await metrics.registry.metrics();
    expect(text).toContain('controller_runtime_reconcile_total{controller="game",result="requeue_after"} 1');
    expect(text).toContain('controller_runtime_reconcile_time_seconds_bucket{le="0.2",controller="game"} 1');
    expect(text).toContain('controller_runtime_reconcile_time_seconds_count{controller="game"} 2');
    expect(text).toContain('controller_runtime_reconcile_errors_total{controller="game"} 1');
    expect(text).toContain('controller_runtime_active_workers{controller="game"} 1');
    expect(text).toContain('rest_client_requests_total{code="200",method="GET",host="h:1"} 1');
    expect(text).toContain('leader_election_master_status{name="x"} 1');
  });

  it("contain the depth of a queue by priority, and the age of work in progress", async () => {
    const metrics = await createMetrics();
    const clock = new VirtualClock();
    const queue = new PriorityQueue<string>({ keyOf: String, clock, metrics: metrics.controller("game").queue });
    queue.add("a", { priority: 5 });
    queue.add("b");
    queue.add("c", { after: 1000 });
    await queue.get();
    await clock.advance(500);
    let text = await metrics.registry.metrics();
    expect(text).toContain('workqueue_depth{name="game",controller="game",priority="5"} 0');
    expect(text).toContain('workqueue_depth{name="game",controller="game",priority="0"} 1');
    expect(text).toContain('workqueue_adds_total{name="game",controller="game"} 3');
    expect(text).toContain('workqueue_retries_total{name="game",controller="game"} 1');
    expect(text).toContain('workqueue_unfinished_work_seconds{name="game",controller="game"} 0.5');
    queue.done("a");
    text = await metrics.registry.metrics();
    expect(text).toContain('workqueue_unfinished_work_seconds{name="game",controller="game"} 0');
    expect(text).toContain('workqueue_work_duration_seconds_sum{name="game",controller="game"} 0.5');
  });

  it("have the bucket bounds of Go's client, in the same format", async () => {
    const metrics = await createMetrics({ restClient: true });
    metrics.controller("game");
    metrics.webhooks.registered("/x");
    metrics.requestDetails?.sent("GET", "h:1", 1);
    const text = await metrics.registry.metrics();
    const bounds = (name: string) =>
      [...text.matchAll(new RegExp(`^${name}_bucket\\{le="([^"]*)"`, "gm"))].map(([, bound]) => bound).join(" ");
    const seconds = "1e-08 1e-07 1e-06 9.999999999999999e-06 9.999999999999999e-05 0.001 0.01 0.1 1 10 100 1000 +Inf";
    expect(bounds("workqueue_queue_duration_seconds")).toBe(seconds);
    expect(bounds("workqueue_work_duration_seconds")).toBe(seconds);
    expect(bounds("controller_runtime_webhook_latency_seconds")).toBe(seconds);
    expect(bounds("rest_client_request_size_bytes")).toBe(
      "64 256 512 1024 4096 16384 65536 262144 1.048576e+06 4.194304e+06 1.6777216e+07 +Inf",
    );
  });

  it("of webhooks without a path exist even if no webhook is registered", async () => {
    const text = await (await createMetrics()).registry.metrics();
    expect(text).toContain("controller_runtime_webhook_panics_total 0");
    expect(text).toContain("controller_runtime_conversion_webhook_panics_total 0");
  });

  it("have a limited number of priorities", async () => {
    const metrics = await createMetrics();
    const { queue } = metrics.controller("game");
    for (let priority = 0; priority < 40; priority++) queue.depth(priority, 1);
    const text = await metrics.registry.metrics();
    expect(text.match(/workqueue_depth\{/g)).toHaveLength(26);
    expect(text).toContain('priority="exceeded_cardinality_limit"} 15');
  });

  it("of two managers are independent", async () => {
    const [first, second] = await Promise.all([createMetrics(), createMetrics()]);
    first.controller("game").failed();
    second.controller("game");
    expect(await second.registry.metrics()).toContain('controller_runtime_reconcile_errors_total{controller="game"} 0');
  });

  it("of request details exist only if configured", async () => {
    const plain = await createMetrics();
    expect(plain.requestDetails).toBeUndefined();
    expect(await plain.registry.metrics()).not.toContain("rest_client_request_duration_seconds");

    const metrics = await createMetrics({ restClient: true });
    metrics.exchange({ method: "GET", code: "200", host: "h:1", duration: 30 });
    const { requestDetails } = metrics;
    requestDetails?.sent("POST", "h:1", 100);
    requestDetails?.received("GET", "h:1", 5000);
    requestDetails?.retried("GET", "h:1", "429");
    requestDetails?.rateLimited("GET", "h:1", 2000);
    requestDetails?.resolved("h:1", 5);
    const text = await metrics.registry.metrics();
    for (const line of [
      'rest_client_request_duration_seconds_bucket{le="0.1",verb="GET",host="h:1"} 1',
      'rest_client_request_size_bytes_bucket{le="256",verb="POST",host="h:1"} 1',
      'rest_client_response_size_bytes_bucket{le="16384",verb="GET",host="h:1"} 1',
      'rest_client_request_retries_total{code="429",verb="GET",host="h:1"} 1',
      'rest_client_rate_limiter_duration_seconds_sum{verb="GET",host="h:1"} 2',
      'rest_client_dns_resolution_duration_seconds_count{host="h:1"} 1',
    ]) {
      expect(text).toContain(line);
    }
  });
});
