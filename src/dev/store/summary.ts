import type { Condition, ObjectSummary } from "@kubewright/dashboard/protocol";
import type { KubeObject } from "../client/kube-client.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Returns the summary of an object. `children` is added by the tree. */
export function summaryOf(object: KubeObject, own: boolean): ObjectSummary {
  const { apiVersion = "", kind = "", metadata = {} } = object;
  const spec = fieldsOf(object.spec);
  const status = fieldsOf(object.status);
  const conditions = conditionsOf(status.conditions);
  const replicas = numberOf(spec.replicas);
  return {
    apiVersion,
    kind,
    namespace: metadata.namespace ?? "",
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    ready: readiness(kind, spec, status, conditions, metadata.generation),
    owners: (metadata.ownerReferences ?? []).map(({ uid }) => uid),
    children: [],
    generation: metadata.generation ?? null,
    observedGeneration: numberOf(status.observedGeneration) ?? null,
    conditions,
    resourceVersion: metadata.resourceVersion ?? "",
    creationTimestamp: metadata.creationTimestamp ?? "",
    deleting: metadata.deletionTimestamp !== undefined,
    own,
    ...(replicas === undefined ? {} : { replicas }),
  };
}

function readiness(
  kind: string,
  spec: Fields,
  status: Fields,
  conditions: readonly Condition[],
  generation: number | undefined,
): boolean | null {
  const observed = numberOf(status.observedGeneration);
  const isObserved = observed === undefined || generation === undefined || observed >= generation;
  const desired = numberOf(spec.replicas) ?? 1;
  switch (kind) {
    case "Deployment":
      return (
        isObserved &&
        (numberOf(status.availableReplicas) ?? 0) >= desired &&
        (numberOf(status.updatedReplicas) ?? 0) >= desired
      );
    case "ReplicaSet":
    case "StatefulSet":
    case "ReplicationController":
      return isObserved && (numberOf(status.readyReplicas) ?? 0) >= desired;
    case "DaemonSet":
      return isObserved && (numberOf(status.numberReady) ?? 0) >= (numberOf(status.desiredNumberScheduled) ?? 0);
    case "Job":
      return hasCondition(conditions, "Complete") ?? (hasCondition(conditions, "Failed") === true ? false : null);
    case "Pod":
      return status.phase === "Succeeded" || hasCondition(conditions, "Ready") === true;
    case "PersistentVolumeClaim":
      return status.phase === "Bound";
  }
  const condition = hasCondition(conditions, "Ready") ?? hasCondition(conditions, "Available");
  return condition === undefined ? null : condition && isObserved;
}

function hasCondition(conditions: readonly Condition[], type: string): boolean | undefined {
  const condition = conditions.find((one) => one.type === type);
  return condition && condition.status === "True";
}

function conditionsOf(value: unknown): Condition[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    const { type, status, reason, message, lastTransitionTime } = fieldsOf(one);
    if (typeof type !== "string" || typeof status !== "string") return [];
    return [
      {
        type,
        status,
        ...(typeof reason === "string" ? { reason } : {}),
        ...(typeof message === "string" ? { message } : {}),
        ...(typeof lastTransitionTime === "string" ? { lastTransitionTime } : {}),
      },
    ];
  });
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
