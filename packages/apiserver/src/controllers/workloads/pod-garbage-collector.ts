import { SystemClient } from "../../client/system-client.ts";
import { WorkQueue } from "../../client/work-queue.ts";
import type { WorkloadContext } from "./common/context.ts";
import { isTerminal, keyOf, type Pod } from "./common/objects.ts";

/** So many Pods that have ended are kept. Jobs with many completions would use all memory. */
const keptPods = 1000;

/**
 * Deletes the Pods that ended first if there are too many of them.
 *
 * @param context - what the controllers share
 */
export function startPodGarbageCollector(context: WorkloadContext): void {
  const client = new SystemClient(context.engine, "pod-garbage-collector");
  /** The keys of the Pods that have ended, in this order. */
  const ended = new Set<string>();
  const queue = new WorkQueue(context.engine, async (key) => {
    const pod = context.pods.byKey(key);
    if (pod === undefined || !isTerminal(pod)) return;
    const { namespace, name, uid } = pod.metadata as { namespace: string; name: string; uid: string };
    await client.delete({ type: context.pods.type, namespace, name }, uid, undefined, 0);
  });
  context.pods.onChange((pod, old) => {
    const key = keyOf((pod ?? old) as Pod);
    if (pod === undefined || !isTerminal(pod)) {
      ended.delete(key);
      return;
    }
    // Others hold this one by finalizers.
    if (pod.metadata.deletionTimestamp !== undefined || ended.has(key)) return;
    ended.add(key);
    if (ended.size <= keptPods) return;
    const [first] = ended as Iterable<string> as [string];
    ended.delete(first);
    queue.add(first);
  });
}
