import { expect, it } from "vitest";
import type { KubernetesObject } from "../../api/index.ts";
import { builtIn } from "../report/verdict.ts";
import type { Tracked } from "../world/state.ts";
import { checkConvergence, checkStatus } from "./settled.ts";
import { history, snapshotOf, variation } from "./snapshot.ts";

function tracked(object: object, creator = "operator-1", group = "example.com"): Tracked {
  const stored = object as KubernetesObject;
  return { id: stored.metadata?.name ?? "", group, resource: "", creator, byReconcile: true, since: 1, object: stored };
}

function game(metadata: object, rest: object = {}): object {
  return { apiVersion: "example.com/v1", kind: "Game", metadata: { namespace: "a", name: "b", ...metadata }, ...rest };
}

const snapshot = (...objects: object[]) =>
  snapshotOf(
    objects.map((object) => tracked(object)),
    new Set(["example.com/Game"]),
  );

it("checkConvergence ignores versions, times, UIDs and generated names", () => {
  const uid = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
  const first = snapshot(
    game(
      { uid: uid("1"), resourceVersion: "1", generation: 2 },
      { status: { at: "2026-01-01T00:00:00Z", of: uid("1"), observedGeneration: 2 } },
    ),
    game({ name: "job-x1", generateName: "job-" }),
  );
  const other = snapshot(
    game(
      { uid: uid("2"), resourceVersion: "9", generation: 4 },
      { status: { at: "2026-02-01T00:00:09Z", of: uid("2"), observedGeneration: 4 } },
    ),
    game({ name: "job-z9", generateName: "job-" }),
  );
  expect(checkConvergence(first, other)).toBeUndefined();
});

it("checkConvergence reports missing objects, additional objects and different fields", () => {
  const first = snapshot(game({}, { spec: { replicas: 3 } }));
  expect(checkConvergence(first, snapshot(game({}, { spec: { replicas: 1 } })))).toEqual({
    invariant: builtIn.convergence,
    message: "unlike without faults: Game a/b spec.replicas: 3 → 1",
  });
  expect(checkConvergence(first, snapshot())?.message).toBe("unlike without faults: Game a/b doesn't exist");
  expect(checkConvergence(snapshot(), first)?.message).toBe("unlike without faults: Game a/b exists");
});

it("checkConvergence ignores fields that vary between runs without faults", () => {
  const password = (data: string) => snapshot(game({}, { spec: { password: data, size: 1 } }));
  const varying = variation([password("x")], [password("y")]);
  expect(checkConvergence(password("x"), password("z"), varying)).toBeUndefined();
  expect(
    checkConvergence(password("x"), snapshot(game({}, { spec: { password: "z", size: 2 } })), varying),
  ).toBeDefined();
});

const addresses = (...all: number[]) =>
  snapshot(...all.map((ip, index) => game({ name: `game-${index}` }, { status: { ip, phase: "Bound" } })));

it("checkConvergence ignores values that objects of a kind have exchanged", () => {
  expect(checkConvergence(addresses(1, 2, 3), addresses(3, 1, 2))).toBeUndefined();
  expect(checkConvergence(addresses(1, 2, 3), addresses(2, 2, 3))).toBeDefined();
  expect(checkConvergence(addresses(1, 2, 3), addresses(3, 1, 4))).toBeDefined();
});

it("objects keep the values that they have exchanged when another one is deleted", () => {
  const exchanges = new Set<string>();
  const check: typeof checkConvergence = (one, other) => checkConvergence(one, other, undefined, exchanges);
  expect(check(addresses(1, 2, 3), addresses(3, 1, 2))).toBeUndefined();
  expect(check(addresses(1, 2), addresses(3, 1))).toBeUndefined();
  expect(check(addresses(1, 2), addresses(3, 4))).toBeDefined();
  expect(checkConvergence(addresses(1, 2), addresses(3, 1))).toBeDefined();
});

it("checkConvergence ignores the keys of a map that vary between runs without faults", () => {
  const members = (key: string) => snapshot(game({}, { status: { members: { [key]: "up" }, phase: "Ready" } }));
  const varying = variation([members("db-a1.yaml")], [members("db-b2.yaml")]);
  expect(checkConvergence(members("db-a1.yaml"), members("db-c3.yaml"), varying)).toBeUndefined();
  const other = snapshot(game({}, { status: { members: { "db-c3.yaml": "up" }, phase: "Failed" } }));
  expect(checkConvergence(members("db-a1.yaml"), other, varying)).toBeDefined();
});

it("checkConvergence names a missing and an additional object of a kind with varying names", () => {
  const backups = (...names: string[]) =>
    snapshot(...names.map((name) => game({ name }, { spec: { of: name.slice(0, 2) } })));
  const varying = variation([backups("aa1", "bb1")], [backups("aa2", "bb2")]);
  expect(checkConvergence(backups("aa1", "bb1"), backups("bb3"), varying)?.message).toBe(
    "unlike without faults: there are 1 objects of the kind Game instead of 2, missing: Game a/aa1",
  );
  expect(checkConvergence(backups("aa1", "bb1"), backups("aa3", "bb3", "bb4"), varying)?.message).toBe(
    "unlike without faults: there are 3 objects of the kind Game instead of 2, additional: Game a/bb4",
  );
});

it("checkConvergence compares the number of objects whose names depend on the history", () => {
  const named = (...names: string[]) => snapshot(...names.map((name) => game({ name })));
  const varying = history([named("1", "2")], [named("3", "2")]);
  expect(checkConvergence(named("1", "2"), named("2", "4"), varying)).toBeUndefined();
  expect(checkConvergence(named("1", "2"), named("4"), varying)).toBeDefined();
});

it("snapshotOf leaves out objects that the cluster created", () => {
  expect(snapshotOf([tracked(game({}), "cluster")], new Set()).size).toBe(0);
});

it("checkStatus reports a status that is ahead of its object", () => {
  const status = (claimed: object) => checkStatus(tracked(game({ generation: 1 }, { status: claimed })));
  expect(status({ observedGeneration: 1 })).toBeUndefined();
  expect(status({ observedGeneration: 2 })?.message).toBe(
    "Game a/b: status.observedGeneration is 2, but the generation is 1",
  );
  expect(status({ conditions: [{ type: "Ready", observedGeneration: 5 }] })?.message).toContain("condition Ready is 5");
});
