import type { Condition, ObjectSummary } from "@kubewright/dashboard/protocol";
import { decidedStatus, type KStatus } from "@kubewright/runtime/kstatus";
import type { KubeObject } from "../client/kube-client.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Returns the summary of an object. `children` is added by the tree. */
export function summaryOf(object: KubeObject, own: boolean): ObjectSummary {
  const { apiVersion = "", kind = "", metadata = {} } = object;
  const spec = fieldsOf(object.spec);
  const status = fieldsOf(object.status);
  const conditions = conditionsOf(status.conditions);
  const replicas = numberOf(spec.replicas);
  const state = decidedStatus(object);
  return {
    apiVersion,
    kind,
    namespace: metadata.namespace ?? "",
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    ready: readiness(object, state?.status ?? null, status.phase, conditions),
    status: state?.status ?? null,
    statusMessage: state === undefined ? "" : state.message || state.reason,
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

/**
 * Returns whether an object is ready. Two states differ from kstatus, where Pods and Jobs that have ended or run are current: a failed
 * Pod isn't ready, and a running Job is neither.
 */
function readiness(
  object: KubeObject,
  status: KStatus | null,
  phase: unknown,
  conditions: readonly Condition[],
): boolean | null {
  if (status === null) return hasCondition(conditions, "Available") ?? null;
  if (status !== "Current") return false;
  if (object.apiVersion === "v1" && object.kind === "Pod" && phase === "Failed") return false;
  const isJob = object.apiVersion === "batch/v1" && object.kind === "Job";
  if (isJob && hasCondition(conditions, "Complete") !== true) return null;
  return true;
}

function hasCondition(conditions: readonly Condition[], type: string): boolean | undefined {
  const condition = conditions.find((condition) => condition.type === type);
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
