import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import { deepFreeze } from "../json/freeze.ts";
import { jsonPatch, mergeFrom, rawPatch } from "./patch.ts";

interface Game extends KubernetesObject {
  spec?: Record<string, unknown>;
}
const game = (spec: Record<string, unknown>, resourceVersion?: string): Game => ({
  apiVersion: "myapp.io/v1",
  kind: "Game",
  metadata: { name: "g", ...(resourceVersion ? { resourceVersion } : {}) },
  spec,
});

describe("mergeFrom", () => {
  it.each([
    ["changes", { a: 1, b: 2 }, { a: 1, b: 3 }, { b: 3 }],
    ["additions", { a: 1 }, { a: 1, b: { c: 1 } }, { b: { c: 1 } }],
    ["removals", { a: 1, b: { c: 1, d: 2 } }, { b: { c: 1 } }, { a: null, b: { d: null } }],
    ["undefined as an absent field", { a: 1, b: 1 }, { a: undefined, b: 1, c: undefined }, { a: null }],
    ["a changed list as a whole", { a: [1, 2, 3] }, { a: [1, 2] }, { a: [1, 2] }],
    ["nothing for equal lists", { a: [{ x: 1, y: 2 }], b: 1 }, { a: [{ y: 2, x: 1 }], b: 2 }, { b: 2 }],
    ["a value of another type", { a: { b: 1 } }, { a: [1] }, { a: [1] }],
    ["a new object without its nulls", { a: 1 }, { a: { b: null, c: { d: null, e: 1 } } }, { a: { c: { e: 1 } } }],
    ["null for a removed field", { a: { b: 1 } }, { a: { b: null } }, { a: { b: null } }],
    ["nothing for null in place of an absent field", { a: 1 }, { a: 2, b: null }, { a: 2 }],
    ["big integers", { a: 9007199254740993n }, { a: 9007199254740994n }, { a: 9007199254740994n }],
    ["an object that became empty", { a: { b: 1 } }, { a: {} }, { a: { b: null } }],
  ])("K3: sends %s", (_name, before, after, expected) => {
    expect(mergeFrom(game(before)).data(game(after))).toEqual({ spec: expected });
  });

  it("K3: computes the patch at call time, from the object at that time", () => {
    const object = game({ replicas: 1 });
    const patch = mergeFrom(object);
    object.spec!.replicas = 2;
    expect(patch.data(object)).toEqual({ spec: { replicas: 2 } });
    object.spec!.replicas = 3;
    expect(patch.data(object)).toEqual({ spec: { replicas: 3 } });
    expect(patch.type).toBe("application/merge-patch+json");
  });

  it("K3: returns {} if nothing has changed", () => {
    expect(mergeFrom(game({ a: [1] })).data(game({ a: [1] }))).toEqual({});
  });

  it("K3: locks with the original's resource version, and requires one", () => {
    const patch = mergeFrom(game({ a: 1 }, "7"), { optimisticLock: true });
    expect(patch.data(game({ a: 1 }, "7"))).toEqual({ metadata: { resourceVersion: "7" } });
    const changed = game({ a: 2 }, "7");
    changed.metadata!.labels = { x: "y" };
    expect(patch.data(changed)).toEqual({ spec: { a: 2 }, metadata: { labels: { x: "y" }, resourceVersion: "7" } });
    expect(() => mergeFrom(game({}), { optimisticLock: true }).data(game({}))).toThrow("has no resourceVersion");
  });

  it("accepts frozen objects", () => {
    const before = deepFreeze(game({ a: 1 }));
    expect(mergeFrom(before).data(deepFreeze(game({ a: 2 })))).toEqual({ spec: { a: 2 } });
  });
});

describe("jsonPatch and rawPatch", () => {
  it("send the given patch unchanged", () => {
    const operations = [{ op: "replace" as const, path: "/spec/replicas", value: 3 }];
    expect(jsonPatch(operations).type).toBe("application/json-patch+json");
    expect(jsonPatch(operations).data(game({}))).toEqual(operations);
    const raw = rawPatch("application/strategic-merge-patch+json", { spec: { x: 1 } });
    expect(raw.type).toBe("application/strategic-merge-patch+json");
    expect(raw.data(game({}))).toEqual({ spec: { x: 1 } });
  });
});
