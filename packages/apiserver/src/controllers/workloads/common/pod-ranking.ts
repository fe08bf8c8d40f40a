import { conditionOf, type Pod, timeOf } from "./objects.ts";
import { isReady } from "./pods.ts";

const phases: Record<string, number> = { Pending: 0, Unknown: 1, Running: 2 };
const costAnnotation = "controller.kubernetes.io/pod-deletion-cost";

/**
 * Chooses the Pods to delete, as ReplicaSets do: first those that work least, then those on crowded nodes, then the youngest.
 *
 * @param pods - all Pods of the set
 * @param related - the Pods that count for how crowded a node is
 * @param count - how many to delete
 * @param now - the time in milliseconds
 * @returns the chosen Pods
 */
export function podsToDelete(pods: readonly Pod[], related: readonly Pod[], count: number, now: number): Pod[] {
  if (count >= pods.length) return [...pods];
  const onNode = new Map<string, number>();
  for (const { spec } of related) onNode.set(spec.nodeName ?? "", (onNode.get(spec.nodeName ?? "") ?? 0) + 1);
  const rank = (pod: Pod): number => onNode.get(pod.spec.nodeName ?? "") ?? 0;
  return [...pods].sort((a, b) => compare(a, b, rank, now)).slice(0, count);
}

/** Compares two Pods: the one to delete first is less. */
function compare(a: Pod, b: Pod, rank: (pod: Pod) => number, now: number): number {
  const readyA = isReady(a);
  const readyB = isReady(b);
  const rules: (() => number)[] = [
    () => Number(Boolean(a.spec.nodeName)) - Number(Boolean(b.spec.nodeName)),
    () => phaseOf(a) - phaseOf(b),
    () => Number(readyA) - Number(readyB),
    () => costOf(a) - costOf(b),
    () => rank(b) - rank(a),
    () => (readyA && readyB ? younger(readySince(a), readySince(b), a, b, now) : 0),
    () => restartsOf(b) - restartsOf(a),
    () => younger(timeOf(a.metadata.creationTimestamp), timeOf(b.metadata.creationTimestamp), a, b, now),
  ];
  for (const rule of rules) {
    const result = rule();
    if (result !== 0) return result;
  }
  return 0;
}

function phaseOf({ status }: Pod): number {
  return phases[status?.phase ?? "Pending"] ?? 0;
}

function costOf({ metadata }: Pod): number {
  const cost = metadata.annotations?.[costAnnotation] ?? "0";
  return /^-?(0|[1-9]\d*)$/.test(cost) ? Number(cost) : 0;
}

function readySince(pod: Pod): number {
  return timeOf(conditionOf(pod.status, "Ready")?.lastTransitionTime);
}

function restartsOf({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}

/** Ages count by their order of magnitude, so that not all Pods of one rollout go before older ones. */
function younger(timeA: number, timeB: number, a: Pod, b: Pod, now: number): number {
  if (timeA === timeB) return 0;
  const difference = magnitude(now - timeA) - magnitude(now - timeB);
  if (difference !== 0) return difference;
  return (a.metadata.uid as string) < (b.metadata.uid as string) ? -1 : 1;
}

function magnitude(age: number): number {
  return age <= 0 ? -1 : Math.floor(Math.log2(age * 1e6));
}
