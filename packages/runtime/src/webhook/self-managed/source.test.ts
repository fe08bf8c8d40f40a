import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "../../api/admissionregistration/v1.ts";
import { CustomResourceDefinition } from "../../api/apiextensions/v1.ts";
import { Secret } from "../../api/core/v1.ts";
import { createAuthority } from "../../certs/authority.ts";
import type { CertificatePair } from "../../certs/certificate-pair.ts";
import type { Client } from "../../client/client.ts";
import { interceptor } from "../../client/wrappers/interceptor.ts";
import { VirtualClock } from "../../clock/virtual-clock.ts";
import { silentLogger } from "../../log/logger.ts";
import { fakeClient } from "../../testing/fake-client.ts";
import type { SelfManagedCertificatesOptions } from "../options/self-managed.ts";
import { selfManaged } from "./source.ts";
import { isIssuedBy, parse, readAuthorities, readState } from "./state.ts";

const day = 24 * 3_600_000;
const key = { namespace: "system", name: "webhook-server-cert" };
const options: SelfManagedCertificatesOptions = {
  secret: { namespace: "system" },
  service: { namespace: "system", name: "webhook-service" },
  caBundleTargets: [
    { kind: "MutatingWebhookConfiguration", name: "mutating" },
    { kind: "ValidatingWebhookConfiguration", name: "validating" },
    { kind: "CustomResourceDefinition", name: "games.example.com" },
  ],
};
const service = { namespace: "system", name: "webhook-service", path: "/x" };
const hook = (name: string) => ({
  name,
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  clientConfig: { service },
});
const definition = (kind: string, plural: string) => ({
  group: "example.com",
  names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
  scope: "Namespaced" as const,
  versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
});
const status = { storedVersions: ["v1"] };
const emptySecret: Secret = { apiVersion: "v1", kind: "Secret", metadata: key };
const objects = () => [
  emptySecret,
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name: "mutating" },
    webhooks: [hook("a.x.io"), hook("b.x.io")],
  },
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "validating" },
    webhooks: [hook("c.x.io")],
  },
  {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "games.example.com" },
    spec: {
      ...definition("Game", "games"),
      conversion: { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"], clientConfig: { service } } },
    },
    status,
  },
];

const unconverted: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "plain.example.com" },
  spec: definition("Plain", "plain"),
  status,
};

let client: Client;
let clock: VirtualClock;
let stop: AbortController;
/** The number of replicas: each idle replica waits for one timer. */
let replicas = 0;
beforeEach(() => {
  replicas = 0;
  client = fakeClient({ objects: objects() });
  clock = new VirtualClock();
  stop = new AbortController();
});
afterEach(end);

function end(): void {
  stop.abort();
  replicas = 0;
}

/** Starts a replica, and collects its certificates and logged errors. */
function replica(through: Client = client, own = options) {
  const pairs: CertificatePair[] = [];
  const errors: string[] = [];
  const log = { ...silentLogger, error: (error: unknown) => void errors.push((error as Error).message) };
  replicas++;
  const definitions = async () => ["games.example.com", "plain.example.com"];
  const source = selfManaged({ options: own, reader: through, client: through, definitions, clock, log });
  const started = source.watch(stop.signal, (pair) => void pairs.push(pair)).then((pair) => void pairs.push(pair));
  started.catch(() => {});
  return { pairs, errors, started };
}

async function bundles(): Promise<string[]> {
  const mutating = await client.get(MutatingWebhookConfiguration, { name: "mutating" });
  const validating = await client.get(ValidatingWebhookConfiguration, { name: "validating" });
  const crd = await client.get(CustomResourceDefinition, { name: "games.example.com" });
  const configs = [...(mutating.webhooks ?? []), ...(validating.webhooks ?? [])].map((webhook) => webhook.clientConfig);
  const all = [...configs, crd.spec.conversion?.webhook?.clientConfig];
  return all.map((config) => Buffer.from(config?.caBundle ?? "", "base64").toString());
}

const storedState = async () => readState(((await client.get(Secret, key)).data ?? {}) as Record<string, string>);

/** Returns whether all webhook configurations trust the CA of a certificate. */
async function believed(pair: CertificatePair): Promise<boolean> {
  const issued = parse(pair.cert);
  return (await bundles()).every((bundle) =>
    readAuthorities(bundle).some((authority) => issued && isIssuedBy(issued, authority)),
  );
}

/** Advances the time in steps, and waits for real work, such as the creation of keys, after each step. */
async function pass(milliseconds: number, step = 60_000): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += step) {
    await clock.advance(Math.min(step, milliseconds - passed));
    await vi.waitFor(() => expect(clock.pending).toBe(replicas), { timeout: 60_000, interval: 1 });
  }
}

