import { describe, expect, it } from "vitest";
import { Cluster, conditionsOf, deployment } from "./workloads.fixture.ts";

describe("Namespaces", () => {
  it("get a default ServiceAccount and a ConfigMap with the certificate of the server", async () => {
    const cluster = await Cluster.start();
    const metadata = { name: "team" };
    await cluster.send("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata });
    await cluster.advance(100);
    const account = await cluster.get("/api/v1/namespaces/team/serviceaccounts/default");
    expect(account.metadata.name).toBe("default");
    const map = await cluster.get("/api/v1/namespaces/team/configmaps/kube-root-ca.crt");
    expect(Object.keys(map.data)).toEqual(["ca.crt"]);
  });

  it("get the ServiceAccount and the ConfigMap again after a change", async () => {
    const cluster = await Cluster.start();
    await cluster.delete("v1/serviceaccounts/default");
    await cluster.patch("v1/configmaps/kube-root-ca.crt", { data: { "ca.crt": "other" } });
    await cluster.advance(100);
    expect((await cluster.get("v1/serviceaccounts/default")).metadata.name).toBe("default");
    expect((await cluster.get("v1/configmaps/kube-root-ca.crt")).data["ca.crt"]).toBe("");
  });

  it("delete their objects when they are deleted", async () => {
    const cluster = await Cluster.start();
    const metadata = { name: "team" };
    await cluster.send("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata });
    await cluster.advance(100);
    await cluster.delete("/api/v1/namespaces/team");
    await cluster.advance(5000);
    await expect(cluster.get("/api/v1/namespaces/team")).rejects.toThrow("404");
  });
});

describe("chosen controllers", () => {
  it("run without a node, so that Pods stay pending", async () => {
    const controllers = ["deployment-controller", "replicaset-controller"];
    const cluster = await Cluster.start({ workloads: { controllers } });
    await cluster.create("apps/v1/deployments", deployment("web"));
    await cluster.advance(5000);
    const [pod] = await cluster.list("v1/pods");
    expect(pod.status).toEqual({ phase: "Pending", qosClass: "BestEffort" });
    expect(pod.spec.nodeName).toBeUndefined();
    expect(await cluster.list("/api/v1/nodes")).toEqual([]);
    expect(await cluster.list("v1/configmaps")).toEqual([]);
  });
});

describe("the node", () => {
  it("exists when the server has started, and again after a return to that state", async () => {
    const cluster = await Cluster.start();
    const { server } = cluster;
    const first = server.revision;
    const [node] = await cluster.list("/api/v1/nodes");
    expect(conditionsOf(node)).toContain("Ready=True (KubeletReady)");
    await cluster.create("apps/v1/deployments", deployment("web", { replicas: 2 }));
    await cluster.advance(3000);
    expect(await cluster.list("v1/pods")).toHaveLength(2);
    server.restore(first);
    await cluster.advance(3000);
    expect(await cluster.list("v1/pods")).toEqual([]);
    await cluster.create("apps/v1/deployments", deployment("other"));
    await cluster.advance(3000);
    expect((await cluster.get("apps/v1/deployments/other")).status.readyReplicas).toBe(1);
  });
});
