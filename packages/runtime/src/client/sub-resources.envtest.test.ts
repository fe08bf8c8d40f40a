import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import { TokenRequest } from "../api/authentication/v1.ts";
import { Scale } from "../api/autoscaling/v1.ts";
import type { KubernetesObject } from "../api/index.ts";
import { groupVersion } from "../api/kind.ts";
import { Eviction } from "../api/policy/v1.ts";
import type { Config } from "../config/config.ts";
import { inClusterConfig } from "../config/in-cluster.ts";
import { createAuthority } from "../envtest/host/certificates.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { isBadRequest, isInvalid, isNotFound, isUnauthorized } from "../errors/predicates.ts";
import type { Client } from "./client.ts";
import { createClient } from "./create-client.ts";
import { mergeFrom } from "./patch.ts";
import { podLogs } from "./pod-logs.ts";
import { newNamespacedClient } from "./wrappers/namespaced.ts";

interface Pod extends KubernetesObject {
  spec?: { nodeName?: string; containers?: object[] };
}

const v1 = groupVersion("", "v1");
const Pod = v1.kind<Pod>("Pod");
const ServiceAccount = v1.kind("ServiceAccount");
const environment = new TestEnvironment();
let config: Config;
let client: Client;
let kubelet: Server;
let asked: string[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  config = await environment.start();
  client = createClient(config);
  const serving = await (await createAuthority()).issueServing(["127.0.0.1"]);
  kubelet = createTlsServer(serving, (request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((resolve) => kubelet.listen(0, "127.0.0.1", resolve));
  const { port } = kubelet.address() as AddressInfo;
  const node = await client.create({ apiVersion: "v1", kind: "Node", metadata: { name: "n1" } });
  const status = {
    addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
  await client.status.update({ ...node, status } as KubernetesObject);
});
afterAll(async () => {
  kubelet?.closeAllConnections();
  kubelet?.close();
  await environment.stop();
});

const podOf = (name: string, containers = ["main"]): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "default" },
  spec: { containers: containers.map((each) => ({ name: each, image: "none" })) },
});

/** Creates a Pod and binds it to the test's node, as a scheduler does. */
async function scheduled(name: string, containers?: string[]): Promise<Pod> {
  const pod = await client.create(podOf(name, containers));
  await client.subResource("binding").create(pod, {
    apiVersion: "v1",
    kind: "Binding",
    metadata: { name },
    target: { apiVersion: "v1", kind: "Node", name: "n1" },
  });
  return client.get(Pod, { namespace: "default", name });
}

