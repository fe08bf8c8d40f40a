import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "./eventually.ts";
import type { Kubectl } from "./kubectl.ts";

interface Pod {
  metadata: { name: string; namespace: string; deletionTimestamp?: string };
  spec: { containers: { name: string; image: string }[] };
  status?: { phase?: string };
}

interface PodList {
  items: Pod[];
}

const isTrue = (type: string) => ({ type, status: "True" });

/** The status of a Pod that runs and is ready. */
const ready = ({ spec }: Pod) => ({
  phase: "Running",
  conditions: ["Initialized", "ContainersReady", "Ready", "PodScheduled"].map(isTrue),
  containerStatuses: spec.containers.map(({ name, image }) => ({
    ...{ name, image, imageID: image, ready: true, started: true, restartCount: 0 },
    state: { running: { startedAt: new Date().toISOString() } },
  })),
});

/** Says of each Pod that is new what a kubelet would: it runs and is ready. Ends when the signal aborts. */
export async function playKubelet(kubectl: Kubectl, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { code, stdout } = await kubectl.attempt("get", "pods", "--all-namespaces", "-o", "json");
    // While the API server is down there is nothing to say.
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
