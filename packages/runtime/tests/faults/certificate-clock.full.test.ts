import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ValidatingWebhookConfiguration } from "../../src/api/admissionregistration/v1.ts";
import { Secret } from "../../src/api/core/v1.ts";
import type { Client } from "../../src/client/client.ts";
import { reservePort } from "../../src/envtest/host/ports.ts";
import { TestEnvironment } from "../../src/envtest/index.ts";
import { type ConfigMap, eventually, widgetCRD } from "../../src/manager/widget.fixture.ts";
import { type Service, startService } from "../../src/webhook/self-managed/replicas.fixture.ts";
import { directClient } from "./operator.ts";
import { Replica } from "./replica.ts";

const hour = 3_600_000;
const day = 24 * hour;
const maxWait = 60_000;
const key = { namespace: "default", name: "webhook-server-cert" };

const environment = new TestEnvironment({ crds: [widgetCRD] });
const releases: (() => void)[] = [];
const replicas: Replica[] = [];
let client: Client;
let closeClient: () => Promise<void>;
let service: Service;

/** Starts a replica that stores the certificate in the Secret, and reads the Secret once per second. */
async function start(name: string, ahead = 0): Promise<Replica> {
  const { port, release } = await reservePort();
  releases.push(release);
  const selfManagedCertificates = {
    secret: key,
    service: { namespace: "default", name: "webhook-service" },
    extraHosts: ["127.0.0.1"],
    caBundleTargets: [{ kind: "ValidatingWebhookConfiguration" as const, name: "clocks" }],
    interval: 1000,
  };
  const manager = { webhook: { host: "127.0.0.1", port, selfManagedCertificates } };
  const env = { WALL_CLOCK_AHEAD: String(ahead) };
  const replica = await Replica.start({ name, config: environment.config, manager }, { env });
  replicas.push(replica);
  await eventually(async () => expect(await replica.isReady(), replica.output).toBe(true), maxWait);
  service.endpoints.push(port);
  return replica;
}

/** Sends a dry run that makes the API server call the webhook. */
const review = () =>
  client.create<ConfigMap>(
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "asked", namespace: "default", labels: { test: "clocks" } },
    },
    { dryRun: true },
  );

const certificate = async () => (await client.get(Secret, key)).data?.["tls.crt"];

beforeAll(async () => {
  const direct = directClient(await environment.start());
  client = direct.client;
  closeClient = direct.close;
  service = await startService();
  await client.create<Secret>({ apiVersion: "v1", kind: "Secret", metadata: key });
  await client.create<ValidatingWebhookConfiguration>({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "clocks" },
    webhooks: [
      {
        name: "clocks.kubewright.dev",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        failurePolicy: "Fail",
        clientConfig: { url: `https://127.0.0.1:${service.port}/validate` },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
        objectSelector: { matchLabels: { test: "clocks" } },
      },
    ],
  });
});

afterAll(async () => {
  for (const replica of replicas) await replica.end();
  for (const release of releases) release();
  service?.close();
  await closeClient?.();
  await environment.stop();
});

describe("self-managed certificates of replicas with wrong clocks", { sequential: true }, () => {
  it("are accepted immediately if the clock is hours ahead, which the replica logs", async () => {
    const first = await start("ahead", 5 * hour);
    await eventually(review, maxWait);
    expect(first.output).toContain("This machine's clock differs from the API server's");
  });

  it("aren't renewed if one clock jumps to renewal dates or before the creation, and no call fails", async () => {
    const jumping = replicas[0]!;
    await start("right");
    const before = await certificate();
    for (const by of [61 * day, 7 * 365 * day, -20 * 365 * day, -90 * day]) {
      jumping.jump(by);
      const end = performance.now() + 4000;
      while (performance.now() < end) {
        await review();
        await sleep(50);
      }
      expect(await certificate()).toBe(before);
    }
    expect(replicas.map(({ isRunning }) => isRunning)).toEqual([true, true]);
  });

  it("are created again after their loss, and API servers accept them although all clocks are wrong", async () => {
    for (const replica of replicas) replica.jump(30 * day);
    const before = await certificate();
    const secret = await client.get(Secret, key);
    await client.update({ ...secret, data: { ...secret.data, "tls.crt": "", "tls.key": "" } });
    await eventually(async () => expect([before, "", undefined]).not.toContain(await certificate()), maxWait);
    const end = performance.now() + 5000;
    while (performance.now() < end) {
      await review();
      await sleep(50);
    }
  });
});
