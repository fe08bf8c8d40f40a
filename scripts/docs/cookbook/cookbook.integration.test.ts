// Runs each pattern of the cookbook.
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { findStatusCondition, type Kind, type Reconciler, TerminalError } from "@kubewright/runtime";
import type { KubernetesObject } from "@kubewright/runtime/api";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { Job } from "@kubewright/runtime/api/batch/v1";
import { ConfigMap, Namespace, ResourceQuota, Secret } from "@kubewright/runtime/api/core/v1";
import { NetworkPolicy } from "@kubewright/runtime/api/networking/v1";
import { RoleBinding } from "@kubewright/runtime/api/rbac/v1";
import { fakeClient, fakeRecorder, testContext } from "@kubewright/runtime/testing";
import { describe, expect, it } from "vitest";
import { root } from "../pages.ts";
import { SettingsReconciler } from "./adoption.ts";
import { SharedConfigReconciler } from "./copy-to-namespaces.ts";
import { MigratingReconciler } from "./data-migration.ts";
import { AnnouncingReconciler } from "./events.ts";
import { PreviewReconciler } from "./expiry.ts";
import { type BucketApi, BucketReconciler } from "./external-api.ts";
import {
  Bucket,
  Credential,
  Fleet,
  Preview,
  Report,
  Settings,
  SharedConfig,
  type Status,
  Tenant,
  Website,
} from "./kinds.ts";
import { RouteReconciler } from "./other-namespace.ts";
import { pausable, paused } from "./pausing.ts";
import { ReportReconciler } from "./periodic-work.ts";
import { PageReconciler } from "./pruning.ts";
import { call, patient, TooManyCallsError } from "./rate-limited-api.ts";
import { RestartReconciler } from "./restart-on-change.ts";
import { CredentialReconciler } from "./secret-rotation.ts";
import { OnlyReconciler, only, registry } from "./singleton.ts";
import { FleetReconciler } from "./status-aggregation.ts";
import { TenantReconciler } from "./tenants.ts";

const kinds = [Bucket, Credential, Fleet, Preview, Report, Settings, SharedConfig, Tenant, Website];
const key = { namespace: "shop", name: "docs" };
const clusterKey = { name: "docs" };
const hour = 3_600_000;

/** Returns an object of a kind with the name `docs`. */
function object<T extends KubernetesObject>(
  { apiVersion, kind, scope }: Kind<T>,
  spec: unknown,
  metadata: T["metadata"] = {},
): T {
  const identity = scope === "Cluster" ? clusterKey : key;
  return { apiVersion, kind, metadata: { ...identity, ...metadata }, spec } as unknown as T;
}

const website = (spec: Partial<Website["spec"]> = {}) => object(Website, { image: "nginx:1.29", ...spec });

/** Returns a client for a cluster with these objects. */
function cluster(...objects: KubernetesObject[]) {
  return fakeClient({ objects, statusSubresource: kinds });
}

/** Reconciles the object with the name `docs` once. */
function once(reconciler: Reconciler, request: { namespace?: string; name: string } = key) {
  return reconciler.reconcile(testContext(), { namespace: "", ...request });
}

/** Returns the reason of a condition. */
function reason(object: { status?: Status }, type = "Ready"): string | undefined {
  return findStatusCondition(object, type)?.reason;
}

/** A clock that the test sets. */
function clock(start = "2026-01-01T00:00:00.000Z") {
  let time = Date.parse(start);
  return { now: () => new Date(time), pass: (milliseconds: number) => (time += milliseconds) };
}

describe("an external API", () => {
  const cloud = () => {
    const buckets = new Map<string, string>();
    const api: BucketApi = {
      region: async (id) => buckets.get(id),
      create: async (id, region) => void buckets.set(id, region),
      remove: async (id) => void buckets.delete(id),
    };
    return { buckets, api };
  };

  it("creates the bucket, and removes it before the object", async () => {
    const client = cluster(object(Bucket, { region: "eu" }));
    const { buckets, api } = cloud();
    expect(await once(new BucketReconciler(client, api))).toEqual({ requeueAfter: 600_000 });
    const stored = await client.get(Bucket, key);
    expect([...buckets]).toEqual([[stored.metadata.uid, "eu"]]);
    expect(reason(stored)).toBe("Created");

    await client.delete(stored);
    await once(new BucketReconciler(client, api));
    expect(buckets.size).toBe(0);
    expect((await client.list(Bucket)).items).toEqual([]);
  });

  it("keeps the object if the bucket can't be removed", async () => {
    const client = cluster(object(Bucket, { region: "eu" }));
    const { api } = cloud();
    await once(new BucketReconciler(client, api));
    await client.delete(await client.get(Bucket, key));
    const broken = { ...api, remove: () => Promise.reject(new Error("out of service")) };
    await expect(once(new BucketReconciler(client, broken))).rejects.toThrow("out of service");
    expect((await client.get(Bucket, key)).metadata.finalizers).toEqual(["web.example.com/bucket"]);
  });
});

