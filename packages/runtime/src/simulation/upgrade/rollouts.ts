import type { KubernetesObject } from "../../api/index.ts";
import { type FieldDifference, fieldDifferences } from "../../json/field-path.ts";

const workloads: ReadonlySet<string> = new Set([
  "apps/Deployment",
  "apps/StatefulSet",
  "apps/DaemonSet",
  "apps/ReplicaSet",
  "/ReplicationController",
]);
/** Kinds of which each field of the spec belongs to the running Pods. */
const fixed: ReadonlySet<string> = new Set(["apps/StatefulSet", "apps/DaemonSet"]);

interface WorkloadSpec {
  readonly template?: unknown;
  readonly replicas?: unknown;
}

/**
 * Finds the changes of a workload that restart Pods, or change their number.
 *
 * @param type - the kind, as `group/kind`
 * @param before - the workload before
 * @param after - the workload after
 */
export function rolloutChanges(type: string, before: KubernetesObject, after: KubernetesObject): FieldDifference[] {
  if (!workloads.has(type)) return [];
  const [old = {}, now = {}] = [before, after].map((object) => (object as { spec?: WorkloadSpec }).spec);
  if (fixed.has(type)) return fieldDifferences(old, now, ["spec"]);
  return [
    ...fieldDifferences(old.template, now.template, ["spec", "template"]),
    ...fieldDifferences(old.replicas, now.replicas, ["spec", "replicas"]),
  ];
}

/** Whether a Pod is ready. */
export function isReadyPod(object: KubernetesObject): boolean {
  const { conditions = [] } = (object as { status?: { conditions?: { type: string; status: string }[] } }).status ?? {};
  return conditions.some(({ type, status }) => type === "Ready" && status === "True");
}

/** Returns the names of the claims that a Pod uses. */
export function claimsOf(object: KubernetesObject): string[] {
  const { volumes = [] } =
    (object as { spec?: { volumes?: { persistentVolumeClaim?: { claimName: string } }[] } }).spec ?? {};
  return volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
}
