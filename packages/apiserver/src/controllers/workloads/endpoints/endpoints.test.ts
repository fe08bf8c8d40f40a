import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, it } from "vitest";
import type { Pod } from "../common/objects.ts";
import { type AnyObject, Cluster, deployment, podTemplate } from "../workloads.fixture.ts";
import { planSlices } from "./slices.ts";
import type { Service } from "./types.ts";

const fail = "apiserver.kubewright.dev/fail";

function service(spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web", labels: { tier: "front" } },
    spec: { selector: { app: "web" }, ports: [{ name: "http", port: 80, targetPort: "http" }], ...spec },
  };
}

const ports = [{ name: "http", containerPort: 8080 }];
const containers = [{ name: "app", image: "nginx:1", ports }];

async function slice(cluster: Cluster): Promise<AnyObject> {
  const [first, ...others] = await cluster.list("discovery.k8s.io/v1/endpointslices", "kubernetes.io/service-name=web");
  expect(others).toEqual([]);
  return first;
}

describe("Services", () => {
  it("have no endpoints if the endpoints controller is disabled", async () => {
    const cluster = await Cluster.start({ workloads: { podReadyAfter: 1000, endpoints: false } });
    await cluster.create("v1/services", service());
    await cluster.create("v1/pods", { metadata: { name: "a", labels: { app: "web" } }, spec: { containers } });
    await cluster.advance(5000);
    expect(await cluster.list("discovery.k8s.io/v1/endpointslices")).toEqual([]);
    expect(await cluster.list("v1/endpoints")).toEqual([]);
    const [pod] = await cluster.list("v1/pods");
    expect(pod.status.phase).toBe("Running");
  });

  it("have an EndpointSlice and Endpoints with their ready Pods", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/services", service());
    await cluster.create(
      "apps/v1/deployments",
      deployment("web", { template: podTemplate("web", undefined, { containers }) }),
    );
    await cluster.advance(500);
    expect((await slice(cluster)).endpoints ?? []).toEqual([]);
    await cluster.advance(2000);
    const endpointSlice = await slice(cluster);
    const [pod] = await cluster.list("v1/pods");
    const targetRef = { kind: "Pod", namespace: "default", name: pod.metadata.name, uid: pod.metadata.uid };
    expect(endpointSlice.metadata).toMatchObject({
      generateName: "web-",
      labels: {
        tier: "front",
        "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
        "kubernetes.io/service-name": "web",
      },
      ownerReferences: [{ kind: "Service", name: "web", controller: true }],
    });
    expect(endpointSlice.addressType).toBe("IPv4");
    expect(endpointSlice.ports).toEqual([{ name: "http", port: 8080, protocol: "TCP" }]);
    expect(endpointSlice.endpoints).toEqual([
      {
        addresses: ["10.244.0.1"],
        conditions: { ready: true, serving: true, terminating: false },
        nodeName: "kubewright",
        targetRef,
      },
    ]);
    const endpoints = await cluster.get("v1/endpoints/web");
    expect(endpoints.subsets).toEqual([
      {
        addresses: [{ ip: "10.244.0.1", nodeName: "kubewright", targetRef }],
        ports: [{ name: "http", port: 8080, protocol: "TCP" }],
      },
    ]);
    expect(endpoints.metadata.labels).toEqual({
      tier: "front",
      "endpoints.kubernetes.io/managed-by": "endpoint-controller",
    });
  });

  it("list Pods that aren't ready separately", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/services", service());
    const template = podTemplate("web", { [fail]: "not-ready" }, { containers });
    await cluster.create("apps/v1/deployments", deployment("web", { template }));
    await cluster.advance(3000);
    expect((await slice(cluster)).endpoints[0].conditions).toEqual({
      ready: false,
      serving: false,
      terminating: false,
    });
    expect((await cluster.get("v1/endpoints/web")).subsets[0].notReadyAddresses).toHaveLength(1);
  });

  it("have empty endpoints without Pods, and delete their Endpoints and slices with them", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/services", service());
    await cluster.advance(100);
    expect((await slice(cluster)).endpoints ?? []).toEqual([]);
    expect((await cluster.get("v1/endpoints/web")).subsets).toBeUndefined();
    await cluster.delete("v1/services/web");
    await cluster.advance(5000);
    expect(await cluster.list("discovery.k8s.io/v1/endpointslices")).toEqual([]);
    await expect(cluster.get("v1/endpoints/web")).rejects.toThrow("404");
  });

  it("split many Pods into slices of 100, and change few slices in an update", () => {
    const object = { ...service({ ports: [{ port: 80 }] }), metadata: { name: "web", uid: "s" } } as Service;
    const pods = Array.from({ length: 250 }, (_, index): Pod => {
      const metadata = { name: `web-${index}`, namespace: "default", uid: `uid-${index}` };
      const spec = { containers: [{ name: "app" }], nodeName: "kubewright" };
      return { metadata, spec, status: { podIP: `10.244.0.${index}` } };
    });
    const { create } = planSlices(object, pods, []);
    expect(create.map(({ endpoints }) => endpoints?.length)).toEqual([100, 100, 50]);
    const [, gone, ...others] = pods;
    const changes = planSlices(object, others, create);
    expect(gone?.metadata.name).toBe("web-1");
    // After the removal of two Pods, no other slice fits completely into the first one, so all endpoints stay in their
    // slices.
    expect(changes.update.map(({ endpoints }) => endpoints?.length)).toEqual([98]);
    expect([...changes.create, ...changes.remove]).toEqual([]);
  });

  it("name the Pods of StatefulSets", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/services", service({ clusterIP: "None", selector: { app: "web" } }));
    await cluster.create("apps/v1/statefulsets", {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name: "web" },
      spec: { serviceName: "web", selector: { matchLabels: { app: "web" } }, template: podTemplate("web") },
    });
    await cluster.advance(3000);
    const endpointSlice = await slice(cluster);
    expect(endpointSlice.endpoints[0].hostname).toBe("web-0");
    expect(endpointSlice.metadata.labels["service.kubernetes.io/headless"]).toBe("");
  });
});
