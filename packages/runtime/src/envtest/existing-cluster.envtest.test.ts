import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load-config.ts";
import { isNotFound } from "../errors/predicates.ts";
import { createTransport } from "../transport/create-transport.ts";
import type { Transport } from "../transport/transport.ts";
import { TestEnvironment } from "./index.ts";
import { crd } from "./testdata/crd.ts";

const games = crd("games", "Game") as KubernetesObject;
const pears = crd("pears", "Pear") as KubernetesObject;
const cluster = new TestEnvironment();
let config: Config;
let transport: Transport;

beforeAll(async () => {
  config = await cluster.start();
  transport = createTransport(config);
});
afterAll(async () => {
  await transport.close();
  await cluster.stop();
});

const read = (path: string): Promise<unknown> => transport.request({ method: "GET", path });
const crdPath = (plural: string): string =>
  `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.test.kubewright.io`;

describe("a test environment with an existing cluster", () => {
  it("installs CRDs and webhooks, neither adds users nor kills servers, and removes what it installed", async () => {
    const environment = new TestEnvironment({
      useExistingCluster: true,
      config,
      crds: [games],
      crdInstallOptions: { crds: [pears], cleanUpAfterUse: true },
      webhookInstallOptions: {
        validatingWebhooks: [
          {
            apiVersion: "admissionregistration.k8s.io/v1",
            kind: "ValidatingWebhookConfiguration",
            metadata: { name: "checks" },
            webhooks: [],
          } as KubernetesObject,
        ],
      },
    });
    expect((await environment.start()).host).toBe(config.host);
    await read("/apis/test.kubewright.io/v1/games");
    await read("/apis/test.kubewright.io/v1/pears");
    await read("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/checks");
    expect(environment.pids).toEqual({});
    await expect(environment.addUser("jane")).rejects.toThrow("can't add users");
    await expect(environment.restartApiServer()).rejects.toThrow("kills no servers");
    const { kubeconfigPath } = environment;
    expect(loadConfig({ kubeconfig: kubeconfigPath })).toMatchObject({ host: config.host, ca: config.ca });

    await environment.stop();
    expect(existsSync(kubeconfigPath)).toBe(false);
    await expect(read(crdPath("games"))).rejects.toSatisfy(isNotFound);
    await expect(read(crdPath("pears"))).rejects.toSatisfy(isNotFound);
    await expect(
      read("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/checks"),
    ).rejects.toSatisfy(isNotFound);
    await read("/api/v1/namespaces/default");
  });

  it("uses the default configuration of operators, and keeps CRDs unless configured otherwise", async () => {
    const before = { ...process.env };
    process.env.KUBECONFIG = cluster.kubeconfigPath;
    process.env.USE_EXISTING_CLUSTER = "true";
    try {
      const environment = new TestEnvironment({ crds: [games] });
      expect((await environment.start()).host).toBe(config.host);
      await environment.stop();
      await read(crdPath("games"));
    } finally {
      process.env = before;
    }
  });
});

it("uninstallCRDs removes CRDs with their objects, and reports why a deletion is blocked", async () => {
  await cluster.installCRDs({ crds: [games] });
  const game = (name: string, finalizers: string[] = []) => ({
    apiVersion: "test.kubewright.io/v1",
    kind: "Game",
    metadata: { name, finalizers },
  });
  const path = "/apis/test.kubewright.io/v1/namespaces/default/games";
  await transport.request({ method: "POST", path, body: game("one") });
  await cluster.uninstallCRDs({ crds: [games, pears] });
  await expect(read(path)).rejects.toSatisfy(isNotFound);

  await cluster.installCRDs({ crds: [games] });
  await transport.request({ method: "POST", path, body: game("held", ["test.kubewright.io/x"]) });
  const shortTimeout = new TestEnvironment({ useExistingCluster: true, config, crdInstallOptions: { maxTime: 300 } });
  await shortTimeout.start();
  await expect(shortTimeout.uninstallCRDs({ crds: [games] })).rejects.toThrow("check the finalizers of its objects");
  await shortTimeout.stop();
});
