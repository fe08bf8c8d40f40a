import type { Json, JsonObject } from "@kubewright/cel/json";
import { humanDuration } from "./duration.ts";
import {
  age,
  conditionOf,
  formatLabels,
  nameOf,
  numberAt,
  objectAt,
  objectsAt,
  shortList,
  since,
  textAt,
  valueAt,
} from "./fields.ts";
import { formatLabelSelector, selectorText } from "./label-selector.ts";
import { containerCells } from "./pods.ts";

function templateCells(object: JsonObject): [string, string] {
  return containerCells(objectAt(object, "spec", "template", "spec"));
}

function selectorCell(object: JsonObject): string {
  return formatLabelSelector(objectAt(object, "spec", "selector"));
}

function replicaCells(object: JsonObject): Json[] {
  return [
    numberAt(object, "spec", "replicas"),
    numberAt(object, "status", "replicas"),
    numberAt(object, "status", "readyReplicas"),
  ];
}

function readyCell(object: JsonObject): string {
  return `${numberAt(object, "status", "readyReplicas")}/${numberAt(object, "spec", "replicas")}`;
}

export function deploymentCells(deployment: JsonObject, now: number): Json[] {
  return [
    nameOf(deployment),
    readyCell(deployment),
    numberAt(deployment, "status", "updatedReplicas"),
    numberAt(deployment, "status", "availableReplicas"),
    age(deployment, now),
    ...templateCells(deployment),
    selectorText(objectAt(deployment, "spec", "selector")) ?? "<invalid>",
  ];
}

export function replicaSetCells(set: JsonObject, now: number): Json[] {
  return [nameOf(set), ...replicaCells(set), age(set, now), ...templateCells(set), selectorCell(set)];
}

export function replicationControllerCells(controller: JsonObject, now: number): Json[] {
  const selector = formatLabels(objectAt(controller, "spec", "selector"));
  return [
    nameOf(controller),
    ...replicaCells(controller),
    age(controller, now),
    ...templateCells(controller),
    selector,
  ];
}

export function statefulSetCells(set: JsonObject, now: number): Json[] {
  return [nameOf(set), readyCell(set), age(set, now), ...templateCells(set)];
}

export function daemonSetCells(set: JsonObject, now: number): Json[] {
  return [
    nameOf(set),
    numberAt(set, "status", "desiredNumberScheduled"),
    numberAt(set, "status", "currentNumberScheduled"),
    numberAt(set, "status", "numberReady"),
    numberAt(set, "status", "updatedNumberScheduled"),
    numberAt(set, "status", "numberAvailable"),
    formatLabels(objectAt(set, "spec", "template", "spec", "nodeSelector")),
    age(set, now),
    ...templateCells(set),
    selectorCell(set),
  ];
}

export function jobCells(job: JsonObject, now: number): Json[] {
  return [
    nameOf(job),
    jobStatus(job),
    completions(job),
    jobDuration(job, now),
    age(job, now),
    ...templateCells(job),
    selectorCell(job),
  ];
}

function completions(job: JsonObject): string {
  const succeeded = numberAt(job, "status", "succeeded");
  const wanted = valueAt(job, "spec", "completions");
  if (wanted !== undefined) return `${succeeded}/${wanted}`;
  const parallelism = numberAt(job, "spec", "parallelism");
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: JsonObject, now: number): string {
  const start = textAt(job, "status", "startTime");
  if (start === "") return "";
  const end = textAt(job, "status", "completionTime");
  return humanDuration((end === "" ? now : Date.parse(end)) - Date.parse(start));
}

function jobStatus(job: JsonObject): string {
  const conditions = objectsAt(job, "status", "conditions");
  const has = (type: string): boolean => textAt(conditionOf(conditions, type), "status") === "True";
  if (has("Complete")) return "Complete";
  if (has("Failed")) return "Failed";
  if (valueAt(job, "metadata", "deletionTimestamp") !== undefined) return "Terminating";
  return ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find(has) ?? "Running";
}

