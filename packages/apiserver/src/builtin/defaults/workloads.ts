import type { JsonObject } from "@kubewright/cel/json";
import { type ApiObject, DecodeError } from "../../model/resource.ts";
import { parseInt64 } from "../../request/go-integer.ts";
import { defaultClaim } from "./claim.ts";
import type { Defaulter } from "./defaulter.ts";
import { defaultPodTemplate } from "./pod.ts";
import { ensureObject, objectAt, objectsAt, setDefaults, setPointers } from "./values.ts";

const forever = 2 ** 31 - 1;

const templateGeneration = "deprecated.daemonset.template.generation";
const rollback = "deprecated.deployment.rollback.to";

/** Reads a number of older versions, which version 1 has in an annotation, and writes it as the conversion to version 1. */
function convertNumber(object: ApiObject, key: string, prefix: (text: string) => string): void {
  const { annotations = {} } = object.metadata;
  const text = annotations[key];
  if (text === undefined) return;
  const number = parseInt64(text);
  if (number.problem !== undefined) throw new DecodeError(`${prefix(text)}${number.problem}`);
  annotations[key] = String(number.value);
}

function convertRollback({ metadata }: ApiObject): void {
  if (metadata.annotations?.[rollback] === "") delete metadata.annotations[rollback];
}

function defaultDeployment(deployment: ApiObject): void {
  convertRollback(deployment);
  convertNumber(deployment, rollback, (text) => `failed to parse annotation[${rollback}]=${text} as int64: `);
  const spec = ensureObject(deployment, "spec");
  setDefaults(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  const strategy = ensureObject(spec, "strategy");
  setDefaults(strategy, { type: "RollingUpdate" });
  if (strategy.type === "RollingUpdate") {
    setPointers(ensureObject(strategy, "rollingUpdate"), { maxUnavailable: "25%", maxSurge: "25%" });
  }
  zeroRollingUpdate(strategy, { maxUnavailable: 0, maxSurge: 0 });
  defaultPodTemplate(spec);
}

/** In the internal type, the fields of a rolling update aren't pointers, and so they come back from it as zeros. */
function zeroRollingUpdate(strategy: JsonObject, zeros: Readonly<Record<string, number>>): void {
  const rolling = objectAt(strategy, "rollingUpdate");
  if (rolling !== undefined) setPointers(rolling, zeros);
}

function defaultDaemonSet(set: ApiObject): void {
  // The conversion from the internal type shows a field of older versions, and so its writers own it.
  set.metadata.annotations ??= {};
  set.metadata.annotations[templateGeneration] ??= "0";
  convertNumber(set, templateGeneration, () => "");
  const spec = ensureObject(set, "spec");
  setDefaults(spec, { revisionHistoryLimit: 10 });
  const strategy = ensureObject(spec, "updateStrategy");
  setDefaults(strategy, { type: "RollingUpdate" });
  if (strategy.type === "RollingUpdate") {
    setPointers(ensureObject(strategy, "rollingUpdate"), { maxUnavailable: 1, maxSurge: 0 });
  }
  zeroRollingUpdate(strategy, { maxUnavailable: 0, maxSurge: 0 });
  defaultPodTemplate(spec);
}

function defaultStatefulSet(set: ApiObject): void {
  const spec = ensureObject(set, "spec");
  setDefaults(spec, {
    podManagementPolicy: "OrderedReady",
    replicas: 1,
    revisionHistoryLimit: 10,
    persistentVolumeClaimRetentionPolicy: {},
  });
  const strategy = ensureObject(spec, "updateStrategy");
  if (strategy.type === undefined || strategy.type === "") {
    strategy.type = "RollingUpdate";
    ensureObject(strategy, "rollingUpdate");
  }
  zeroRollingUpdate(strategy, { partition: 0 });
  const rolling = objectAt(strategy, "rollingUpdate");
  if (strategy.type === "RollingUpdate" && rolling !== undefined) setPointers(rolling, { maxUnavailable: 1 });
  setDefaults(ensureObject(spec, "persistentVolumeClaimRetentionPolicy"), {
    whenDeleted: "Retain",
    whenScaled: "Retain",
  });
  for (const claim of objectsAt(spec, "volumeClaimTemplates")) {
    // The server always returns the type of these objects, for the clients that compare them.
    Object.assign(claim, { apiVersion: "v1", kind: "PersistentVolumeClaim" });
    defaultClaim(claim);
  }
  defaultPodTemplate(spec);
}

function defaultReplicaSet(set: ApiObject): void {
  const spec = ensureObject(set, "spec");
  setDefaults(spec, { replicas: 1 });
  defaultPodTemplate(spec);
}

/** Sets the defaults of a Job. */
function defaultJob(job: ApiObject): void {
  const spec = ensureObject(job, "spec");
  const labels = objectAt(objectAt(objectAt(spec, "template"), "metadata"), "labels");
  if (labels !== undefined && Object.keys(job.metadata.labels ?? {}).length === 0) {
    job.metadata.labels = { ...labels } as Record<string, string>;
  }
  defaultJobSpec(spec);
  if (spec.completions === undefined && spec.parallelism === undefined) setDefaults(spec, { completions: 1 });
  setPointers(spec, {
    parallelism: 1,
    backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : forever,
    completionMode: "NonIndexed",
    suspend: false,
    podReplacementPolicy: spec.podFailurePolicy === undefined ? "TerminatingOrFailed" : "Failed",
    manualSelector: false,
  });
}

function defaultJobSpec(spec: JsonObject): void {
  for (const rule of objectsAt(objectAt(spec, "podFailurePolicy"), "rules")) {
    for (const condition of objectsAt(rule, "onPodConditions")) setDefaults(condition, { status: "True" });
  }
  defaultPodTemplate(spec);
}

function defaultCronJob(job: ApiObject): void {
  const spec = ensureObject(job, "spec");
  setDefaults(spec, {
    concurrencyPolicy: "Allow",
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  });
  const template = ensureObject(spec, "jobTemplate");
  ensureObject(template, "metadata");
  defaultJobSpec(ensureObject(template, "spec"));
}

/** The defaults of the groups apps and batch. */
export const workloadDefaults: Readonly<Record<string, Defaulter>> = {
  "apps/v1/DaemonSet": defaultDaemonSet,
  "apps/v1/Deployment": defaultDeployment,
  "apps/v1/ReplicaSet": defaultReplicaSet,
  "apps/v1/StatefulSet": defaultStatefulSet,
  "batch/v1/CronJob": defaultCronJob,
  "batch/v1/Job": defaultJob,
};
