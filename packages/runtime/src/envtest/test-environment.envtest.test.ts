import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import type { KubernetesObject } from "../api/index.ts";
import { isForbidden } from "../errors/predicates.ts";
import { eventually } from "../testing/eventually.ts";
import { createTransport } from "../transport/create-transport.ts";
import type { Transport } from "../transport/transport.ts";
import { TestEnvironment } from "./index.ts";
import { crd } from "./testdata/crd.ts";

const isAlive = (pid: number | undefined): boolean => {
  try {
    return process.kill(pid ?? 0, 0);
  } catch {
    return false;
  }
};

const polling = { timeout: 60_000 };

describe("a test environment", () => {
  const directory = mkdtempSync(join(tmpdir(), "kubewright-crds-"));
  writeFileSync(join(directory, "a.yaml"), JSON.stringify(crd("apples", "Apple")));
  const environment = new TestEnvironment({
    crdDirectoryPaths: [directory],
    crds: [crd("games", "Game") as KubernetesObject],
    controllerManager: true,
  });
  let transport: Transport;

  beforeAll(async () => {
    transport = createTransport(await environment.start());
  });
  afterAll(async () => {
    await transport?.close();
    await environment.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const get = async (path: string) => (await transport.request({ method: "GET", path })).body as never;

  it("serves the CRDs of files and objects after the start", async () => {
    for (const plural of ["apples", "games"]) {
      expect(await get(`/apis/test.kubewright.io/v1/${plural}`)).toMatchObject({ items: [] });
    }
  });

  it("writes a kubeconfig for the admin", () => {
    expect(readFileSync(environment.kubeconfigPath, "utf8")).toBe(environment.kubeconfig);
    expect(environment.kubeconfig).toContain(`server: ${environment.config.host}`);
  });

  it("rejects a second start", async () => {
    await expect(environment.start()).rejects.toThrow("is already running");
  });

  it("adds users with name and groups, who have only the permissions of their roles", async () => {
    const config = await environment.addUser("jane,O=system:masters", ["viewers", "team one"]);
    const jane = createTransport(config);
    const namespaces = { method: "GET", path: "/api/v1/namespaces" } as const;
    try {
      const review = await jane.request({
        method: "POST",
        path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
        body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
      });
      expect(review.body).toMatchObject({
        status: {
          userInfo: { username: "jane,O=system:masters", groups: expect.arrayContaining(["viewers", "team one"]) },
        },
      });
      await expect(jane.request(namespaces)).rejects.toSatisfy(isForbidden);
      await transport.request({
        method: "POST",
        path: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        body: {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "ClusterRoleBinding",
          metadata: { name: "viewers" },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
          subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "viewers" }],
        },
      });
      await eventually(() => jane.request(namespaces), polling);
    } finally {
      await jane.close();
    }
  });

  it("updates an existing CRD, and waits for its new version", async () => {
    await environment.installCRDs({ crds: [crd("games", "Game", ["v1", "v2"]) as KubernetesObject] });
    expect(await get("/apis/test.kubewright.io/v2/games")).toMatchObject({ items: [] });
  });

  it("updates a CRD that was read from another cluster, and ignores its UID and resource version", async () => {
    const games = crd("games", "Game", ["v1", "v2"]);
    const uid = "11111111-2222-3333-4444-555555555555";
    const read = {
      ...games,
      metadata: { ...games.metadata, uid, resourceVersion: "7", labels: { from: "elsewhere" } },
    };
    await environment.installCRDs({ crds: [read as KubernetesObject] });
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${games.metadata.name}`;
    expect(await get(path)).toMatchObject({ metadata: { labels: { from: "elsewhere" } } });
  });

  it("reports why a CRD can't be installed", async () => {
    const broken = crd("pears", "Pear");
    broken.metadata.name = "wrong.test.kubewright.io";
    await expect(environment.installCRDs({ crds: [broken as KubernetesObject] })).rejects.toThrow(
      /CRD wrong\.test\.kubewright\.io can't be installed: .*must be spec\.names\.plural/,
    );
  });

  it("runs controllers, which create the Pods of a Deployment and remove them after its deletion", async () => {
    const deployments = "/apis/apps/v1/namespaces/default/deployments";
    const labels = { app: "web" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "none" }] } };
    await transport.request({
      method: "POST",
      path: deployments,
      body: {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "web" },
        spec: { replicas: 2, selector: { matchLabels: labels }, template },
      },
    });
    const pods = async () => ((await get("/api/v1/namespaces/default/pods")) as { items: unknown[] }).items.length;
    await eventually(async () => (await pods()) === 2, polling);
    await transport.request({ method: "DELETE", path: `${deployments}/web` });
    await eventually(async () => (await pods()) === 0, { timeout: 90_000 });
  });

  it("keeps data and address if the API server is killed and started again", async () => {
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "survivor" } };
    await transport.request({ method: "POST", path: "/api/v1/namespaces", body: namespace });
    const { apiServer } = environment.pids;
    await environment.killApiServer();
    expect(isAlive(apiServer)).toBe(false);
    expect(environment.pids.apiServer).toBeUndefined();
    await environment.startApiServer();
    expect(await get("/api/v1/namespaces/survivor")).toMatchObject({ metadata: { name: "survivor" } });
  });

  it("stops, and leaves no processes and no files", async () => {
    const { pids, kubeconfigPath } = environment;
    await transport.close();
    await environment.stop();
    // The embedded API server runs its controllers in this process.
    expect(Object.values(pids).filter((pid) => pid !== undefined && isAlive(pid))).toEqual([]);
    expect(existsSync(dirname(kubeconfigPath))).toBe(false);
    await environment.stop();
    expect(() => environment.config).toThrow("isn't running");
  });
});

describe("the start of a test environment", () => {
  it("fails with the end of a server's output if the server doesn't start", async () => {
    const environment = new TestEnvironment({ apiServerFlags: { "client-ca-file": "/no/such/file" } });
    await expect(environment.start()).rejects.toThrow(
      /kube-apiserver ended before it was ready \(exit code 1\)[\s\S]*no such file/,
    );
    await environment.stop();
  });

  fullTest("works for several environments at the same time", async () => {
    const environments = [new TestEnvironment(), new TestEnvironment()];
    try {
      const configs = await Promise.all(environments.map((environment) => environment.start()));
      expect(new Set(configs.map(({ host }) => host)).size).toBe(2);
    } finally {
      await Promise.all(environments.map((environment) => environment.stop()));
    }
  });
});
