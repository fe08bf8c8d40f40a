import { describe, expect, it } from "vitest";
import { expectLinear } from "../../../../scripts/test-support/growth.ts";
import type { ObjectSummary } from "../protocol/protocol.ts";
import { type ObjectMap, rootOf, type TreeRow, treeRows } from "./object-tree.ts";

const everything = { text: "", notReady: false };

function object(uid: string, kind: string, changes: Partial<ObjectSummary> = {}): ObjectSummary {
  return {
    apiVersion: "v1",
    kind,
    namespace: "default",
    name: uid,
    uid,
    ready: true,
    status: null,
    statusMessage: "",
    owners: [],
    children: [],
    generation: 1,
    observedGeneration: 1,
    conditions: [],
    resourceVersion: "1",
    creationTimestamp: "2026-01-01T00:00:00Z",
    deleting: false,
    own: kind === "Game",
    ...changes,
  };
}

const mapOf = (...objects: ObjectSummary[]): ObjectMap =>
  new Map(objects.map((objectSummary) => [objectSummary.uid, objectSummary]));
const draw = (rows: readonly TreeRow[]): string[] =>
  rows.map(({ object, guides }) => {
    const signs = { line: "│", end: "└", branch: "├", none: " " };
    return `${guides.map((guide) => signs[guide]).join("")}${object.uid}`;
  });

const games = mapOf(
  object("chess", "Game", { children: ["web", "svc"] }),
  object("web", "Deployment", { owners: ["chess"], children: ["rs"] }),
  object("rs", "ReplicaSet", { owners: ["web"], children: ["pod-a", "pod-b"], ready: false }),
  object("pod-a", "Pod", { owners: ["rs"] }),
  object("pod-b", "Pod", { owners: ["rs"], ready: false }),
  object("svc", "Service", { owners: ["chess"], ready: null }),
  object("go", "Game"),
);

describe("the rows of owner trees", () => {
  it("draw a line from each owner to its dependents", () => {
    expect(draw(treeRows(games, everything, () => true))).toEqual([
      "chess",
      "├web",
      "│└rs",
      "│ ├pod-a",
      "│ └pod-b",
      "└svc",
      "go",
    ]);
  });

  it("leave out the descendants of a collapsed object, and count those that aren't ready", () => {
    const rows = treeRows(games, everything, (uid) => uid === "chess");
    expect(draw(rows)).toEqual(["chess", "├web", "└svc", "go"]);
    expect(rows[1]).toMatchObject({ hasChildren: true, isExpanded: false, notReadyBelow: 2 });
  });

  it("contain the position among siblings for screen readers", () => {
    const rows = treeRows(games, everything, () => true);
    expect(rows.map(({ depth, position, siblings }) => [depth, position, siblings])).toEqual([
      [0, 1, 2],
      [1, 1, 2],
      [2, 1, 1],
      [3, 1, 2],
      [3, 2, 2],
      [1, 2, 2],
      [0, 2, 2],
    ]);
  });

  it("include the owners of objects that match a filter, even if the owners are collapsed", () => {
    const rows = treeRows(games, { text: "pod-b", notReady: false }, () => false);
    expect(draw(rows)).toEqual(["chess", "└web", " └rs", "  └pod-b"]);
    expect(rows.map(({ isContext }) => isContext)).toEqual([true, true, true, false]);
  });

  it("contain the objects whose kind, namespace or name matches the words of a filter", () => {
    expect(draw(treeRows(games, { text: "GAME default/g", notReady: false }, () => false))).toEqual(["go"]);
    expect(treeRows(games, { text: "nothing", notReady: false }, () => true)).toEqual([]);
  });

  it("contain only objects that aren't ready if the filter requires it", () => {
    expect(draw(treeRows(games, { text: "", notReady: true }, () => false))).toEqual([
      "chess",
      "└web",
      " └rs",
      "  └pod-b",
    ]);
  });

  it("contain an object with an unknown owner as a root", () => {
    expect(draw(treeRows(mapOf(object("pod", "Pod", { owners: ["gone"] })), everything, () => true))).toEqual(["pod"]);
  });

  it("are finite if objects own each other", () => {
    const cycle = mapOf(
      object("root", "Game", { children: ["a"] }),
      object("a", "ConfigMap", { owners: ["root", "b"], children: ["b"] }),
      object("b", "ConfigMap", { owners: ["a"], children: ["a"] }),
    );
    expect(draw(treeRows(cycle, everything, () => true))).toEqual(["root", "└a", " └b"]);
    expect(rootOf(cycle.get("b") as ObjectSummary, cycle).uid).toBe("root");
  });

  it("of thousands of objects are computed in linear time", () => {
    const objectsOf = (games: number): Map<string, ObjectSummary> => {
      const many = new Map<string, ObjectSummary>();
      for (let game = 0; game < games; game++) {
        const pods = Array.from({ length: 9 }, (_, index) => `pod-${game}-${index}`);
        many.set(`game-${game}`, object(`game-${game}`, "Game", { children: pods }));
        for (const pod of pods) many.set(pod, object(pod, "Pod", { owners: [`game-${game}`] }));
      }
      return many;
    };
    expect(treeRows(objectsOf(500), everything, () => true)).toHaveLength(5000);
    expectLinear((many) => treeRows(many, everything, () => true), objectsOf, { from: 50, to: 5000 });
  });
});
