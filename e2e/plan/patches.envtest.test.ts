// Patches and subresources in `scaffold plan`, as the rules in rules.envtest.test.ts.
import { describe, expect, it } from "vitest";
import { Deployment, expectDryRuns, labelsOf, Pod, usePlanServer, writesOf } from "./plan-server.ts";

const server = usePlanServer();
const { plan } = server;

describe("each write is a dry run", () => {
  it("for JSON and strategic merge patches", async () => {
    const { requests, changes, failed } = await plan(`
      const stored = await apiReader.get(ConfigMap, { namespace: "default", name: "stored" });
      const { rawPatch } = runtime;
      await client.patch(stored, rawPatch("application/json-patch+json", [{ op: "replace", path: "/data/a", value: "2" }]));
      await client.patch(stored, rawPatch("application/json-patch+json", [{ op: "add", path: "/data/b", value: "3" }]));
      const scaled = await apiReader.get(Deployment, { namespace: "default", name: "scaled" });
      const strategic = (template) => rawPatch("application/strategic-merge-patch+json", { spec: { template: { spec: template } } });
      await client.patch(scaled, strategic({ containers: [{ name: "main", image: "nginx:1.30" }] }));
      await client.patch(scaled, strategic({ containers: [{ name: "second", image: "nginx:1.29" }] }));
    `);
    expect(failed).toEqual([]);
    expectDryRuns(requests);
    expect(writesOf(requests).map(({ method, headers }) => `${method} ${headers["content-type"]}`)).toEqual([
      "PATCH application/json-patch+json",
      "PATCH application/json-patch+json",
      "PATCH application/strategic-merge-patch+json",
      "PATCH application/strategic-merge-patch+json",
    ]);
    expect(changes).toMatchObject([
      {
        kind: "ConfigMap",
        action: "update",
        fields: [
          { path: "data.a", before: "1", after: "2" },
          { path: "data.b", action: "add", after: "3" },
        ],
      },
      { kind: "Deployment", action: "update", rollout: true },
    ]);
    const images = changes[1]?.fields.filter(({ path }) => path.startsWith("spec.template.spec.containers"));
    expect(JSON.stringify(images)).toContain("nginx:1.30");
    expect(JSON.stringify(images)).toContain("second");
  });

  it("for scale and eviction, whose effects are planned", async () => {
    const state = async () => {
      const [scaled, evicted] = [
        await server.client.get(Deployment, { namespace: "default", name: "scaled" }),
        await server.client.get(Pod, { namespace: "default", name: "evicted" }),
      ];
      return [scaled.metadata.generation, evicted.metadata.uid, evicted.metadata.deletionTimestamp];
    };
    const before = await state();
    const { requests, changes, failed } = await plan(`
      const scaled = await apiReader.get(Deployment, { namespace: "default", name: "scaled" });
      const scale = await client.subResource("scale").get(scaled);
      await client.subResource("scale").update(scaled, { ...scale, spec: { replicas: 3 } });
      const { spec } = await apiReader.get(Deployment, { namespace: "default", name: "scaled" });
      const pod = { apiVersion: "v1", kind: "Pod", metadata: { namespace: "default", name: "evicted" } };
      const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: pod.metadata };
      await client.subResource("eviction").create(pod, eviction);
      const gone = await apiReader.get(kind("", "v1", "Pod", "pods"), pod.metadata).catch((error) => error.reason);
      await client.create(configMap("result", { replicas: String(spec.replicas), gone: String(gone) }));
    `);
    expect(failed).toEqual([]);
    expectDryRuns(requests);
    expect(writesOf(requests).map(({ method, url }) => `${method} ${url.pathname.split("/").at(-1)}`)).toEqual([
      "PUT scale",
      "POST eviction",
      "POST configmaps",
    ]);
    expect(labelsOf(changes)).toEqual(["create ConfigMap result", "update Deployment scaled", "delete Pod evicted"]);
    expect(changes[0]?.fields).toContainEqual({
      ...{ path: "data", action: "add" },
      after: { replicas: "3", gone: "NotFound" },
    });
    expect(changes[1]).toMatchObject({
      rollout: false,
      fields: [{ path: "spec.replicas", action: "change", before: 1, after: 3 }],
      writes: [{ verb: "update", subresource: "scale" }],
    });
    expect(await state()).toEqual(before);
  });
});
