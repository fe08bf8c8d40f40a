// The generated alerts and panels beside the metrics of a running manager.
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Manager, newControllerManagedBy } from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { load } from "js-yaml";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../scripts/test-support/free-port.ts";
import { scaffold } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import { goldens } from "../lib/golden.ts";

const project = mkdtempSync(join(tmpdir(), "kubewright-scraped-"));
const environment = new TestEnvironment();
const stop = new AbortController();
let mgr: Manager;
let running: Promise<void>;
let scraped = "";

beforeAll(async () => {
  cpSync(join(goldens, "game"), project, { recursive: true });
  await scaffold(project, "generate", "monitoring", "paths=./...");
  const config = await environment.start();
  const address = `127.0.0.1:${await freePort()}`;
  mgr = await Manager.create(config, {
    metrics: { bindAddress: address },
    leaderElection: true,
    leaderElectionID: "scraped.example.com",
    leaderElectionNamespace: "default",
  });
  await newControllerManagedBy(mgr)
    .for(ConfigMap)
    .named("scraped")
    .complete({ reconcile: async () => undefined });
  running = mgr.start(stop.signal);
  await mgr.client.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name: "one" } });
  scraped = await eventually(async () => {
    const text = await (await fetch(`http://${address}/metrics`)).text();
    expect(text).toContain('controller_runtime_reconcile_total{controller="scraped",result="success"}');
    return text;
  });
});
afterAll(async () => {
  stop.abort();
  await running;
  await environment.stop();
  rmSync(project, { recursive: true, force: true });
});

/** Returns the metrics in an expression. */
const metricsIn = (expression: string) =>
  [...expression.matchAll(/\b([a-z_][a-z0-9_]*)\{/g)].map(([, name = ""]) => name.replace(/_bucket$/, ""));

it.each([
  ["alert", () => rules().map(({ expr }) => expr)],
  [
    "panel",
    () =>
      [...readFileSync(join(project, "config/monitoring/dashboard.json"), "utf8").matchAll(/"expr": "(.*)"/g)].map(
        ([, expr = ""]) => expr,
      ),
  ],
])("each metric of an %s is scraped", (_, expressions) => {
  const used = new Set(expressions().flatMap(metricsIn));
  used.delete("up");
  expect(used.size).toBeGreaterThanOrEqual(8);
  for (const name of used) expect(scraped, name).toMatch(new RegExp(`^# TYPE ${name} `, "m"));
});

it("the labels by which alerts group are those of the series", () => {
  for (const [metric, labels] of [
    ["controller_runtime_reconcile_total", ["controller", "result"]],
    ["workqueue_longest_running_processor_seconds", ["controller"]],
    ["workqueue_queue_duration_seconds_bucket", ["controller", "le"]],
    ["leader_election_master_status", ["name"]],
    ["rest_client_requests_total", ["code"]],
  ] as const) {
    const [, series = ""] = new RegExp(`^${metric}\\{(.*?)\\} `, "m").exec(scraped) ?? [];
    for (const label of labels) expect(series, metric).toMatch(new RegExp(`(?:^|,)${label}="`));
  }
});

function rules(): { alert: string; expr: string }[] {
  const file = load(readFileSync(join(project, "config/monitoring/rules.yaml"), "utf8")) as {
    groups: { rules: { alert: string; expr: string }[] }[];
  };
  return file.groups.flatMap((group) => group.rules);
}