it("rotation replaces the password after its period, and keeps the previous one", async () => {
  const client = cluster(object(Credential, { rotateAfter: "24h" }));
  const { now, pass } = clock();
  const reconciler = new CredentialReconciler(client, now);
  expect(await once(reconciler)).toEqual({ requeueAfter: 24 * hour });
  const first = (await client.get(Secret, key)).data;
  expect(Object.keys(first ?? {})).toEqual(["password"]);

  pass(23 * hour);
  expect(await once(reconciler)).toEqual({ requeueAfter: hour });
  expect((await client.get(Secret, key)).data).toEqual(first);

  pass(hour);
  await once(reconciler);
  const { data } = await client.get(Secret, key);
  expect(data?.previous).toBe(first?.password);
  expect(data?.password).not.toBe(first?.password);
  expect((await client.get(Credential, key)).status?.rotatedAt).toBe("2026-01-02T00:00:00.000Z");
});

describe("adoption", () => {
  const existing = { ...ConfigMap, metadata: key, data: { color: "red", size: "s" } };

  it("takes over an object without a controller, and keeps its other entries", async () => {
    const client = cluster(website({ settings: { color: "blue" } }), existing);
    await once(new SettingsReconciler(client));
    const { data, metadata } = await client.get(ConfigMap, key);
    expect(data).toEqual({ color: "blue", size: "s" });
    expect(metadata.ownerReferences).toMatchObject([{ kind: "Website", name: "docs", controller: true }]);
  });

  it("doesn't touch an object of another controller, and reports it", async () => {
    const owner = { apiVersion: "apps/v1", kind: "Deployment", name: "other", uid: "1", controller: true };
    const client = cluster(website({ settings: { color: "blue" } }), {
      ...existing,
      metadata: { ...key, ownerReferences: [owner] },
    } as ConfigMap);
    await once(new SettingsReconciler(client));
    expect((await client.get(ConfigMap, key)).data).toEqual(existing.data);
    const condition = findStatusCondition(await client.get(Website, key), "Stalled");
    expect(condition).toMatchObject({ status: "True", message: "Deployment other owns the ConfigMap docs" });
  });
});

