import { expect, it } from "vitest";
import { groupVersion } from "../api/kind.ts";
import { fakeClient, testContext } from "../testing/index.ts";
import { asReconciler } from "./as-reconciler.ts";

const Pod = groupVersion("", "v1").kind("Pod", { plural: "pods", scope: "Namespaced" });

it("asReconciler passes the object of a request to the function, and skips missing objects", async () => {
  const client = fakeClient({ objects: [{ apiVersion: "v1", kind: "Pod", metadata: { namespace: "ns", name: "p" } }] });
  const seen: string[] = [];
  const reconciler = asReconciler(client, Pod, {
    async reconcile(_ctx, pod) {
      seen.push(pod.metadata.name);
      return { requeueAfter: 5 };
    },
  });
  expect(await reconciler.reconcile(testContext(), { namespace: "ns", name: "p" })).toEqual({ requeueAfter: 5 });
  expect(await reconciler.reconcile(testContext(), { namespace: "ns", name: "gone" })).toBeUndefined();
  expect(seen).toEqual(["p"]);
  const broken = { ...client, get: () => Promise.reject(new Error("no route")) } as typeof client;
  const failing = asReconciler(broken, Pod, { reconcile: async () => {} });
  await expect(failing.reconcile(testContext(), { namespace: "ns", name: "p" })).rejects.toThrow("no route");
});
