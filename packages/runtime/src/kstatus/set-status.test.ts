import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import { computeStatus } from "./compute-status.ts";
import { type StatusHolder, setReady, setReconciling, setStalled, setStatusFromChildren } from "./set-status.ts";

const [first, later] = [new Date("2026-01-02T03:04:05Z"), new Date("2026-01-02T03:05:05Z")];
type Game = StatusHolder & {
  status?: { conditions?: { type: string; status: string; lastTransitionTime?: string }[] };
};
const game = (): Game => ({ metadata: { generation: 3 } });
const listed = (object: Game) => object.status?.conditions?.map(({ type, status }) => `${type} ${status}`);

describe("the conditions", () => {
  it("exclude each other", () => {
    const object = game();
    setReconciling(object, { reason: "Deploying" });
    expect(listed(object)).toEqual(["Reconciling True", "Ready False"]);
    setStalled(object, { reason: "InvalidImage" });
    expect(listed(object)?.sort()).toEqual(["Ready False", "Stalled True"]);
    setReady(object, { reason: "Reconciled" });
    expect(listed(object)).toEqual(["Ready True"]);
  });

  it.each([
    ["setReady", setReady, "Current"],
    ["setReconciling", setReconciling, "InProgress"],
    ["setStalled", setStalled, "Failed"],
  ] as const)("of %s result in the status with the same meaning", (_, set, status) => {
    const object = game();
    set(object, { reason: "Because", message: "of this" });
    expect(computeStatus(object)).toMatchObject({
      status,
      ...(status === "Current" ? {} : { reason: "Because", message: "of this" }),
    });
  });

  it("and the status contain the generation that was read", () => {
    const object = game();
    setReady(object, { reason: "Reconciled" }, first);
    expect(object.status).toEqual({
      observedGeneration: 3,
      conditions: [
        {
          type: "Ready",
          status: "True",
          reason: "Reconciled",
          message: "",
          lastTransitionTime: "2026-01-02T03:04:05Z",
          observedGeneration: 3,
        },
      ],
    });
  });

  it("of other types stay", () => {
    const object: Game = { ...game(), status: { conditions: [{ type: "Available", status: "True" }] } };
    setReady(object, { reason: "Reconciled" });
    expect(listed(object)).toEqual(["Available True", "Ready True"]);
  });

  it("keep the time of the last transition until the status changes", () => {
    const object = game();
    const time = () => object.status?.conditions?.find(({ type }) => type === "Ready")?.lastTransitionTime;
    setReconciling(object, { reason: "Deploying" }, first);
    setReconciling(object, { reason: "Waiting" }, later);
    expect(time()).toBe("2026-01-02T03:04:05Z");
    setReady(object, { reason: "Reconciled" }, later);
    expect(time()).toBe("2026-01-02T03:05:05Z");
  });

  it("are the same when they are set again, and the result is false", () => {
    const object = game();
    expect(setStalled(object, { reason: "Broken", message: "a" }, first)).toBe(true);
    const before = structuredClone(object);
    expect(setStalled(object, { reason: "Broken", message: "a" }, later)).toBe(false);
    expect(object).toEqual(before);
    expect(setStalled(object, { reason: "Broken", message: "b" }, later)).toBe(true);
    Object.assign(object, { metadata: { generation: 4 } });
    expect(setStalled(object, { reason: "Broken", message: "b" }, later)).toBe(true);
  });

  it("of an object without a generation have none", () => {
    const object: Game = {};
    setReady(object, { reason: "Reconciled" }, first);
    expect(object.status).not.toHaveProperty("observedGeneration");
    expect(object.status?.conditions?.[0]).not.toHaveProperty("observedGeneration");
  });
});

describe("setStatusFromChildren", () => {
  const child = (kind: string, status?: object): KubernetesObject =>
    ({ apiVersion: "example.com/v1", kind, metadata: { name: "a" }, status }) as KubernetesObject;
  const ready = child("Ready", { conditions: [{ type: "Ready", status: "True" }] });
  const busy = child("Busy", { conditions: [{ type: "Ready", status: "False", reason: "Wait", message: "1 of 2" }] });
  const broken = child("Broken", {
    conditions: [{ type: "Stalled", status: "True", reason: "Oops", message: "no image" }],
  });
  const deleted = { ...child("Deleted"), metadata: { name: "a", deletionTimestamp: "2026-01-02T03:04:05Z" } };

  it.each<[string, (KubernetesObject | undefined)[], string, string]>([
    ["no children", [], "ChildrenReady", ""],
    ["all children ready", [ready, ready], "ChildrenReady", ""],
    ["a child in progress", [ready, busy], "ChildInProgress", "Busy a: 1 of 2"],
    ["a child that is deleted", [deleted], "ChildInProgress", "Deleted a: Resource scheduled for deletion"],
    ["a missing child", [busy, undefined], "ChildMissing", "1 of 2 children doesn't exist yet"],
    ["missing children", [undefined, undefined], "ChildMissing", "2 of 2 children don't exist yet"],
    ["a failed child", [undefined, busy, broken], "ChildFailed", "Broken a: no image"],
  ])("with %s", (_, children, reason, message) => {
    const object = game();
    expect(setStatusFromChildren(object, children)).toBe(true);
    expect(object.status?.conditions?.find(({ type }) => type === "Ready")).toMatchObject({ reason, message });
    expect(setStatusFromChildren(object, children)).toBe(false);
  });
});
