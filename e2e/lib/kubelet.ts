import { setTimeout as sleep } from "node:timers/promises";
import type { Kubectl } from "../../scripts/test-support/kubectl.ts";
import { eventually } from "./eventually.ts";

interface Pod {
  metadata: { name: string; namespace: string; deletionTimestamp?: string };
  spec: { containers: { name: string; image: string }[] };
  status?: { phase?: string };
}

interface PodList {
  items: Pod[];
}

const isTrue = (type: string) => ({ type, status: "True" });

/** The status of a running and ready Pod. */
const ready = ({ spec }: Pod) => ({
  phase: "Running",
  conditions: ["Initialized", "ContainersReady", "Ready", "PodScheduled"].map(isTrue),
  containerStatuses: spec.containers.map(({ name, image }) => ({
    ...{ name, image, imageID: image, ready: true, started: true, restartCount: 0 },
    state: { running: { startedAt: new Date().toISOString() } },
  })),
});

/** Sets the status of each new Pod to running and ready, as a kubelet would. Ends when the signal aborts. */
export async function simulateKubelet(kubectl: Kubectl, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { code, stdout } = await kubectl.attempt("get", "pods", "--all-namespaces", "-o", "json");
    // Do nothing while the API server is unavailable.
    const pods: PodList = code === 0 ? JSON.parse(stdout) : { items: [] };
    for (const pod of pods.items) {
      const { metadata, status } = pod;
      if (status?.phase !== "Pending" || metadata.deletionTimestamp || signal.aborted) continue;
      const args = ["pod", metadata.name, "--namespace", metadata.namespace];
      await kubectl.attempt("patch", ...args, ...statusPatch({ status: ready(pod) }));
    }
    await sleep(200, undefined, { signal }).catch(() => {});
  }
}

/** Sets the status of a Job's Pods to that of ended containers, as a kubelet would. Waits for them to run first. */
export async function endPodsOf(kubectl: Kubectl, job: string, phase: "Succeeded" | "Failed"): Promise<void> {
  const pods = await eventually(async () => {
    const list: PodList = JSON.parse(await kubectl.run("get", "pods", "-l", `job-name=${job}`, "-o", "json"));
    const phases = list.items.map(({ status }) => status?.phase);
    if (phases.length > 0 && phases.every((phase) => phase === "Running")) return list.items;
    throw new Error(`the Pods of Job ${job} don't run: ${phases.join(", ") || "there are none"}`);
  });
  for (const { metadata } of pods)
    await kubectl.run("patch", "pod", metadata.name, ...statusPatch({ status: { phase } }));
}

function statusPatch(status: object): string[] {
  return ["--subresource=status", "--type=merge", "-p", JSON.stringify(status)];
}