export function cronJobCells(job: JsonObject, now: number): Json[] {
  const template = objectAt(job, "spec", "jobTemplate", "spec");
  const suspend = valueAt(job, "spec", "suspend");
  const last = valueAt(job, "status", "lastScheduleTime");
  return [
    nameOf(job),
    textAt(job, "spec", "schedule"),
    valueAt(job, "spec", "timeZone") ?? "<none>",
    suspend === undefined ? "<unset>" : suspend === true ? "True" : "False",
    objectsAt(job, "status", "active").length,
    last === undefined ? "<none>" : since(last, now),
    age(job, now),
    ...containerCells(objectAt(template, "template", "spec")),
    formatLabelSelector(objectAt(template, "selector")),
  ];
}

export function controllerRevisionCells(revision: JsonObject, now: number): Json[] {
  const owner = objectsAt(revision, "metadata", "ownerReferences").find((one) => one.controller === true);
  return [
    nameOf(revision),
    owner === undefined ? "<none>" : ownerText(owner),
    numberAt(revision, "revision"),
    age(revision, now),
  ];
}

function ownerText(owner: JsonObject): string {
  const [group, version] = textAt(owner, "apiVersion").split("/");
  const kind = version === undefined || group === "" ? textAt(owner, "kind") : `${textAt(owner, "kind")}.${group}`;
  const name = textAt(owner, "name");
  return kind === "" ? name : `${kind.toLowerCase()}/${name}`;
}

export function scaleCells(scale: JsonObject, now: number): Json[] {
  return [nameOf(scale), numberAt(scale, "spec", "replicas"), numberAt(scale, "status", "replicas"), age(scale, now)];
}

export function disruptionBudgetCells(budget: JsonObject, now: number): Json[] {
  return [
    nameOf(budget),
    textAt(budget, "spec", "minAvailable") || "N/A",
    textAt(budget, "spec", "maxUnavailable") || "N/A",
    numberAt(budget, "status", "disruptionsAllowed"),
    age(budget, now),
  ];
}

/** Cells of a HorizontalPodAutoscaler of version v2. */
export function autoscalerCells(autoscaler: JsonObject, now: number): Json[] {
  const spec = objectAt(autoscaler, "spec");
  return [
    nameOf(autoscaler),
    `${textAt(spec, "scaleTargetRef", "kind")}/${textAt(spec, "scaleTargetRef", "name")}`,
    metricsCell(objectsAt(spec, "metrics"), objectsAt(autoscaler, "status", "currentMetrics")),
    String(valueAt(spec, "minReplicas") ?? "<unset>"),
    numberAt(spec, "maxReplicas"),
    numberAt(autoscaler, "status", "currentReplicas"),
    age(autoscaler, now),
  ];
}

function metricsCell(specs: readonly JsonObject[], statuses: readonly JsonObject[]): string {
  if (specs.length === 0) return "<none>";
  return shortList(
    specs.map((spec, index) => metricText(spec, statuses[index])),
    2,
    "",
    ", ",
  );
}

function metricText(spec: JsonObject, status: JsonObject | undefined): string {
  const type = textAt(spec, "type");
  const key = sources[type];
  if (key === undefined) return "<unknown type>";
  const target = objectAt(spec, key, "target");
  const source = objectAt(status, key);
  const current = objectAt(source, "current");
  const average = valueAt(target, "averageValue");
  if (type === "Pods")
    return `${source === undefined ? "<unknown>" : quantity(current, "averageValue")}/${quantity(target, "averageValue")}`;
  if (type === "External" || type === "Object") {
    if (average !== undefined) return `${textAt(current, "averageValue") || "<unknown>"}/${average} (avg)`;
    return `${source === undefined ? "<unknown>" : quantity(current, "value")}/${quantity(target, "value")}`;
  }
  const name = textAt(spec, key, "name");
  if (average !== undefined)
    return `${name}: ${source === undefined ? "<unknown>" : quantity(current, "averageValue")}/${average}`;
  return `${name}: ${percent(current) ?? "<unknown>"}/${percent(target) ?? "<auto>"}`;
}

/** The fields of a metric by its type. */
const sources: Readonly<Record<string, string>> = {
  External: "external",
  Pods: "pods",
  Object: "object",
  Resource: "resource",
  ContainerResource: "containerResource",
};

function quantity(values: JsonObject | undefined, key: string): string {
  return textAt(values, key) || "<nil>";
}

function percent(values: JsonObject | undefined): string | undefined {
  const value = valueAt(values, "averageUtilization");
  return value === undefined ? undefined : `${value}%`;
}
