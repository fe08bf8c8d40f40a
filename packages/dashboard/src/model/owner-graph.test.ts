import { describe, expect, it } from "vitest";
import type { ObjectSummary } from "../protocol/protocol.ts";
import { type GraphSizes, ownerGraph } from "./owner-graph.ts";

const sizes: GraphSizes = { layout: "columns", nodeWidth: 100, nodeHeight: 40, gap: 20, rowGap: 10 };

function family(pods: number, failed: readonly number[] = []): ReadonlyMap<string, ObjectSummary> {
  const base = {
    apiVersion: "v1",
    namespace: "default",
    generation: 1,
    observedGeneration: 1,
    conditions: [],
    status: null,
    statusMessage: "",
  };
  const more = { resourceVersion: "1", creationTimestamp: "", deleting: false, own: false };
  const names = Array.from({ length: pods }, (_, index) => `pod-${index}`);
  const objects: ObjectSummary[] = [
    { ...base, ...more, kind: "Game", name: "chess", uid: "chess", ready: true, owners: [], children: names },
    ...names.map(
      (name, index): ObjectSummary => ({
        ...base,
        ...more,
        kind: "Pod",
        name,
        uid: name,
        ready: !failed.includes(index),
        owners: ["chess"],
        children: [],
      }),
    ),
  ];
  return new Map(objects.map((object) => [object.uid, object]));
}

const draw = (pods: number, failed: readonly number[] = [], layout: GraphSizes["layout"] = "columns") => {
  const objects = family(pods, failed);
  return ownerGraph(objects.get("chess") as ObjectSummary, objects, { ...sizes, layout });
};

describe("the layout of an owner tree", () => {
  it("contains objects without an owner that were written for an object", () => {
    const objects = new Map(family(1));
    const chess = objects.get("chess") as ObjectSummary;
    const role = {
      ...chess,
      kind: "ClusterRole",
      name: "r",
      uid: "r",
      children: [],
      written: true,
      writtenFor: ["chess"],
    };
    objects.set("r", role);
    const { nodes, edges } = ownerGraph(chess, objects, sizes);
    expect(nodes.map(({ id }) => id)).toEqual(["r", "pod-0", "chess"]);
    expect(edges.map(({ from, to }) => [from.id, to.id])).toEqual([
      ["chess", "r"],
      ["chess", "pod-0"],
    ]);
  });

  it("places an owner to the left of its dependents and centers it vertically", () => {
    const graph = draw(3);
    expect(graph.nodes.map(({ id, x, y }) => [id, x, y])).toEqual([
      ["pod-0", 120, 0],
      ["pod-1", 120, 50],
      ["pod-2", 120, 100],
      ["chess", 0, 50],
    ]);
    expect(graph.edges.map(({ from, to }) => `${from.id} ${to.id}`)).toEqual([
      "chess pod-0",
      "chess pod-1",
      "chess pod-2",
    ]);
    expect([graph.width, graph.height]).toEqual([220, 140]);
  });

  it("uses one row per object on narrow screens", () => {
    const graph = draw(2, [], "indented");
    expect(Object.fromEntries(graph.nodes.map(({ id, x, y }) => [id, [x, y]]))).toEqual({
      chess: [0, 0],
      "pod-0": [20, 50],
      "pod-1": [20, 100],
    });
  });

  it("summarizes many siblings of one kind, and shows those that aren't ready", () => {
    const { nodes } = draw(40, [33]);
    expect(nodes.filter(({ object }) => object?.kind === "Pod").map(({ id }) => id)).toEqual([
      "pod-33",
      "pod-0",
      "pod-1",
      "pod-10",
      "pod-11",
    ]);
    expect(nodes.find(({ more }) => more)?.more).toEqual({ count: 35, kind: "Pod", notReady: 0 });
  });
});
