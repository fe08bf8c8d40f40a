import { setTimeout as pause } from "node:timers/promises";
import type { ClusterObject, Kubectl } from "./kubectl.ts";
import { TaskError } from "./task-error.ts";

interface RolloutOptions {
  /** The maximum duration of a rollout, such as `3m`. */
  readonly timeout: string;
  /** Prints text on stderr. */
  print(text: string): void;
}

/**
 * Waits until the CRDs are served and the Deployments are ready. Prints the reasons if they aren't.
 *
 * @param objects the applied objects, from the API server
 * @returns the names of the Deployments whose rollout failed
 */
export async function waitUntilReady(
  kubectl: Kubectl,
  objects: readonly ClusterObject[],
  { timeout, print }: RolloutOptions,
): Promise<string[]> {
  const crds = objects.filter(({ kind }) => kind === "CustomResourceDefinition").map(({ metadata }) => metadata.name);
  if (crds.length > 0) await kubectl.run(["wait", "crd", ...crds, "--for=condition=Established", "--timeout=60s"]);
  const failed: string[] = [];
  for (const { kind, metadata } of objects) {
    if (kind !== "Deployment") continue;
    const { name, namespace = "default" } = metadata;
    if (!(await isObserved(kubectl, name, namespace))) {
      print(`Not waiting for the rollout of ${name}: this cluster has no Deployment controller.\n`);
      continue;
    }
    if (await isRolledOut(kubectl, name, namespace, timeout)) continue;
    failed.push(name);
    print(await explanation(kubectl, name, namespace));
  }
  return failed;
}

/** Reports whether a controller has observed the Deployment within 10 seconds. */
async function isObserved(kubectl: Kubectl, name: string, namespace: string): Promise<boolean> {
  for (let tries = 0; tries < 20; tries++) {
    const args = ["get", "deployment", name, "-n", namespace, "-o", "jsonpath={.status.observedGeneration}"];
    if ((await kubectl.get(args)) !== "") return true;
    await pause(500);
  }
  return false;
}

async function isRolledOut(kubectl: Kubectl, name: string, namespace: string, timeout: string): Promise<boolean> {
  try {
    await kubectl.run(["rollout", "status", `deployment/${name}`, "-n", namespace, `--timeout=${timeout}`]);
    return true;
  } catch (error) {
    if (isInterrupt(error)) throw error;
    return false;
  }
}

function isInterrupt(error: unknown): boolean {
  return error instanceof TaskError && error.id === "interrupted";
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

interface ContainerEnd {
  readonly exitCode?: number;
  readonly reason?: string;
  readonly message?: string;
}

interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly state?: Readonly<Record<string, ContainerEnd>>;
  readonly lastState?: { readonly terminated?: ContainerEnd };
}

interface Pod {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly Condition[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}

/** Describes the conditions of the Deployment, the state of its Pods, and warning events. */
async function explanation(kubectl: Kubectl, name: string, namespace: string): Promise<string> {
  const get = async (...args: string[]) =>
    JSON.parse(await kubectl.get(["get", ...args, "-n", namespace, "-o", "json"]));
  const deployment = await get("deployment", name);
  const lines = [`${namespace}/${name} isn't ready:`];
  for (const { type, status, reason, message } of (deployment.status?.conditions ?? []) as Condition[]) {
    if (status !== (type === "ReplicaFailure" ? "False" : "True")) lines.push(`  ${type}: ${reason}: ${message}`);
  }
  const labels = Object.entries(deployment.spec.selector.matchLabels).map((pair) => pair.join("="));
  const pods: Pod[] = (await get("pods", "-l", labels.join(","))).items;
  if (pods.length === 0) lines.push("  No Pods found.");
  for (const pod of pods) lines.push(...(await podLines(kubectl, pod)));
  const names = new Set([name, ...pods.map(({ metadata }) => metadata.name)]);
  const { items: events } = await get("events");
  for (const { type, reason, message, involvedObject } of events) {
    const ours = names.has(involvedObject.name) || involvedObject.name.startsWith(`${name}-`);
    if (type !== "Normal" && ours) lines.push(`  ${involvedObject.kind} ${involvedObject.name}: ${reason}: ${message}`);
  }
  return `${lines.join("\n")}\n`;
}

async function podLines(kubectl: Kubectl, { metadata, status = {} }: Pod): Promise<string[]> {
  const lines = [`  Pod ${metadata.name}: ${status.phase}`];
  for (const { type, status: is, reason, message } of status.conditions ?? []) {
    if (is !== "True" && message) lines.push(`    ${type}: ${reason}: ${message}`);
  }
  const { initContainerStatuses = [], containerStatuses = [] } = status;
  for (const container of [...initContainerStatuses, ...containerStatuses]) {
    if (!container.ready) lines.push(...(await containerLines(kubectl, metadata, container)));
  }
  return lines;
}

/** Describes why a container isn't ready, with the last lines of its log. */
async function containerLines(
  kubectl: Kubectl,
  { name: pod, namespace }: Pod["metadata"],
  { name, state, lastState, restartCount }: ContainerStatus,
): Promise<string[]> {
  const [[word, what] = ["waiting", undefined]] = Object.entries(state ?? {});
  const end = lastState?.terminated;
  const join = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(": ");
  const lines = [`    ${join(`container ${name} is ${word} (${restartCount} restarts)`, what?.reason, what?.message)}`];
  if (end) lines.push(`      ${join(`last exit code ${end.exitCode}`, end.reason, end.message)}`);
  if (word === "waiting" && !end) return lines;
  const previous = word === "waiting" ? ["--previous"] : [];
  try {
    const log = (await kubectl.get(["logs", pod, "-n", namespace, "-c", name, "--tail=15", ...previous])).trimEnd();
    if (log !== "") lines.push("      last lines of its log:", log.replace(/^/gm, "        "));
  } catch (error) {
    if (isInterrupt(error)) throw error;
    // kubectl has printed the reason.
  }
  return lines;
}
