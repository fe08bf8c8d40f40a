import type { JsonObject } from "../json/object.ts";
import { conditionsOf, integerAt, integerOr, listAt, type ReadCondition, textOr, UnreadableError } from "./fields.ts";
import { current, failed, inProgress, type StatusResult } from "./result.ts";

/** Computes the status of an object of one kind. */
type Rule = (object: JsonObject, now: Date) => StatusResult;

/** How long a Pod may wait for a node, in milliseconds. */
const schedulingTime = 15_000;

/** The number by which Deployments express that they have no deadline. */
const noDeadline = 2 ** 31 - 1;

const alwaysReady: Rule = () => current("Resource is always ready");

const service: Rule = (object) =>
  textOr(object, "spec.type", "ClusterIP") === "LoadBalancer" && textOr(object, "spec.clusterIP", "") === ""
    ? inProgress("NoIPAssigned", "ClusterIP not set. Service type: LoadBalancer")
    : current("Service is ready");

const persistentVolumeClaim: Rule = (object) => {
  const phase = textOr(object, "status.phase", "unknown");
  return phase === "Bound" ? current("PVC is Bound") : inProgress("NotBound", `PVC is not Bound. phase: ${phase}`);
};

const podDisruptionBudget: Rule = () => current("AllowedDisruptions has been computed.");

const pod: Rule = (object, now) => {
  const conditions = conditionsOf(object);
  const phase = textOr(object, "status.phase", "");
  switch (phase) {
    case "Succeeded":
      return current("Pod has completed successfully");
    case "Failed":
      return current("Pod has completed, but not successfully");
    case "Running":
      return runningPod(object, conditions);
    case "Pending": {
      const unscheduled = conditions.find(({ type, status }) => type === "PodScheduled" && status === "False");
      if (unscheduled?.reason !== "Unschedulable") return inProgress("PodPending", "Pod is in the Pending phase");
      return now.getTime() - schedulingTime < createdAt(object)
        ? inProgress("PodNotScheduled", "Pod has not been scheduled")
        : failed("PodUnschedulable", "Pod could not be scheduled");
    }
    case "":
      return inProgress("PodNotObserved", "Pod phase not available");
    default:
      throw new UnreadableError(`unknown phase ${phase}`);
  }
};

function runningPod(object: JsonObject, conditions: readonly ReadCondition[]): StatusResult {
  if (conditions.some(({ type, status }) => type === "Ready" && status === "True")) return current("Pod is Ready");
  const crashing = listAt(object, "status.containerStatuses").flatMap((container) => {
    const reason = textOr({ container }, "container.state.waiting.reason", "");
    return reason === "CrashLoopBackOff" ? [textOr({ container }, "container.name", "")] : [];
  });
  return crashing.length > 0
    ? failed("ContainerCrashLooping", `Containers in CrashLoop state: ${crashing.join(",")}`)
    : inProgress("PodRunningNotReady", "Pod is running but is not Ready");
}

/** Returns the time of creation in milliseconds since 1970; objects without one are infinitely old. */
function createdAt(object: JsonObject): number {
  const text = textOr(object, "metadata.creationTimestamp", "");
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}

const statefulSet: Rule = (object) => {
  if (textOr(object, "spec.updateStrategy.type", "") === "OnDelete") {
    return current("StatefulSet is using the ondelete update strategy");
  }
  const wanted = integerOr(object, "spec.replicas", 1);
  const { replicas, readyReplicas, currentReplicas, updatedReplicas } = countsOf(object);
  const partition = integerOr(object, "spec.updateStrategy.rollingUpdate.partition", -1);
  if (wanted > replicas) return inProgress("LessReplicas", `Replicas: ${replicas}/${wanted}`);
  if (wanted > readyReplicas) return inProgress("LessReady", `Ready: ${readyReplicas}/${wanted}`);
  if (replicas > wanted) return inProgress("ExtraPods", `Pending termination: ${replicas - wanted}`);
  if (partition !== -1) {
    return updatedReplicas < wanted - partition
      ? inProgress("PartitionRollout", `updated: ${updatedReplicas}/${wanted - partition}`)
      : current(`Partition rollout complete. updated: ${updatedReplicas}`);
  }
  if (wanted > currentReplicas) return inProgress("LessCurrent", `current: ${currentReplicas}/${wanted}`);
  const revision = (name: string) => textOr(object, `status.${name}`, "");
  return revision("currentRevision") === revision("updateRevision")
    ? current(`All replicas scheduled as expected. Replicas: ${replicas}`)
    : inProgress("RevisionMismatch", "Waiting for updated revision to match current");
};

const deployment: Rule = (object) => {
  let isProgressing = integerOr(object, "spec.progressDeadlineSeconds", noDeadline) === noDeadline;
  let isAvailable = false;
  for (const { type, status, reason } of conditionsOf(object)) {
    if (type === "Progressing" && reason === "ProgressDeadlineExceeded") {
      return failed(reason, "Progress deadline exceeded");
    }
    if (type === "Progressing" && status === "True" && reason === "NewReplicaSetAvailable") isProgressing = true;
    if (type === "Available" && status === "True") isAvailable = true;
  }
  const wanted = integerOr(object, "spec.replicas", 1);
  const { replicas, readyReplicas, updatedReplicas, availableReplicas } = countsOf(object);
  if (wanted > replicas) return inProgress("LessReplicas", `Replicas: ${replicas}/${wanted}`);
  if (wanted > updatedReplicas) return inProgress("LessUpdated", `Updated: ${updatedReplicas}/${wanted}`);
  if (replicas > wanted) return inProgress("ExtraPods", `Pending termination: ${replicas - wanted}`);
  if (updatedReplicas > availableReplicas) {
    return inProgress("LessAvailable", `Available: ${availableReplicas}/${updatedReplicas}`);
  }
  if (wanted > readyReplicas) return inProgress("LessReady", `Ready: ${readyReplicas}/${wanted}`);
  if (!isProgressing) return inProgress("ReplicaSetNotAvailable", "ReplicaSet not Available");
  if (!isAvailable) return inProgress("DeploymentNotAvailable", "Deployment not Available");
  return current(`Deployment is available. Replicas: ${replicas}`);
};

