// Each alert of a running manager: it doesn't fire while the manager is healthy, and fires when its cause exists. promtool evaluates
// the rules on scraped series, which continue as they changed between two scrapes. Needs Go.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, Manager, newControllerManagedBy, type Reconciler } from "@kubewright/runtime";
import { ConfigMap, Secret } from "@kubewright/runtime/api/core/v1";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { dump } from "js-yaml";
import { afterAll, beforeAll, expect, it } from "vitest";
import { selfSignedCertificate } from "../../packages/runtime/src/certs/self-signed.ts";
import { freePort } from "../../scripts/test-support/free-port.ts";
import { alertsOf } from "../../src/generate/monitoring/alerts.ts";
import { ruleGroups } from "../../src/generate/monitoring/rules.ts";
import { installPromtool, runPromtool } from "./promtool.ts";
import { continued, type Scrape, samplesOf } from "./scrapes.ts";

const scratch = mkdtempSync(join(tmpdir(), "kubewright-firing-"));
const job = "operator-controller-manager-metrics-service";
const lease = "firing.example.com";
const controllers = ["failing", "stuck", "slow", "hot"] as const;
const operator = { project: "operator", job, controllers, lease, hasWebhooks: true };
// The default is a minute, for which the test doesn't wait.
const alerts = alertsOf(operator, new Map([["QueueSlow", { above: 1 }]]));

const environment = new TestEnvironment();
const stop = new AbortController();
const running: Promise<void>[] = [];
const certDir = join(scratch, "certificates");
let client: Client;
let metricsUrl = "";
let webhookPort = 0;
let broken = false;

const configMap = (name: string) => ({
  apiVersion: "v1" as const,
  kind: "ConfigMap" as const,
  metadata: { namespace: "default", name },
});
const untilStopped = () => new Promise<void>((resolve) => stop.signal.addEventListener("abort", () => resolve()));

/** The reconcilers, by the names of their controllers. They have nothing to do until their causes begin. */
const reconcilers: Readonly<Record<(typeof controllers)[number], Reconciler["reconcile"]>> = {
  failing: async () => {
    if (broken) throw new Error("the external system can't be reached");
  },
  stuck: async () => (broken ? untilStopped() : undefined),
  slow: async () => (broken ? sleep(1500) : undefined),
  hot: async () => (broken ? { requeueAfter: 5 } : undefined),
};

beforeAll(async () => {
  await installPromtool(scratch);
  mkdirSync(certDir);
  const { cert, key } = await selfSignedCertificate(["127.0.0.1"]);
  writeFileSync(join(certDir, "tls.crt"), cert);
  writeFileSync(join(certDir, "tls.key"), key);
  const config = await environment.start();
  const bindAddress = `127.0.0.1:${await freePort()}`;
  metricsUrl = `http://${bindAddress}/metrics`;
  webhookPort = await freePort();
  const mgr = await Manager.create(config, {
    metrics: { bindAddress },
    webhook: { host: "127.0.0.1", port: webhookPort, certDir },
    gracefulShutdownTimeout: 1000,
    leaderElection: true,
    leaderElectionID: lease,
    leaderElectionNamespace: "default",
  });
  client = mgr.client;
  for (const name of controllers) {
    await newControllerManagedBy(mgr)
      .for(ConfigMap, { predicates: [{ create: ({ object }) => object.metadata?.name?.startsWith("x") ?? false }] })
      .named(name)
      .complete({ reconcile: reconcilers[name] });
  }
  await newControllerManagedBy(mgr)
    .for(Secret, {
      predicates: [
        {
          create: () => {
            throw new TypeError("the predicate reads a field that doesn't exist");
          },
        },
      ],
    })
    .named("dropping")
    .complete({ reconcile: async () => undefined });
  const { webhookServer } = mgr;
  webhookServer.register("/fails", (_request, response) => void response.writeHead(500).end());
  webhookServer.register("/waits", (_request, response) => void setTimeout(() => response.end(), 3000));
  running.push(mgr.start(stop.signal));
  while (!(await isLeader(metricsUrl))) await sleep(50);
});
afterAll(async () => {
  stop.abort();
  await Promise.allSettled(running);
  await environment.stop();
  rmSync(scratch, { recursive: true, force: true });
});

async function isLeader(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined);
  return /^leader_election_master_status\{.*\} 1$/m.test((await response?.text()) ?? "");
}

/** Scrapes a target as Prometheus does: with its labels, and with the series `up`. */
async function scrape(url: string): Promise<Scrape> {
  const labels = { job, namespace: "operator-system", instance: new URL(url).host };
  const response = await fetch(url).catch(() => undefined);
  const up = { name: "up", labels, value: response?.ok ? 1 : 0 };
  return { time: Date.now(), samples: [up, ...samplesOf((await response?.text()) ?? "", labels)] };
}

