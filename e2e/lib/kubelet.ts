import { setTimeout as sleep } from "node:timers/promises";
import type { Kubectl } from "./kubectl.ts";

const ready = {
  status: {
    phase: "Running",
    conditions: ["Initialized", "ContainersReady", "Ready", "PodScheduled"].map((type) => ({ type, status: "True" })),
  },
};

interface PodList {
  items: { metadata: { name: string; namespace: string; deletionTimestamp?: string }; status?: { phase?: string } }[];
}

/** Says of each Pod what a kubelet would: it runs and is ready. Ends when the signal aborts. */
export async function playKubelet(kubectl: Kubectl, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { code, stdout } = await kubectl.attempt("get", "pods", "--all-namespaces", "-o", "json");
    // While the API server is down there is nothing to say.
    const pods: PodList = code === 0 ? JSON.parse(stdout) : { items: [] };
    for (const { metadata, status } of pods.items) {
      if (status?.phase === "Running" || metadata.deletionTimestamp) continue;
      const patch = ["--subresource=status", "--type=merge", "-p", JSON.stringify(ready)];
      await kubectl.attempt("patch", "pod", metadata.name, "--namespace", metadata.namespace, ...patch);
    }
    await sleep(200, undefined, { signal }).catch(() => {});
  }
}
