import type { JsonObject } from "@kubewright/cel/json";
import { timestamp } from "../../../model/metadata.ts";
import {
  type Condition,
  type Container,
  type ContainerStatus,
  conditionOf,
  type Pod,
  type PodStatus,
} from "../common/objects.ts";
import { type ContainerRun, imageId, type PodProcess, stateOf } from "./process.ts";
import { simulationOf } from "./simulation.ts";

/** The addresses of a Pod. */
export interface PodAddresses {
  pod: string;
  host: string;
}

/**
 * Describes the state of the containers as the kubelet does.
 *
 * @param pod - the Pod
 * @param process - its containers
 * @param addresses - its addresses
 * @param now - the time in milliseconds
 * @returns the status, with the conditions that others have set
 */
export function podStatusOf(pod: Pod, process: PodProcess, addresses: PodAddresses, now: number): PodStatus {
  const { spec, status = {}, metadata } = pod;
  const phase = phaseOf(pod, process);
  const notReady = simulationOf(pod).simulation.fail === "not-ready";
  const { failContainer } = simulationOf(pod).simulation;
  const isReady = (run: ContainerRun): boolean =>
    run.kind === "init"
      ? run.state === "exited" && run.exit.code === 0
      : run.state === "running" && !(notReady && (failContainer ?? run.name) === run.name);
  const statusesOf = (containers: readonly Container[] | undefined): ContainerStatus[] =>
    (containers ?? []).map((container) => {
      const run = process.runs.find(({ name }) => name === container.name) as ContainerRun;
      return containerStatus(container, run, isReady(run));
    });
  const generation = metadata.generation ?? 1;
  const hasSandbox = process.runs.some(({ state }) => state !== "waiting") || process.runs.some(({ id }) => id !== "");
  const unready = process.runs.filter((run) => run.kind !== "init" && !isReady(run)).map(({ name }) => name);
  const containersReady = readyCondition("ContainersReady", phase, unready);
  const ready = containersReady.status === "True" ? gatesCondition(pod) : { ...containersReady, type: "Ready" };
  const conditions = [
    { type: "PodReadyToStartContainers", status: hasSandbox && !isOver(phase) ? "True" : "False" },
    initializedCondition(phase, process),
    ready,
    containersReady,
  ].map((condition) => withTimes(condition, status, timestamp(now), generation));
  if (process.end?.reason === "Evicted") {
    const { message } = process.end;
    const disrupted = { type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet", message };
    conditions.unshift(withTimes(disrupted, status, timestamp(now), generation));
  }
  const own = new Set(conditions.map(({ type }) => type));
  const others = (status.conditions ?? []).filter(({ type }) => !own.has(type));
  const initStatuses = statusesOf(spec.initContainers);
  return {
    ...status,
    observedGeneration: generation,
    phase,
    ...(process.end === undefined ? {} : { reason: process.end.reason, message: process.end.message }),
    conditions: [...conditions, ...others],
    hostIP: addresses.host,
    hostIPs: [{ ip: addresses.host }],
    ...(hasSandbox ? { podIP: addresses.pod, podIPs: [{ ip: addresses.pod }] } : {}),
    startTime: status.startTime ?? timestamp(now),
    ...(initStatuses.length > 0 ? { initContainerStatuses: initStatuses } : {}),
    containerStatuses: statusesOf(spec.containers),
  };
}

function isOver(phase: string): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

function phaseOf({ spec }: Pod, process: PodProcess): string {
  if (process.end !== undefined) return "Failed";
  const apps = process.runs.filter(({ kind }) => kind === "app");
  const succeeded = apps.every(({ state, exit }) => state === "exited" && exit.code === 0);
  if (process.stopped) return succeeded ? "Succeeded" : "Failed";
  const policy = spec.restartPolicy ?? "Always";
  if (!process.initialized) {
    const failed = process.runs.some(
      ({ kind, state, exit }) => kind === "init" && state === "exited" && exit.code !== 0,
    );
    return failed && policy === "Never" ? "Failed" : "Pending";
  }
  if (apps.some(({ state, last }) => state === "waiting" && last.terminated === undefined)) return "Pending";
  if (apps.some(({ state }) => state !== "exited") || policy === "Always") return "Running";
  if (succeeded) return "Succeeded";
  return policy === "Never" ? "Failed" : "Running";
}

function containerStatus({ resources }: Container, run: ContainerRun, ready: boolean): ContainerStatus {
  const ran = run.id !== "";
  return {
    ...(ran ? { containerID: run.id } : {}),
    image: run.image,
    imageID: ran ? imageId(run.image) : "",
    lastState: run.last,
    name: run.name,
    ready,
    ...(resources === undefined ? {} : { resources }),
    restartCount: run.restarts,
    started: run.kind === "init" ? false : run.state === "running",
    state: stateOf(run),
  };
}

function readyCondition(type: string, phase: string, unready: readonly string[]): Condition {
  if (phase === "Succeeded") return { type, status: "False", reason: "PodCompleted" };
  if (phase === "Failed") return { type, status: "False", reason: "PodFailed" };
  if (unready.length === 0) return { type, status: "True" };
  const message = `containers with unready status: [${unready.join(" ")}]`;
  return { type, status: "False", reason: "ContainersNotReady", message };
}

/** The condition of a Pod whose containers are ready. Others may have to agree. */
function gatesCondition({ spec, status }: Pod): Condition {
  const gates = (spec.readinessGates ?? []) as { conditionType: string }[];
  const problems = gates.flatMap(({ conditionType }) => {
    const condition = conditionOf(status, conditionType);
    const quoted = JSON.stringify(conditionType);
    if (condition === undefined) return [`corresponding condition of pod readiness gate ${quoted} does not exist.`];
    if (condition.status === "True") return [];
    return [`the status of pod readiness gate ${quoted} is not "True", but ${condition.status}`];
  });
  if (problems.length === 0) return { type: "Ready", status: "True" };
  return { type: "Ready", status: "False", reason: "ReadinessGatesNotReady", message: problems.join(", ") };
}

function initializedCondition(phase: string, process: PodProcess): Condition {
  if (phase === "Succeeded") return { type: "Initialized", status: "True", reason: "PodCompleted" };
  const incomplete = process.runs.filter(
    ({ kind, state, exit }) =>
      (kind === "init" && !(state === "exited" && exit.code === 0)) || (kind === "sidecar" && state === "waiting"),
  );
  const started = process.runs.some(({ kind, state }) => kind === "app" && state !== "waiting");
  if (started || incomplete.length === 0) return { type: "Initialized", status: "True" };
  const message = `containers with incomplete status: [${incomplete.map(({ name }) => name).join(" ")}]`;
  return { type: "Initialized", status: "False", reason: "ContainersNotInitialized", message };
}

function withTimes(condition: Condition, status: PodStatus, time: string, observedGeneration: number): Condition {
  const before = conditionOf(status, condition.type);
  const since = before?.status === condition.status ? (before.lastTransitionTime ?? time) : time;
  const complete: Condition & JsonObject = { ...condition, observedGeneration };
  return { ...complete, lastProbeTime: null, lastTransitionTime: since };
}
