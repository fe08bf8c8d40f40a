import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "./eventually.ts";
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

/** Says of each Pod that is new what a kubelet would: it runs and is ready. Ends when the signal aborts. */
export async function playKubelet(kubectl: Kubectl, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { code, stdout } = await kubectl.attempt("get", "pods", "--all-namespaces", "-o", "json");
    // While the API server is down there is nothing to say.
    const pods: PodList = code === 0 ? JSON.parse(stdout) : { items: [] };
    for (const { metadata, status } of pods.items) {
      if (status?.phase !== "Pending" || metadata.deletionTimestamp) continue;
      await kubectl.attempt("patch", "pod", metadata.name, "--namespace", metadata.namespace, ...statusPatch(ready));
    }
    await sleep(200, undefined, { signal }).catch(() => {});
  }
}

/** Says of a Job's Pods what a kubelet would when their containers have ended. Waits for them to run: none can end before. */
export async function endPodsOf(kubectl: Kubectl, job: string, phase: "Succeeded" | "Failed"): Promise<void> {
  const pods = await eventually(async () => {
    const list: PodList = JSON.parse(await kubectl.run("get", "pods", "-l", `job-name=${job}`, "-o", "json"));
    const phases = list.items.map(({ status }) => status?.phase);
    if (phases.length > 0 && phases.every((each) => each === "Running")) return list.items;
    throw new Error(`the Pods of Job ${job} don't run: ${phases.join(", ") || "there are none"}`);
  });
  for (const { metadata } of pods)
    await kubectl.run("patch", "pod", metadata.name, ...statusPatch({ status: { phase } }));
}

function statusPatch(status: object): string[] {
  return ["--subresource=status", "--type=merge", "-p", JSON.stringify(status)];
}
