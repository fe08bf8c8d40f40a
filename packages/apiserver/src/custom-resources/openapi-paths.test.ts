import { describe, expect, it } from "vitest";
import { customResourcePaths } from "./openapi-paths.ts";

interface Operation {
  operationId: string;
  tags: string[];
  description: string;
}

const operations = (group: string, kind: string, namespaced = false): Operation[] => {
  const models = { kindName: "model", listName: "models" };
  const paths = customResourcePaths({
    ...{ group, kind, namespaced, version: "v1", plural: "things", subresources: ["status"] },
    models: models as never,
  });
  return Object.values(paths as unknown as Record<string, Record<string, Operation>>).flatMap((path) =>
    Object.values(path).filter((one) => one.operationId !== undefined),
  );
};

const operation = (group: string, kind: string, prefix: string): Operation =>
  operations(group, kind).find(({ operationId }) => operationId.startsWith(prefix)) as Operation;

describe("operations of custom resources", () => {
  it.each([
    ["kueue.x-k8s.io", "Queue", "createKueueXK8sIoV1Queue", "kueueXK8sIo_v1"],
    ["demo.k8s.io", "Queue", "createDemoV1Queue", "demo_v1"],
    ["9gag.com", "queue", "createGagComV1Queue", "GagCom_v1"],
    ["my--group.io", "My-kind", "createMyGroupIoV1MyKind", "myGroupIo_v1"],
  ])("of %s and %s have identifiers of letters, digits and underscores", (group, kind, id, tag) => {
    expect(operation(group, kind, "create")).toMatchObject({ operationId: id, tags: [tag] });
  });

  it("have different identifiers", () => {
    const ids = operations("kueue.x-k8s.io", "Queue", true).map(({ operationId }) => operationId);
    expect(ids).toContain("deleteKueueXK8sIoV1CollectionNamespacedQueue");
    expect(ids).toContain("listKueueXK8sIoV1QueueForAllNamespaces");
    expect(ids).toContain("patchKueueXK8sIoV1NamespacedQueueStatus");
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    ["Queue", "a Queue"],
    ["AppWrapper", "an AppWrapper"],
    ["object", "an object"],
    ["ClusterClass", "a ClusterClass"],
    ["IdentityProviders", "IdentityProviders"],
  ])("describe %s with the right article", (kind, text) => {
    expect(operation("demo.io", kind, "create").description).toBe(`create ${text}`);
    expect(operation("demo.io", kind, "delete").description).toBe(`delete collection of ${kind}`);
    expect(operations("demo.io", kind).map(({ description }) => description)).toContain(`delete ${text}`);
  });
});