it("replicas with an empty Secret agree on one certificate, and publish its CA before they serve it", async () => {
  const three = [replica(), replica(), replica()];
  await vi.waitFor(
    async () => {
      await clock.advance(500);
      expect(three.map(({ pairs }) => pairs.length)).toEqual([1, 1, 1]);
    },
    { timeout: 60_000 },
  );
  const [first, ...others] = three.map(({ pairs }) => pairs[0]);
  expect(others).toEqual([first, first]);
  expect(first && (await believed(first))).toBe(true);
  expect(three.flatMap(({ errors }) => errors)).toEqual([]);
});

it("a replica sends only requests that its role permits, and no unnecessary writes", async () => {
  const calls: string[] = [];
  const seen = interceptor.newClient(client, {
    get: (inner, kind, at, more) => {
      calls.push(`get ${kind.kind} ${at.name}`);
      return inner.get(kind, at, more);
    },
    update: (inner, object, more) => {
      calls.push(`update ${object.kind} ${object.metadata?.name}`);
      return inner.update(object, more);
    },
    patch: (inner, object, patch, more) => {
      calls.push(`patch ${object.kind} ${object.metadata?.name}`);
      return inner.patch(object, patch, more);
    },
    list: () => Promise.reject(new Error("no list")),
    watch: () => {
      throw new Error("no watch");
    },
    create: () => Promise.reject(new Error("no create")),
  });
  await replica(seen).started;
  expect(new Set(calls)).toEqual(
    new Set([
      "get Secret webhook-server-cert",
      "update Secret webhook-server-cert",
      ...["MutatingWebhookConfiguration mutating", "ValidatingWebhookConfiguration validating"].flatMap((name) => [
        `get ${name}`,
        `patch ${name}`,
      ]),
      "get CustomResourceDefinition games.example.com",
      "patch CustomResourceDefinition games.example.com",
    ]),
  );
  calls.length = 0;
  await pass(180_000);
  expect(calls.filter((call) => !call.startsWith("get "))).toEqual([]);
  expect(calls.filter((call) => call.startsWith("get Secret"))).toHaveLength(3);
});

it("all replicas renew the certificate after two thirds of its lifetime", async () => {
  const slow = { ...options, overlap: 8 * day, interval: 2 * day };
  const two = [replica(client, slow), replica(client, slow)];
  await vi.waitFor(
    async () => {
      await clock.advance(500);
      expect(two.every(({ pairs }) => pairs.length === 1)).toBe(true);
    },
    { timeout: 60_000 },
  );
  await pass(59 * day, day);
  expect(two.map(({ pairs }) => pairs.length)).toEqual([1, 1]);
  await pass(5 * day, day);
  expect(two.map(({ pairs }) => pairs.length)).toEqual([2, 2]);
  expect(two[0]?.pairs[1]).toEqual(two[1]?.pairs[1]);
});

it("API servers always trust the served certificate during a change of the CA", async () => {
  const own = { ...options, caValidFor: 24 * day, validFor: 12 * day, overlap: day, interval: day / 4 };
  const { pairs, started } = replica(client, own);
  await started;
  const [first] = (await storedState()).authorities;
  let most = 0;
  for (let hours = 0; hours < 20 * 24; hours += 6) {
    await pass(day / 4, day / 4);
    const served = pairs.at(-1);
    expect(served && (await believed(served))).toBe(true);
    most = Math.max(most, (await storedState()).authorities.length);
  }
  const { authorities } = await storedState();
  expect(most).toBe(2);
  expect(authorities).toHaveLength(1);
  expect(authorities[0]?.pem).not.toBe(first?.pem);
});

it("a replica continues without the Secret, and restores its data when it exists again", async () => {
  const { pairs, errors, started } = replica();
  await started;
  const before = await client.get(Secret, key);
  await client.delete(Secret, key);
  await pass(180_000);
  expect(errors[0]).toMatch(/"webhook-server-cert" not found: create it empty: kubectl create secret generic/);
  await client.create(emptySecret);
  await pass(120_000);
  expect((await client.get(Secret, key)).data).toEqual(before.data);
  expect(pairs).toHaveLength(1);
});

it("a replica that finds an empty Secret keeps the trusted CA until the others have followed", async () => {
  await replica().started;
  const [before] = (await storedState()).authorities;
  end();
  stop = new AbortController();
  await client.update({ ...(await client.get(Secret, key)), data: {} });
  await replica().started;
  const after = (await storedState()).authorities.map(({ pem }) => pem);
  expect(after).toHaveLength(2);
  expect(after[1]).toBe(before?.pem);
  await pass(3_700_000);
  expect((await storedState()).authorities.map(({ pem }) => pem)).toEqual(after.slice(0, 1));
});

