import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { ApiServerOptions } from "../engine/options.ts";
import { type ApiServer, startApiServer } from "../server/server.ts";

async function start(options: ApiServerOptions): Promise<ApiServer> {
  const server = await startApiServer({ authorization: "always-allow", ...options });
  onTestFinished(() => server.stop());
  return server;
}

async function get(server: ApiServer, url: string) {
  return JSON.parse(String((await server.handle({ method: "GET", url, headers: {} })).body));
}

const service = "/api/v1/namespaces/default/services/kubernetes";
const classes = "/apis/scheduling.k8s.io/v1/priorityclasses";

it("a server has the system's PriorityClasses", async () => {
  const { items } = await get(await start({ http: false }), classes);
  expect(items.map((item: { metadata: { name: string }; value: number }) => [item.metadata.name, item.value])).toEqual([
    ["system-cluster-critical", 2_000_000_000],
    ["system-node-critical", 2_000_001_000],
  ]);
});

it("a server has the range of the addresses of Services", async () => {
  const { items } = await get(await start({ http: false }), "/apis/networking.k8s.io/v1/servicecidrs");
  expect(items).toMatchObject([
    {
      metadata: { name: "kubernetes" },
      spec: { cidrs: ["10.0.0.0/24"] },
      status: {
        conditions: [
          { type: "Ready", status: "True", reason: "", message: "Kubernetes default Service CIDR is ready" },
        ],
      },
    },
  ]);
  expect(items[0].metadata).not.toHaveProperty("generation");
});

it("a server with a socket has the Service kubernetes with its own address as endpoint", async () => {
  const server = await start({ tls: false });
  const port = Number(new URL(server.url).port);
  expect((await get(server, service)).spec).toEqual({
    clusterIP: "10.0.0.1",
    clusterIPs: ["10.0.0.1"],
    internalTrafficPolicy: "Cluster",
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
    ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: port }],
    sessionAffinity: "None",
    type: "ClusterIP",
  });
  const slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
  for (const { ports, endpoints } of (await get(server, slices)).items) {
    expect(ports).toEqual([{ name: "https", port, protocol: "TCP" }]);
    expect(endpoints[0].addresses[0]).not.toMatch(/^127\./);
  }
});

it("a server with TLS publishes the CA of its client certificates", async () => {
  const server = await start({});
  const path = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
  expect((await get(server, path)).data).toEqual({ "client-ca-file": server.caBundle });
});

it("a restart keeps the system objects, and updates the port of the Service", async () => {
  const directory = mkdtempSync(join(tmpdir(), "kubewright-system-objects-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const options = { tls: false, dataFile: join(directory, "data") };
  const first = await startApiServer(options);
  const before = await get(first, service);
  await first.stop();
  const second = await start(options);
  const after = await get(second, service);
  expect(after.metadata.uid).toBe(before.metadata.uid);
  expect(after.spec.ports[0].targetPort).toBe(Number(new URL(second.url).port));
  expect((await get(second, classes)).items).toHaveLength(2);
});