it("aggregation counts the selected objects, and is as good as the worst", async () => {
  const labels = { team: "a" };
  const ready = [
    { type: "Ready", status: "True", reason: "Up", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" },
  ];
  const member = (name: string, status: object, labels: Record<string, string>) => ({
    ...website(),
    metadata: { namespace: "shop", name, labels, generation: 1 },
    status: { observedGeneration: 1, ...status },
  });
  const waiting = [{ ...ready[0], status: "False" }];
  const client = cluster(
    object(Fleet, { selector: labels }),
    member("a", { conditions: ready }, labels),
    member("b", { conditions: waiting }, labels),
    member("c", { conditions: ready }, { team: "b" }),
  );
  await once(new FleetReconciler(client));
  const { status } = await client.get(Fleet, key);
  expect(status).toMatchObject({ total: 2, ready: 1 });
  expect(findStatusCondition({ status }, "Reconciling")?.status).toBe("True");
});

it("a paused object isn't reconciled until it is deleted", async () => {
  const calls: string[] = [];
  const reconciler: Reconciler = { reconcile: async (_ctx, { name }) => void calls.push(name) };
  const stopped = {
    ...website(),
    metadata: { ...key, annotations: { [paused]: "true" }, finalizers: ["a.example.com/x"] },
  };
  const client = cluster(stopped);
  await once(pausable(client, Website, reconciler));
  expect(calls).toEqual([]);
  await client.delete(await client.get(Website, key));
  await once(pausable(client, Website, reconciler));
  expect(calls).toEqual(["docs"]);
  await once(pausable(cluster(website()), Website, reconciler));
  expect(calls).toEqual(["docs", "docs"]);
});

describe("a rate-limited API", () => {
  it("is called again after the time that it returns", async () => {
    const server = createServer((_, response) => void response.writeHead(429, { "retry-after": "7" }).end());
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const reconciler: Reconciler = { reconcile: async ({ signal }) => void (await call(url, signal)) };
    expect(await once(patient(reconciler))).toEqual({ requeueAfter: 7000 });
    server.close();
  });

  it("passes other errors to the queue", async () => {
    const reconciler: Reconciler = { reconcile: () => Promise.reject(new TerminalError("wrong region")) };
    await expect(once(patient(reconciler))).rejects.toThrow("wrong region");
    expect(new TooManyCallsError(5).message).toContain("5 ms");
  });
});

it("a tenant gets a namespace with a quota, a policy and a role, which it owns", async () => {
  const client = cluster(object(Tenant, { group: "developers", cpu: "4" }));
  await once(new TenantReconciler(client), clusterKey);
  const inside = { namespace: "docs", name: "tenant" };
  expect((await client.get(ResourceQuota, inside)).spec?.hard).toEqual({ "requests.cpu": "4" });
  expect((await client.get(NetworkPolicy, inside)).spec?.policyTypes).toEqual(["Ingress"]);
  expect((await client.get(RoleBinding, inside)).subjects).toMatchObject([{ kind: "Group", name: "developers" }]);
  const { metadata } = await client.get(Namespace, clusterKey);
  expect(metadata.ownerReferences).toMatchObject([{ kind: "Tenant", name: "docs", controller: true }]);
  expect(reason(await client.get(Tenant, clusterKey))).toBe("Created");
});

it("a migration runs once per image, and the rollout waits for it", async () => {
  const client = cluster(website());
  const reconciler = new MigratingReconciler(client);
  await once(reconciler);
  await once(reconciler);
  const [job, ...others] = (await client.list(Job)).items;
  expect(others).toEqual([]);
  expect((await client.list(Deployment)).items).toEqual([]);
  expect(findStatusCondition(await client.get(Website, key), "Reconciling")?.status).toBe("True");
  if (!job) throw new Error("no Job found");

  const time = "2026-01-01T00:00:00Z";
  const done = { status: "True", lastTransitionTime: time, lastProbeTime: time };
  await client.status.update({
    ...job,
    status: {
      startTime: time,
      completionTime: time,
      succeeded: 1,
      conditions: [
        { type: "SuccessCriteriaMet", ...done },
        { type: "Complete", ...done },
      ],
    },
  });
  await once(reconciler);
  expect((await client.get(Deployment, key)).spec?.template.spec?.containers[0]?.image).toBe("nginx:1.29");
});

it("a singleton uses the object with the right name, and reports the others", async () => {
  const client = cluster(
    object(Settings, { registry: "a.example.com" }),
    object(Settings, { registry: "b.example.com" }, { name: only }),
  );
  await once(new OnlyReconciler(client), clusterKey);
  await once(new OnlyReconciler(client), { name: only });
  expect(findStatusCondition(await client.get(Settings, clusterKey), "Stalled")?.reason).toBe("Ignored");
  expect(reason(await client.get(Settings, { name: only }))).toBe("InUse");
  expect(await registry(client)).toBe("b.example.com");
  expect(await registry(cluster())).toBe("registry.example.com");
});

it("periodic work runs once per period, whatever triggers the reconcile", async () => {
  const client = cluster(object(Report, { every: "1h" }));
  const { now, pass } = clock();
  const runs: string[] = [];
  const reconciler = new ReportReconciler(client, async (name) => void runs.push(name), now);
  expect(await once(reconciler)).toEqual({ requeueAfter: hour });
  pass(10 * 60_000);
  expect(await once(reconciler)).toEqual({ requeueAfter: 50 * 60_000 });
  expect(runs).toHaveLength(1);
  pass(50 * 60_000);
  // As after a restart of the operator.
  await once(new ReportReconciler(client, async (name) => void runs.push(name), now));
  expect(runs).toHaveLength(2);
});

it("a child in another namespace is removed with its owner", async () => {
  const client = cluster(website({ hosts: ["a.example.com", "b.example.com"] }));
  await once(new RouteReconciler(client));
  const { uid } = (await client.get(Website, key)).metadata;
  const route = { namespace: "ingress", name: `website-${uid}` };
  expect((await client.get(ConfigMap, route)).data).toEqual({ hosts: "a.example.com,b.example.com" });
  await client.delete(await client.get(Website, key));
  await once(new RouteReconciler(client));
  expect((await client.list(ConfigMap)).items).toEqual([]);
  expect((await client.list(Website)).items).toEqual([]);
});

it("copies go to the labeled namespaces only", async () => {
  const space = (name: string, labels: Record<string, string>) => ({ ...Namespace, metadata: { name, labels } });
  const client = cluster(
    object(SharedConfig, { data: { color: "blue" } }),
    space("shop", { "web.example.com/shared": "true" }),
    space("lab", {}),
  );
  await once(new SharedConfigReconciler(client), clusterKey);
  const { items } = await client.list(ConfigMap);
  expect(items.map(({ metadata, data }) => [metadata.namespace, data])).toEqual([["shop", { color: "blue" }]]);
});

it("pruning deletes own children that the spec no longer contains", async () => {
  const foreign = { ...ConfigMap, metadata: { namespace: "shop", name: "docs-old" } };
  const client = cluster(website({ pages: ["home", "about"] }), foreign);
  await once(new PageReconciler(client));
  const names = async () => (await client.list(ConfigMap)).items.map(({ metadata }) => metadata.name).sort();
  expect(await names()).toEqual(["docs-about", "docs-home", "docs-old"]);
  const stored = await client.get(Website, key);
  await client.update({ ...stored, spec: { ...stored.spec, pages: ["home"] } });
  await once(new PageReconciler(client));
  expect(await names()).toEqual(["docs-home", "docs-old"]);
});

it("Pods restart if a referenced Secret changes, and wait until it exists", async () => {
  const client = cluster(website({ credential: "login" }));
  const reconciler = new RestartReconciler(client);
  await once(reconciler);
  expect(reason(await client.get(Website, key), "Reconciling")).toBe("WaitingForSecret");
  expect((await client.list(Deployment)).items).toEqual([]);

  const checksum = async () => {
    await once(reconciler);
    const { spec } = await client.get(Deployment, key);
    return spec?.template.metadata?.annotations?.["web.example.com/checksum"];
  };
  const data = { password: "YQ==" };
  const secret = await client.create(Secret, { metadata: { namespace: "shop", name: "login" }, data });
  const first = await checksum();
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(await checksum()).toBe(first);
  await client.update({ ...secret, data: { password: "Yg==" } });
  expect(await checksum()).not.toBe(first);
});

it("an expired object is deleted, and not before", async () => {
  const client = cluster(object(Preview, { ttl: "1h" }));
  const { creationTimestamp = "" } = (await client.get(Preview, key)).metadata;
  const { now, pass } = clock(creationTimestamp);
  expect(await once(new PreviewReconciler(client, now))).toEqual({ requeueAfter: hour });
  expect((await client.list(Preview)).items).toHaveLength(1);
  pass(hour);
  expect(await once(new PreviewReconciler(client, now))).toBeUndefined();
  expect((await client.list(Preview)).items).toEqual([]);
});

it("an event is published once per transition", async () => {
  const client = cluster(website());
  const recorder = fakeRecorder();
  await once(new AnnouncingReconciler(client, recorder));
  await once(new AnnouncingReconciler(client, recorder));
  expect(recorder.events.map(({ reason }) => reason)).toEqual(["Online"]);
});

describe("each pattern", () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /^(?!kinds)[\w-]+\.ts$/.test(name));
  const tests = readFileSync(import.meta.filename, "utf8");
  const page = readFileSync(join(root, "docs/guides/cookbook.md"), "utf8");

  it("is tested here, and quoted completely in the cookbook", () => {
    expect(files.length).toBeGreaterThanOrEqual(15);
    for (const file of files) {
      expect(tests, file).toContain(`from "./${file}"`);
      expect(page, file).toContain(`[scripts/docs/cookbook/${file}]`);
    }
  });
});
