// Runs several replicas with a real kube-apiserver, which calls the webhooks while certificates are created, renewed and published.
import { afterAll, beforeAll, expect, it } from "vitest";
import { ValidatingWebhookConfiguration } from "../../api/admissionregistration/v1.ts";
import { Secret } from "../../api/core/v1.ts";
import type { Client } from "../../client/client.ts";
import { createClient } from "../../client/create-client.ts";
import type { Config } from "../../config/config.ts";
import { TestEnvironment } from "../../envtest/index.ts";
import { type ConfigMap, eventually } from "../../manager/widget.fixture.ts";
import type { SelfManagedCertificatesOptions } from "../options/self-managed.ts";
import { type Replica, type Service, startReplica, startService } from "./replicas.fixture.ts";
import { readAuthorities, readState } from "./state.ts";

const key = { namespace: "default", name: "webhook-server-cert" };
const emptySecret: Secret = { apiVersion: "v1", kind: "Secret", metadata: key };
const second = 1000;
/** A CA for 36 seconds, renewed after 24. Its certificates are valid for 18 seconds, and renewed after 12. */
const options: SelfManagedCertificatesOptions = {
  secret: key,
  service: { namespace: "default", name: "webhook-service" },
  extraHosts: ["127.0.0.1"],
  caBundleTargets: [{ kind: "ValidatingWebhookConfiguration", name: "self-managed" }],
  caValidFor: 36 * second,
  validFor: 18 * second,
  overlap: 4 * second,
  interval: second,
};

const environment = new TestEnvironment();
let config: Config;
let client: Client;
let service: Service;
const replicas: Replica[] = [];

const configuration = (port: number): ValidatingWebhookConfiguration => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name: "self-managed" },
  webhooks: [
    {
      name: "self-managed.kubewright.dev",
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      failurePolicy: "Fail",
      clientConfig: { url: `https://127.0.0.1:${port}/validate` },
      rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
      objectSelector: { matchLabels: { test: "self-managed" } },
    },
  ],
});

const create = (name: string) =>
  client.create<ConfigMap>(
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace: "default", labels: { test: "self-managed" } },
    },
    { dryRun: true },
  );

async function addReplica(): Promise<Replica> {
  const replica = await startReplica(config, options);
  replicas.push(replica);
  service.endpoints.push(replica.port);
  return replica;
}

const state = async () => readState(((await client.get(Secret, key)).data ?? {}) as Record<string, string>);

beforeAll(async () => {
  config = await environment.start();
  client = createClient(config);
  service = await startService();
  await client.create(emptySecret);
  await client.create(configuration(service.port));
  await Promise.all([addReplica(), addReplica()]);
  await eventually(() => create("warm-up"));
});

afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  service?.close();
  await environment.stop();
});

/** Sends creations, 200 at a time, until it is stopped. Returns the failures. */
function load(): { stop(): Promise<{ calls: number; failed: string[] }> } {
  let running = true;
  let calls = 0;
  const failed: string[] = [];
  const worker = async (number: number): Promise<void> => {
    while (running) {
      await create(`load-${number}`).then(
        () => calls++,
        (error: Error) => failed.push(error.message),
      );
    }
  };
  const workers = Promise.all(Array.from({ length: 200 }, (_, number) => worker(number)));
  return {
    async stop() {
      running = false;
      await workers;
      return { calls, failed };
    },
  };
}

it("both replicas have the certificate of the Secret, and the API server has its CA", async () => {
  const { authorities, serving } = await state();
  expect(authorities).toHaveLength(1);
  expect(serving).toBeDefined();
  const { webhooks } = await client.get(ValidatingWebhookConfiguration, { name: "self-managed" });
  const bundle = Buffer.from(webhooks?.[0]?.clientConfig.caBundle ?? "", "base64").toString();
  expect(readAuthorities(bundle).map(({ pem }) => pem)).toEqual(authorities.map(({ pem }) => pem));
});

it("calls succeed during renewals, the deletion of the Secret, and the replacement of replicas", async () => {
  const before = await state();
  const serials = new Set<string>();
  const authorities = new Set<string>();
  const requests = load();
  const began = Date.now();
  const note = async (): Promise<void> => {
    const now = await state();
    if (now.serving) serials.add(now.serving.cert);
    for (const { pem } of now.authorities) authorities.add(pem);
  };

  await client.delete(Secret, key);
  await new Promise((resolve) => setTimeout(resolve, 2 * second));
  await client.create(emptySecret);
  await eventually(async () => expect((await state()).authorities).toHaveLength(1));
  expect((await state()).authorities[0]?.pem).toBe(before.authorities[0]?.pem);

  const [leaving] = replicas;
  await addReplica();
  service.endpoints.shift();
  await leaving?.stop();

  while (Date.now() - began < 45 * second) {
    await note();
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const { calls, failed } = await requests.stop();
  process.stdout.write(
    `${calls} calls, ${serials.size} serving certificates, ${authorities.size} CAs, ${failed.length} failed\n`,
  );
  expect(failed.slice(0, 3)).toEqual([]);
  expect(calls).toBeGreaterThan(1000);
  expect(serials.size).toBeGreaterThanOrEqual(3);
  expect(authorities.size).toBeGreaterThanOrEqual(2);
  expect((await state()).authorities.every(({ pem }) => pem !== before.authorities[0]?.pem)).toBe(true);
  expect(replicas.slice(1).every((replica) => replica.calls() > 100)).toBe(true);
});