/** Sends a request to a webhook, and ignores the answer. */
function callWebhook(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port: webhookPort, path, method: "POST", rejectUnauthorized: false };
    const sent = request(options, (response) => response.resume().once("end", () => resolve()));
    sent.once("error", reject).end("{}");
  });
}

/** Returns an expression whose value is 1 if an alert has fired, and 0 otherwise. */
function hasFired(alert: string): string {
  return `count(last_over_time(ALERTS{alertname="${alert}",alertstate="firing"}[2h])) > bool 0 or vector(0)`;
}

/** Returns the names of the alerts that fire in the hour after the first of two scrapes. */
async function firing(first: Scrape, second: Scrape): Promise<string[]> {
  const minutes = 75;
  writeFileSync(join(scratch, "rules.yaml"), dump({ groups: ruleGroups(operator, alerts) }));
  const series = continued(first, second, minutes * 2);
  const test = {
    rule_files: ["rules.yaml"],
    evaluation_interval: "30s",
    tests: [
      {
        interval: "30s",
        input_series: series,
        promql_expr_test: alerts.map(({ name }) => ({
          expr: hasFired(name),
          eval_time: `${minutes}m`,
          exp_samples: [{ labels: "{}", value: 0 }],
        })),
      },
    ],
  };
  writeFileSync(join(scratch, "test.yaml"), dump(test));
  const { output } = await runPromtool(scratch, ["test", "rules", "test.yaml"], scratch);
  if (!/SUCCESS|got:/.test(output)) throw new Error(output);
  return alerts.map(({ name }) => name).filter((name) => output.includes(JSON.stringify(hasFired(name))));
}

it("no alert fires for a healthy manager", async () => {
  await client.create(configMap("healthy"));
  const first = await scrape(metricsUrl);
  await sleep(3000);
  expect(await firing(first, await scrape(metricsUrl))).toEqual([]);
});

it("each alert fires when its cause exists", async () => {
  broken = true;
  for (let index = 0; index < 10; index++) await client.create(configMap(`x-${index}`));
  writeFileSync(join(certDir, "tls.crt"), "not a certificate");
  // Nothing serves this webhook, so the API server answers 500.
  await client.create({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "absent" },
    webhooks: [
      {
        name: "absent.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        clientConfig: { url: "https://127.0.0.1:1/" },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["serviceaccounts"] }],
      },
    ],
  });
  const calls: Promise<unknown>[] = [];
  const refused = async () => {
    await client
      .create({ apiVersion: "v1", kind: "ServiceAccount", metadata: { namespace: "default", name: "a" } })
      .catch((error: Error) => expect(error.message).toContain("absent.example.com"));
  };
  // A series that begins between both scrapes can't be continued.
  await refused();
  const first = await scrape(metricsUrl);
  // The predicate for it fails.
  await client.create({ apiVersion: "v1", kind: "Secret", metadata: { namespace: "default", name: "a" } });
  for (let step = 0; step < 10; step++) {
    calls.push(callWebhook("/waits"), callWebhook("/fails"), refused());
    await sleep(1200);
  }
  await Promise.all(calls);
  const second = await scrape(metricsUrl);
  const expected = alerts.map(({ key }) => key).filter((key) => key !== "NoLeader" && key !== "Down");
  expect(await firing(first, second)).toEqual(expected.map((key) => `Operator${key}`));
});

it("NoLeader fires if another process holds the lease and doesn't work", async () => {
  await client.create({
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { namespace: "kube-system", name: lease },
    spec: {
      holderIdentity: "a process that has ended",
      leaseDurationSeconds: 3600,
      acquireTime: new Date().toISOString().replace("Z", "000Z"),
      renewTime: new Date().toISOString().replace("Z", "000Z"),
    },
  });
  const bindAddress = `127.0.0.1:${await freePort()}`;
  const standby = await Manager.create(environment.config, {
    metrics: { bindAddress },
    leaderElection: true,
    leaderElectionID: lease,
    leaderElectionNamespace: "kube-system",
  });
  running.push(standby.start(stop.signal));
  const url = `http://${bindAddress}/metrics`;
  await expect
    .poll(async () => (await scrape(url)).samples.map(({ name }) => name))
    .toContain("leader_election_master_status");
  expect(await firing(await scrape(url), await scrape(url))).toEqual(["OperatorNoLeader"]);
});

it("Down fires if no target answers", async () => {
  const url = `http://127.0.0.1:${await freePort()}/metrics`;
  expect(await firing(await scrape(url), await scrape(url))).toEqual(["OperatorDown"]);
});
