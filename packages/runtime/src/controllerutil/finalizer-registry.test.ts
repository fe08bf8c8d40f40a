import { describe, expect, it } from "vitest";
import type { KubernetesObject, ObjectMeta } from "../api/index.ts";
import { testContext } from "../testing/test-context.ts";
import { FinalizersFailedError, newFinalizers } from "./finalizer-registry.ts";

const object = (metadata: ObjectMeta): KubernetesObject => ({ apiVersion: "v1", kind: "Pod", metadata });
const deletionTimestamp = "2026-01-01T00:00:00Z";
const ctx = testContext();

describe("the finalizer registry", () => {
  it("K12: adds missing finalizers to an object that isn't being deleted, and runs none", async () => {
    const never = { finalize: () => Promise.reject(new Error("it lives")) };
    const finalizers = newFinalizers().register("a/1", never).register("a/2", never);
    const pod = object({ name: "p", finalizers: ["other/x", "a/2"] });
    expect(await finalizers.finalize(ctx, pod)).toEqual({ updated: true, statusUpdated: false });
    expect(pod.metadata?.finalizers).toEqual(["other/x", "a/2", "a/1"]);
    expect(await finalizers.finalize(ctx, pod)).toEqual({ updated: false, statusUpdated: false });
  });

  it("K12: runs the finalizers of a deleted object in order, and removes each after its success", async () => {
    const ran: string[] = [];
    const finalizers = newFinalizers()
      .register("a/1", { finalize: async () => void ran.push("1") })
      .register("a/2", {
        finalize: async () => {
          ran.push("2");
          return { statusUpdated: true };
        },
      })
      .register("a/3", { finalize: async () => void ran.push("3") });
    const pod = object({ name: "p", finalizers: ["a/2", "other/x", "a/1"], deletionTimestamp });
    expect(await finalizers.finalize(ctx, pod)).toEqual({ updated: true, statusUpdated: true });
    expect([ran, pod.metadata?.finalizers]).toEqual([["1", "2"], ["other/x"]]);
    expect(await finalizers.finalize(ctx, pod)).toEqual({ updated: false, statusUpdated: false });
  });

  it("K12: keeps a failed finalizer, runs the others, and throws an error with the required updates", async () => {
    const finalizers = newFinalizers()
      .register("a/1", { finalize: () => Promise.reject(new Error("no answer")) })
      .register("a/2", { finalize: async () => {} })
      .register("a/3", {
        finalize: () => {
          throw new Error("broken");
        },
      });
    const pod = object({ name: "p", finalizers: ["a/1", "a/2", "a/3"], deletionTimestamp });
    const error = await finalizers.finalize(ctx, pod).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(FinalizersFailedError);
    expect(error).toMatchObject({ updated: true, statusUpdated: false });
    expect(String(error)).toMatch(/a\/1 failed: Error: no answer; finalizer a\/3 failed: Error: broken/);
    expect(pod.metadata?.finalizers).toEqual(["a/1", "a/3"]);
  });

  it("K12: rejects a key that is registered already", () => {
    const some = { finalize: async () => {} };
    expect(() => newFinalizers().register("a/1", some).register("a/1", some)).toThrow("already registered");
  });
});