const replicaSet: Rule = (object) => {
  if (conditionsOf(object).some(({ type, status }) => type === "ReplicaFailure" && status === "True")) {
    return inProgress("ReplicaFailure", "Replica Failure condition. Check Pods");
  }
  const wanted = integerOr(object, "spec.replicas", 1);
  const { replicas, readyReplicas, availableReplicas, fullyLabeledReplicas } = countsOf(object);
  if (wanted > fullyLabeledReplicas) return inProgress("LessLabelled", `Labelled: ${fullyLabeledReplicas}/${wanted}`);
  if (wanted > availableReplicas) return inProgress("LessAvailable", `Available: ${availableReplicas}/${wanted}`);
  if (wanted > readyReplicas) return inProgress("LessReady", `Ready: ${readyReplicas}/${wanted}`);
  if (replicas > wanted) return inProgress("ExtraPods", `Pending termination: ${replicas - wanted}`);
  return current(`ReplicaSet is available. Replicas: ${replicas}`);
};

const daemonSet: Rule = (object) => {
  const kind = textOr(object, "kind", "");
  if (integerAt(object, "metadata.generation") === undefined) {
    return inProgress("NoGeneration", `${kind} metadata.generation not found`);
  }
  if (integerAt(object, "status.observedGeneration") === undefined) {
    return inProgress("NoObservedGeneration", `${kind} status.observedGeneration not found`);
  }
  const wanted = integerOr(object, "status.desiredNumberScheduled", -1);
  const number = (name: string) => integerOr(object, `status.${name}`, 0);
  if (wanted === -1) return inProgress("NoDesiredNumber", "Missing .status.desiredNumberScheduled");
  const required = [
    ["LessCurrent", "Current", number("currentNumberScheduled")],
    ["LessUpdated", "Updated", number("updatedNumberScheduled")],
    ["LessAvailable", "Available", number("numberAvailable")],
    ["LessReady", "Ready", number("numberReady")],
  ] as const;
  for (const [reason, what, actual] of required) {
    if (wanted > actual) return inProgress(reason, `${what}: ${actual}/${wanted}`);
  }
  return current(`All replicas scheduled as expected. Replicas: ${wanted}`);
};

const job: Rule = (object) => {
  const completions = integerOr(object, "spec.completions", integerOr(object, "spec.parallelism", 1));
  const [succeeded, active, failures] = ["succeeded", "active", "failed"].map((name) =>
    integerOr(object, `status.${name}`, 0),
  );
  for (const { type, status } of conditionsOf(object)) {
    if (status !== "True") continue;
    if (type === "Complete") return current(`Job Completed. succeeded: ${succeeded}/${completions}`);
    if (type === "Failed") return failed("JobFailed", `Job Failed. failed: ${failures}/${completions}`);
  }
  return textOr(object, "status.startTime", "") === ""
    ? inProgress("JobNotStarted", "Job not started")
    : current(`Job in progress. success:${succeeded}, active: ${active}, failed: ${failures}`);
};

const customResourceDefinition: Rule = (object) => {
  for (const { type, status, reason, message } of conditionsOf(object)) {
    if (type === "NamesAccepted" && status === "False") return failed(reason, message);
    if (type !== "Established") continue;
    if (status === "False" && reason !== "Installing") return failed(reason, message);
    if (status === "True") return current("CRD is established");
  }
  return inProgress("Installing", "Install in progress");
};

function countsOf(object: JsonObject) {
  const count = (name: string) => integerOr(object, `status.${name}`, 0);
  return {
    replicas: count("replicas"),
    readyReplicas: count("readyReplicas"),
    currentReplicas: count("currentReplicas"),
    updatedReplicas: count("updatedReplicas"),
    availableReplicas: count("availableReplicas"),
    fullyLabeledReplicas: count("fullyLabeledReplicas"),
  };
}

/** The rules by group and kind. */
export const rulesOfKinds: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["Service", service],
  ["Pod", pod],
  ["Secret", alwaysReady],
  ["PersistentVolumeClaim", persistentVolumeClaim],
  ["apps/StatefulSet", statefulSet],
  ["apps/DaemonSet", daemonSet],
  ["extensions/DaemonSet", daemonSet],
  ["apps/Deployment", deployment],
  ["extensions/Deployment", deployment],
  ["apps/ReplicaSet", replicaSet],
  ["extensions/ReplicaSet", replicaSet],
  ["policy/PodDisruptionBudget", podDisruptionBudget],
  ["batch/CronJob", alwaysReady],
  ["ConfigMap", alwaysReady],
  ["batch/Job", job],
  ["apiextensions.k8s.io/CustomResourceDefinition", customResourceDefinition],
]);
