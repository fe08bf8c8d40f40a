// Children of a real controller: reads come from the cache, and a settled reconcile sends no request.
import { afterAll, beforeAll, expect, it } from "vitest";
import { Deployment } from "../api/apps/v1.ts";
import { ConfigMap, Secret, Service } from "../api/core/v1.ts";
import type { KubernetesObject } from "../api/index.ts";
import { groupVersion } from "../api/kind.ts";
import { ClusterRole } from "../api/rbac/v1.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import type { Client } from "../client/client.ts";
import { createClient } from "../client/create-client.ts";
import type { Config } from "../config/config.ts";
import { patchStatus } from "../controllerutil/patch-status.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { ignoreNotFound } from "../errors/predicates.ts";
import { silentLogger } from "../log/logger.ts";
import { Manager } from "../manager/manager.ts";
import { createTransport } from "../transport/create-transport.ts";
import type { Transport } from "../transport/transport.ts";
import { deploymentSpec } from "./children.fixture.ts";
import { childrenOf } from "./children.ts";
import type { ChildResult } from "./types.ts";

interface Site extends KubernetesObject {
  spec: { image: string; config?: boolean; far?: boolean; replicas?: number };
  status?: { conditions?: { type: string; status: string; reason: string; message: string }[] };
}
const Site = groupVersion("example.com", "v1").kind<Site>("Site");
const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const crd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "sites.example.com" },
  spec: {
    group: "example.com",
    names: { kind: "Site", plural: "sites", singular: "site", listKind: "SiteList" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", properties: { spec: anything, status: anything } } },
      },
    ],
  },
};
const Missing = groupVersion("missing.example.com", "v1").kind<KubernetesObject>("Missing");

const environment = new TestEnvironment({ crds: [crd] });
let config: Config;
let transport: Transport;
let user: Client;
let requests: string[] = [];
const stops: AbortController[] = [];
const running: Promise<unknown>[] = [];

beforeAll(async () => {
  config = await environment.start();
  user = await createClient(config);
  const connection = createTransport(config, { logger: silentLogger });
  transport = {
    ...{ stream: connection.stream.bind(connection), close: connection.close.bind(connection) },
    request: (request) => {
      if (!/\/(leases|events)/.test(request.path) && !request.query?.sendInitialEvents) {
        requests.push(`${request.method} ${request.path.replace(/.*\/v1\//, "")}`);
      }
      return connection.request(request);
    },
  };
});
afterAll(async () => {
  for (const stop of stops) stop.abort();
  await Promise.allSettled(running);
  await transport.close();
  await environment.stop();
});

const declare = () =>
  childrenOf(
    Site,
    {
      deployment: Deployment,
      service: Service,
      config: ConfigMap,
      secret: Secret,
      role: ClusterRole,
      missing: Missing,
    },
    {
      entries: {
        deployment: { createOnly: ["spec.replicas"] },
        service: { after: ["config"] },
        missing: { optional: true },
      },
    },
  );

/** Runs a controller until the test ends it. */
async function runController() {
  const stop = new AbortController();
  stops.push(stop);
  const children = declare();
  let count = 0;
  const last = new Map<string, readonly ChildResult[]>();
  const mgr = await Manager.create(config, { logger: silentLogger, transport, metrics: { bindAddress: "0" } } as never);
  await newControllerManagedBy(mgr)
    .for(Site)
    .manages(children)
    .complete({
      async reconcile(ctx, request) {
        const site = await ignoreNotFound(mgr.client.get(Site, request));
        if (!site) return;
        const { image, replicas } = site.spec;
        const spec = deploymentSpec(image, replicas);
        // The server normalizes these values.
        Object.assign(spec.template.spec.containers[0]!, {
          args: [],
          resources: { requests: { cpu: "1000m", memory: "1024Mi" }, limits: { cpu: "2.0" } },
          env: [{ name: "EMPTY", value: "" }],
        });
        const { results, setStatus, throwIfFailed } = await children.reconcile(ctx, mgr.client, site, {
          deployment: { metadata: { annotations: {} }, spec },
          service: { spec: { selector: { app: "chess" }, ports: [{ port: 80 }], externalIPs: [] } },
          config: site.spec.config === false ? undefined : { data: { image } },
          secret: { stringData: { token: "t" } },
          role: site.spec.far ? { metadata: { name: `far-${request.name}` }, rules: [] } : undefined,
          missing: { metadata: {} },
        });
        count++;
        last.set(request.name, results);
        if (site.metadata.deletionTimestamp) return;
        await patchStatus(mgr.client, site, (copy) => {
          setStatus(copy as never);
        });
        throwIfFailed();
      },
    });
  const done = mgr.start(stop.signal);
  running.push(done);
  return {
    mgr,
    count: () => count,
    actions: (name: string) => Object.fromEntries((last.get(name) ?? []).map(({ child, action }) => [child, action])),
    end: async () => {
      stop.abort();
      await done;
    },
  };
}