it("a replica takes over from cert-manager, and keeps its CA until it isn't needed", async () => {
  const { cert } = await createAuthority({ commonName: "cert-manager", validFor: 90 * day, now: clock.date() });
  const mutating = await client.get(MutatingWebhookConfiguration, { name: "mutating" });
  for (const { clientConfig } of mutating.webhooks ?? []) clientConfig.caBundle = Buffer.from(cert).toString("base64");
  await client.update(mutating);
  await replica().started;
  expect(new Set((await bundles()).map((bundle) => readAuthorities(bundle).length))).toEqual(new Set([2]));
});

it("a replica restores a CA bundle that was removed", async () => {
  await replica().started;
  const before = await bundles();
  const mutating = await client.get(MutatingWebhookConfiguration, { name: "mutating" });
  for (const { clientConfig } of mutating.webhooks ?? []) delete clientConfig.caBundle;
  await client.update(mutating);
  await pass(120_000);
  expect(await bundles()).toEqual(before);
});

it("a replica waits at the start for the Secret", async () => {
  await client.delete(Secret, key);
  const { pairs, errors, started } = replica();
  await pass(5000, 500);
  expect(pairs).toEqual([]);
  expect(errors[0]).toContain("kubectl create secret generic webhook-server-cert --namespace system");
  await client.create(emptySecret);
  await pass(60_000);
  await started;
  expect(pairs).toHaveLength(1);
});

it("a replica that waits ends on its signal", async () => {
  await client.delete(Secret, key);
  const { started } = replica();
  await pass(1000, 500);
  end();
  await expect(started).rejects.toThrow(/abort/i);
});

it("a replica reports a CRD without a conversion webhook", async () => {
  const crd = await client.get(CustomResourceDefinition, { name: "games.example.com" });
  delete crd.spec.conversion;
  await client.update(crd);
  const { errors } = replica();
  await pass(1000, 500);
  expect(errors[0]).toBe("CustomResourceDefinition games.example.com has no conversion webhook that needs the CA");
});

it("a replica sets the CA in CRDs with a conversion webhook, and leaves others unchanged", async () => {
  client = fakeClient({ objects: [...objects(), unconverted] });
  const { pairs, started } = replica(client, { ...options, caBundleTargets: [], convertedKinds: true });
  await started;
  const crd = await client.get(CustomResourceDefinition, { name: "games.example.com" });
  const bundle = Buffer.from(crd.spec.conversion?.webhook?.clientConfig?.caBundle ?? "", "base64").toString();
  expect(readAuthorities(bundle)).toHaveLength(1);
  expect(pairs).toHaveLength(1);
  const plain = await client.get(CustomResourceDefinition, { name: "plain.example.com" });
  expect(plain.spec.conversion).toEqual({ strategy: "None" });
});

it("a replica doesn't change configurations that point to a manager on a developer's machine", async () => {
  const taken = objects().map((object) =>
    object.kind === "MutatingWebhookConfiguration"
      ? { ...object, metadata: { ...object.metadata, annotations: { "kubewright.io/local-webhooks": "{}" } } }
      : object,
  );
  client = fakeClient({ objects: taken });
  await replica().started;
  const [mutating = "", ...others] = await bundles();
  expect(mutating).toBe("");
  expect(others.at(-1)).toContain("BEGIN CERTIFICATE");
});

it("a replica renews the certificate although one configuration is missing", async () => {
  const slow = { ...options, overlap: 8 * day, interval: 2 * day };
  const { pairs, errors, started } = replica(client, slow);
  await started;
  await client.delete(ValidatingWebhookConfiguration, { name: "validating" });
  await pass(64 * day, day);
  expect(pairs).toHaveLength(2);
  expect(errors[0]).toContain('"validating" not found');
  const mutating = await client.get(MutatingWebhookConfiguration, { name: "mutating" });
  const [hookConfig] = mutating.webhooks ?? [];
  const bundle = Buffer.from(hookConfig?.clientConfig.caBundle ?? "", "base64").toString();
  const issued = pairs[1] && parse(pairs[1].cert);
  expect(readAuthorities(bundle).some((authority) => issued && isIssuedBy(issued, authority))).toBe(true);
});

it("a replica waits at the start for a missing configuration, and then continues without it", async () => {
  await client.delete(ValidatingWebhookConfiguration, { name: "validating" });
  const { pairs, started } = replica();
  await pass(50_000, 500);
  expect(pairs).toEqual([]);
  await pass(60_000);
  await started;
  expect(pairs).toHaveLength(1);
});

it("a replica fills an empty Secret again although one configuration is missing", async () => {
  await replica().started;
  end();
  stop = new AbortController();
  await client.update({ ...(await client.get(Secret, key)), data: {} });
  await client.delete(ValidatingWebhookConfiguration, { name: "validating" });
  const { started } = replica();
  await pass(120_000);
  await started;
  expect((await storedState()).authorities).toHaveLength(2);
});
