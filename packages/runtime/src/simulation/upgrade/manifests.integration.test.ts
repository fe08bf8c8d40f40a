import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../api/index.ts";
import { applyManifests } from "./manifests.ts";

const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop-system" } };
const manager = (label: string, image = "shop:1") => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "shop-controller-manager", namespace: "shop-system" },
  spec: {
    selector: { matchLabels: { "control-plane": label } },
    template: {
      metadata: { labels: { "control-plane": label } },
      spec: { containers: [{ name: "manager", image }] },
    },
  },
});
const certificate = {
  apiVersion: "cert-manager.io/v1",
  kind: "Certificate",
  metadata: { name: "serving-cert", namespace: "shop-system" },
};
const apply = (before: KubernetesObject[], after: KubernetesObject[]) =>
  applyManifests({ name: "v1.2.0", objects: before }, { name: "new", objects: after });

describe("manifests can be applied", () => {
  it("is broken by another selector of the manager's Deployment", async () => {
    const { problem, timeline } = await apply([manager("a"), namespace], [manager("b")]);
    expect(problem).toContain(
      "the server rejects the Deployment shop-system/shop-controller-manager in config/default of new over that of v1.2.0",
    );
    expect(problem).toContain("field is immutable");
    expect(timeline.at(-1)).toMatchObject({ actor: "user", action: "apply", detail: "config/default of new" });
  });

  it("allows another image, and objects of kinds that the server doesn't have", async () => {
    const result = await apply([manager("a"), namespace], [manager("a", "shop:2"), namespace, certificate]);
    expect(result.problem).toBeUndefined();
  });

  it("needs no Namespace among the manifests", async () => {
    expect((await apply([manager("a")], [manager("b")])).problem).toContain("field is immutable");
  });

  it("isn't about objects that are invalid in both versions", async () => {
    const invalid = { ...manager("a"), spec: { replicas: 1 } };
    expect((await apply([namespace, invalid], [namespace, invalid])).problem).toBeUndefined();
  });
});