const key = (name: string) => ({ namespace: "default", name });
const site = (name: string, spec: Site["spec"]): Site => ({
  apiVersion: "example.com/v1",
  kind: "Site",
  metadata: key(name),
  spec,
});
const settled = {
  deployment: "unchanged",
  service: "unchanged",
  config: "unchanged",
  secret: "unchanged",
  missing: "skipped",
};

it("a settled reconcile sends no request, also in a new process", async () => {
  const before = await runController();
  await user.create(site("a", { image: "nginx", replicas: 2 }));
  await expect.poll(() => before.actions("a"), { timeout: 20_000 }).toEqual(settled);
  const writes = requests.filter((request) => !request.startsWith("GET") && !request.includes("sites"));
  // One request per child, and two with createOnly.
  expect(writes.sort()).toEqual([
    "PATCH namespaces/default/configmaps/a",
    "PATCH namespaces/default/deployments/a",
    "PATCH namespaces/default/secrets/a",
    "PATCH namespaces/default/services/a",
    "POST namespaces/default/deployments",
  ]);
  expect(requests.filter((request) => /^GET .*\/(configmaps|deployments|secrets|services)\/a/.test(request))).toEqual(
    [],
  );
  requests = [];
  const stored = await user.get(Site, key("a"));
  stored.metadata.labels = { changed: "1" };
  const count = before.count();
  await user.update(stored);
  await expect.poll(before.count, { timeout: 20_000 }).toBeGreaterThan(count);
  await expect.poll(() => before.actions("a")).toEqual(settled);
  expect(requests.filter((request) => !/missing\.example/.test(request))).toEqual([]);
  await before.end();
  requests = [];
  const after = await runController();
  await expect.poll(after.count, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(after.actions("a")).toEqual(settled);
  expect(requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
  expect(requests.filter((request) => request.endsWith("/a"))).toEqual([]);
  await after.end();
});

it("reverts changes, keeps fields of others, prunes, and deletes what the garbage collector can't", async () => {
  const { actions, count } = await runController();
  await user.create(site("b", { image: "nginx", replicas: 2, far: true }));
  await expect.poll(() => actions("b"), { timeout: 20_000 }).toEqual({ ...settled, role: "unchanged" });
  const deployment = await user.get(Deployment, key("b"));
  deployment.spec!.replicas = 6;
  deployment.spec!.template.spec!.containers[0]!.image = "other";
  deployment.metadata.labels = { team: "a" };
  await user.update(deployment, { fieldOwner: "kubectl-edit" });
  await expect
    .poll(async () => (await user.get(Deployment, key("b"))).spec?.template.spec?.containers[0]?.image, {
      timeout: 20_000,
    })
    .toBe("nginx");
  expect(await user.get(Deployment, key("b"))).toMatchObject({
    metadata: { labels: { team: "a" } },
    spec: { replicas: 6 },
  });
  // A child that disappears is created again, in the cluster, too.
  const role = await user.get(ClusterRole, { name: "far-b" });
  await user.delete(role);
  await expect
    .poll(
      async () => (await ignoreNotFound(user.get(ClusterRole, { name: "far-b" })))?.metadata.uid ?? role.metadata.uid,
      {
        timeout: 20_000,
      },
    )
    .not.toBe(role.metadata.uid);
  const stored = await user.get(Site, key("b"));
  await user.update({ ...stored, spec: { ...stored.spec, config: false } });
  await expect.poll(async () => ignoreNotFound(user.get(ConfigMap, key("b"))), { timeout: 20_000 }).toBeUndefined();
  expect(count()).toBeGreaterThan(0);
  await user.delete(Site, key("b"));
  await expect.poll(async () => ignoreNotFound(user.get(Site, key("b"))), { timeout: 20_000 }).toBeUndefined();
  expect(await ignoreNotFound(user.get(ClusterRole, { name: "far-b" }))).toBeUndefined();
});