describe("subresources", () => {
  it("get, update and patch the scale of a Deployment", async () => {
    const labels = { app: "web" };
    const deployment = await client.create({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", namespace: "default" },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "none" }] } },
      },
    } as KubernetesObject);
    const scale = client.subResource("scale");
    const current = await scale.get(deployment);
    expect(current).toMatchObject({ kind: "Scale", spec: { replicas: 2 }, status: { selector: "app=web" } });
    const updated = await scale.update(deployment, { ...current, spec: { replicas: 3 } });
    expect(updated.spec?.replicas).toBe(3);
    const patched = await scale.patch(deployment, mergeFrom(deployment));
    expect(patched.spec?.replicas).toBe(3);
    const dry = { ...current, metadata: { ...current.metadata, resourceVersion: undefined }, spec: { replicas: 9 } };
    expect((await scale.update(deployment, dry, { dryRun: true })).spec?.replicas).toBe(9);
    await expect(scale.update(deployment, { ...dry, spec: { replicas: -1 } })).rejects.toSatisfy(isInvalid);
    expect((await scale.get(deployment)).spec?.replicas).toBe(3);
    await expect(scale.get(await client.create(podOf("no-scale")))).rejects.toSatisfy(isNotFound);
  });

  it("bind a Pod to a node", async () => {
    expect((await scheduled("bound")).spec?.nodeName).toBe("n1");
  });

  it("evict a Pod", async () => {
    const pod = await client.create(podOf("evicted"));
    const { apiVersion, kind } = Eviction;
    const eviction = { apiVersion, kind, metadata: { name: "evicted", namespace: "default" } };
    await client.subResource("eviction").create(pod, eviction, { dryRun: true });
    await client.get(Pod, { namespace: "default", name: "evicted" });
    await client.subResource("eviction").create(pod, eviction);
    await expect(client.get(Pod, { namespace: "default", name: "evicted" })).rejects.toSatisfy(isNotFound);
  });

  it("accept a body without a name, and use that of the object", async () => {
    const pod = await client.create(podOf("nameless"));
    const target = { apiVersion: "v1", kind: "Node", name: "n1" };
    await client.subResource("binding").create(pod, { apiVersion: "v1", kind: "Binding", target });
    expect((await client.get(Pod, { namespace: "default", name: "nameless" })).spec?.nodeName).toBe("n1");
    await client.subResource("eviction").create(pod, { apiVersion: "policy/v1", kind: "Eviction" }, { dryRun: true });
    const controller = { apiVersion: "v1", kind: "ReplicationController", metadata: pod.metadata } as const;
    const spec = { selector: { app: "x" }, template: { metadata: { labels: { app: "x" } }, spec: pod.spec } };
    const { namespace, name } = controller.metadata;
    const made = await client.create({ ...controller, metadata: { namespace, name }, spec } as KubernetesObject);
    const body = { apiVersion: Scale.apiVersion, kind: Scale.kind, spec: { replicas: 3 } };
    expect((await client.subResource("scale").update(made, body)).spec?.replicas).toBe(3);
  });

  it("send the object itself on an update without a body, as status requires", async () => {
    const pod = await client.create(podOf("itself"));
    const seen = { ...pod, status: { message: "seen" } } as KubernetesObject;
    await client.subResource("status").update(seen, undefined, { dryRun: true });
    expect(await client.get(Pod, { namespace: "default", name: "itself" })).not.toHaveProperty("status.message");
    expect(await client.subResource("status").update(seen)).toMatchObject({ status: { message: "seen" } });
    const nothing = undefined as unknown as KubernetesObject;
    await expect(client.subResource("eviction").create(pod, nothing as never)).rejects.toThrow(TypeError);
  });

  it("apply a status by the name of the subresource", async () => {
    const pod = await client.create(podOf("applied"));
    const { apiVersion, kind } = pod;
    const body = {
      apiVersion,
      kind,
      metadata: { name: "applied", namespace: "default" },
      status: { message: "seen" },
    } as KubernetesObject;
    const applied = await client.subResource("status").apply(pod, body, { fieldOwner: "test" });
    expect(applied).toMatchObject({ status: { message: "seen" } });
  });

  fullTest("create a token; an in-cluster client reads the file again when its token is rejected", async () => {
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "operator", namespace: "default" } };
    const token = async (): Promise<string> => {
      const { apiVersion, kind } = TokenRequest;
      const request = { apiVersion, kind, spec: { audiences: [] } };
      const made = await client.subResource("token").create(account, request);
      return made.status?.token ?? "";
    };
    await client.create(account);
    const directory = mkdtempSync(join(tmpdir(), "kubewright-service-account-"));
    try {
      const put = (name: string, text: string): void => writeFileSync(join(directory, name), text);
      put("token", await token());
      put("ca.crt", config.ca ?? "");
      put("namespace", "default");
      const { hostname, port } = new URL(config.host);
      const variables = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
      const inside = createClient(inClusterConfig(variables, directory));
      const whoAmI = async (): Promise<unknown> => {
        const review = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview", metadata: { name: "x" } };
        return inside.create(review as KubernetesObject).catch((error: unknown) => error);
      };
      const user = { status: { userInfo: { username: "system:serviceaccount:default:operator" } } };
      expect(await whoAmI()).toMatchObject(user);
      await client.delete(ServiceAccount, { namespace: "default", name: "operator" });
      await client.create(account);
      // Servers cache valid tokens for ten seconds.
      await expect.poll(async () => isUnauthorized(await whoAmI()), { interval: 500 }).toBe(true);
      put("token", await token());
      expect(await whoAmI()).toMatchObject(user);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

// The embedded API server doesn't run containers.
describe.skipIf(process.env.KUBEWRIGHT_ENVTEST_ENGINE === "embedded")("podLogs", () => {
  const all = async (lines: AsyncIterable<string>): Promise<string[]> => {
    const names: string[] = [];
    for await (const line of lines) names.push(line);
    return names;
  };

  it("yields line by line, and sends its options", async () => {
    await scheduled("talker", ["main", "side"]);
    asked = [];
    answer = (_request, response) => response.end("one\n\n{not json\nünï\nlast");
    const key = { namespace: "default", name: "talker" };
    const lines = await all(
      podLogs(client, key, { container: "side", tailLines: 5, timestamps: true, previous: true }),
    );
    expect(lines).toEqual(["one", "", "{not json", "ünï", "last"]);
    const url = new URL(asked[0] ?? "", "https://kubelet");
    expect(url.pathname).toBe("/containerLogs/default/talker/side");
    expect(Object.fromEntries(url.searchParams)).toEqual({ tailLines: "5", timestamps: "true", previous: "true" });
    expect(
      await all(podLogs(newNamespacedClient(client, "default"), { name: "talker" }, { container: "main" })),
    ).toHaveLength(5);
  });

  it("follows logs until its signal aborts, and closes the connection", async () => {
    await scheduled("follower");
    let count = 0;
    const gone = new Promise<void>((resolve) => {
      answer = (_request, response) => {
        const timer = setInterval(() => response.write(`line ${count++}\n`), 10);
        response.on("close", () => {
          clearInterval(timer);
          resolve();
        });
      };
    });
    const stop = new AbortController();
    const key = { namespace: "default", name: "follower" };
    const seen: string[] = [];
    for await (const line of podLogs(client, key, { follow: true, signal: stop.signal })) {
      if (seen.push(line) === 3) stop.abort();
    }
    expect(seen).toEqual(["line 0", "line 1", "line 2"]);
    await gone;
    expect(await all(podLogs(client, key, { signal: AbortSignal.abort() }))).toEqual([]);
  });

  it("throws an error with the reason if the container has no logs", async () => {
    await scheduled("two", ["main", "side"]);
    const none = podLogs(client, { namespace: "default", name: "none" });
    await expect(all(none)).rejects.toSatisfy(isNotFound);
    await expect(all(podLogs(client, { namespace: "default", name: "two" }, { container: "third" }))).rejects.toSatisfy(
      isBadRequest,
    );
    answer = (_request, response) => response.writeHead(500).end("no disk");
    await expect(all(podLogs(client, { namespace: "default", name: "two" }, { container: "main" }))).rejects.toThrow(
      "no disk",
    );
  });
});
