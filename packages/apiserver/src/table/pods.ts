import type { Json, JsonObject } from "@kubewright/cel/json";
import {
  age,
  conditionOf,
  formatLabels,
  nameOf,
  numberAt,
  objectAt,
  objectsAt,
  since,
  textAt,
  valueAt,
} from "./fields.ts";

/** Returns the names and the images of containers, each as a list. */
export function containerCells(podSpec: JsonObject | undefined): [names: string, images: string] {
  const containers = objectsAt(podSpec, "containers");
  const list = (key: string): string => containers.map((container) => textAt(container, key)).join(",");
  return [list("name"), list("image")];
}

export function podTemplateCells(template: JsonObject): Json[] {
  return [
    nameOf(template),
    ...containerCells(objectAt(template, "template", "spec")),
    formatLabels(objectAt(template, "template", "metadata", "labels")),
  ];
}

/** The columns of a Pod that come from its containers. */
interface Progress {
  reason: string;
  ready: number;
  restarts: number;
  /** The time of the last restart; empty without one. */
  lastRestart: string;
}

export function podCells(pod: JsonObject, now: number): Json[] {
  const spec = objectAt(pod, "spec");
  const status = objectAt(pod, "status");
  const sidecars = new Set(
    objectsAt(spec, "initContainers")
      .filter((container) => container.restartPolicy === "Always")
      .map((container) => textAt(container, "name")),
  );
  const total = objectsAt(spec, "containers").length + countSidecars(spec);
  const { reason, ready, restarts, lastRestart } = progressOf(spec, status, sidecars);
  const restartText =
    restarts !== 0 && lastRestart !== "" ? `${restarts} (${since(lastRestart, now)} ago)` : `${restarts}`;
  return [
    nameOf(pod),
    `${ready}/${total}`,
    statusOf(pod, reason),
    restartText,
    age(pod, now),
    textAt(objectsAt(status, "podIPs")[0] ?? { ip: textAt(status, "podIP") }, "ip") || "<none>",
    textAt(spec, "nodeName") || "<none>",
    textAt(status, "nominatedNodeName") || "<none>",
    readinessGates(spec, status),
  ];
}

function countSidecars(spec: JsonObject | undefined): number {
  return objectsAt(spec, "initContainers").filter((container) => container.restartPolicy === "Always").length;
}

/** Returns the conditions of the row: a Pod that has ended is shown differently by some clients. */
export function podRowConditions(pod: JsonObject): Json[] | undefined {
  const phase = textAt(pod, "status", "phase");
  if (phase !== "Succeeded" && phase !== "Failed") return undefined;
  const message = phase === "Failed" ? "The pod failed." : "The pod has completed successfully.";
  return [{ type: "Completed", status: "True", reason: phase, message }];
}

function statusOf(pod: JsonObject, reason: string): string {
  if (valueAt(pod, "metadata", "deletionTimestamp") === undefined) return reason;
  if (textAt(pod, "status", "reason") === "NodeLost") return "Unknown";
  return ["Failed", "Succeeded"].includes(textAt(pod, "status", "phase")) ? reason : "Terminating";
}

function progressOf(spec: JsonObject | undefined, status: JsonObject | undefined, sidecars: Set<string>): Progress {
  const conditions = objectsAt(status, "conditions");
  const isGated = conditions.some(({ type, reason }) => type === "PodScheduled" && reason === "SchedulingGated");
  const reason = isGated ? "SchedulingGated" : textAt(status, "reason") || textAt(status, "phase");
  const init = initProgress(spec, status, sidecars, reason);
  if (init.initializing && textAt(conditionOf(conditions, "Initialized"), "status") !== "True") return init.all;
  const isReady = conditions.some((condition) => condition.type === "Ready" && condition.status === "True");
  return mainProgress(status, { ...init.all, ...init.sidecars }, isReady);
}

function initProgress(
  spec: JsonObject | undefined,
  status: JsonObject | undefined,
  sidecars: Set<string>,
  reason: string,
): { initializing: boolean; all: Progress; sidecars: Pick<Progress, "restarts" | "lastRestart"> } {
  const all: Progress = { reason, ready: 0, restarts: 0, lastRestart: "" };
  const ofSidecars = { restarts: 0, lastRestart: "" };
  const statuses = objectsAt(status, "initContainerStatuses");
  for (const [index, container] of statuses.entries()) {
    const isSidecar = sidecars.has(textAt(container, "name"));
    countRestarts(all, container);
    if (isSidecar) countRestarts(ofSidecars, container);
    const terminated = objectAt(container, "state", "terminated");
    if (terminated !== undefined && numberAt(terminated, "exitCode") === 0) continue;
    if (isSidecar && container.started === true) {
      if (container.ready === true) all.ready++;
      continue;
    }
    const waiting = textAt(container, "state", "waiting", "reason");
    if (terminated !== undefined) all.reason = `Init:${endOf(terminated)}`;
    else if (waiting !== "" && waiting !== "PodInitializing") all.reason = `Init:${waiting}`;
    else all.reason = `Init:${index}/${objectsAt(spec, "initContainers").length}`;
    return { initializing: true, all, sidecars: ofSidecars };
  }
  return { initializing: false, all, sidecars: ofSidecars };
}

function mainProgress(status: JsonObject | undefined, progress: Progress, isReady: boolean): Progress {
  let hasRunning = false;
  let failure = "";
  for (const container of objectsAt(status, "containerStatuses").reverse()) {
    countRestarts(progress, container);
    const waiting = textAt(container, "state", "waiting", "reason");
    const terminated = objectAt(container, "state", "terminated");
    if (waiting !== "") progress.reason = waiting;
    else if (terminated !== undefined) {
      progress.reason = endOf(terminated);
      if (numberAt(terminated, "exitCode") !== 0) failure = progress.reason;
    } else if (container.ready === true && objectAt(container, "state", "running") !== undefined) {
      hasRunning = true;
      progress.ready++;
    }
  }
  if (progress.reason === "Completed") {
    if (hasRunning && isReady) progress.reason = "Running";
    else if (failure !== "") progress.reason = failure;
    else if (hasRunning) progress.reason = "NotReady";
  }
  return progress;
}

function countRestarts(into: { restarts: number; lastRestart: string }, container: JsonObject): void {
  into.restarts += numberAt(container, "restartCount");
  const finished = textAt(container, "lastState", "terminated", "finishedAt");
  if (finished !== "" && (into.lastRestart === "" || Date.parse(into.lastRestart) < Date.parse(finished)))
    into.lastRestart = finished;
}

function endOf(terminated: JsonObject): string {
  const reason = textAt(terminated, "reason");
  if (reason !== "") return reason;
  const signal = numberAt(terminated, "signal");
  return signal === 0 ? `ExitCode:${numberAt(terminated, "exitCode")}` : `Signal:${signal}`;
}

function readinessGates(spec: JsonObject | undefined, status: JsonObject | undefined): string {
  const gates = objectsAt(spec, "readinessGates");
  if (gates.length === 0) return "<none>";
  const conditions = objectsAt(status, "conditions");
  const met = gates.filter(
    (gate) => textAt(conditionOf(conditions, textAt(gate, "conditionType")), "status") === "True",
  );
  return `${met.length}/${gates.length}`;
}
