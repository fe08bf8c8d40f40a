import { setTimeout as pause } from "node:timers/promises";
import type { RunOptions } from "./programs.ts";

/** Runs kubectl and returns its stdout if `capture` is set. */
export type Kubectl = (args: readonly string[], options?: RunOptions) => Promise<string>;

/** The part of an applied object that the rollout needs. */
export interface AppliedObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly state?: Readonly<Record<string, { readonly reason?: string; readonly message?: string } | undefined>>;
  readonly lastState?: {
    readonly terminated?: { readonly exitCode: number; readonly reason?: string; readonly message?: string };
  };
}

interface Pod {
  readonly metadata: AppliedObject["metadata"];
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly Condition[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}

/**
 * Waits until the CRDs are served and the Deployments are ready. Prints the reasons if they aren't.
 *
 * @param objects the applied objects, from the API server
 * @param timeout the maximum duration of a rollout, such as `3m`
 * @returns the names of the Deployments whose rollout failed
 */
export async function waitUntilReady(
  kubectl: Kubectl,
  objects: readonly AppliedObject[],
  timeout: string,
  print: (text: string) => void,
): Promise<string[]> {
  const crds = objects.filter(({ kind }) => kind === "CustomResourceDefinition").map(({ metadata }) => metadata.name);
  if (crds.length > 0) {
    await kubectl(["wait", "crd", ...crds, "--for=condition=Established", "--timeout=60s"]);
  }
  const failed: string[] = [];
  for (const { kind, metadata } of objects) {
    if (kind !== "Deployment") continue;
    const { name, namespace } = metadata;
    if (!(await isObserved(kubectl, name, namespace))) {
      print(`Not waiting for the rollout of ${name}: this cluster has no Deployment controller.\n`);
      continue;
    }
    try {
      await kubectl(["rollout", "status", `deployment/${name}`, "-n", namespace, `--timeout=${timeout}`]);
    } catch {
      failed.push(name);
      print(await explain(kubectl, name, namespace));
    }
  }
  return failed;
}

/** Reports whether a controller has observed the Deployment within 10 seconds. */
async function isObserved(kubectl: Kubectl, name: string, namespace: string): Promise<boolean> {
  for (let tries = 0; tries < 20; tries++) {
    const args = ["get", "deployment", name, "-n", namespace, "-o", "jsonpath={.status.observedGeneration}"];
    if ((await kubectl(args, { capture: true })) !== "") return true;
    await pause(500);
  }
  return false;
}

/** Describes the conditions of the Deployment, the state of its Pods, and warning events. */
async function explain(kubectl: Kubectl, name: string, namespace: string): Promise<string> {
  const get = async (...args: string[]) =>
    JSON.parse(await kubectl(["get", ...args, "-n", namespace, "-o", "json"], { capture: true }));
  const deployment = await get("deployment", name);
  const lines = [`${namespace}/${name} isn't ready:`];
  for (const { type, status, reason, message } of (deployment.status?.conditions ?? []) as Condition[]) {
    if (status !== (type === "ReplicaFailure" ? "False" : "True")) lines.push(`  ${type}: ${reason}: ${message}`);
  }
  const labels = Object.entries(deployment.spec.selector.matchLabels).map((pair) => pair.join("="));
  const pods = (await get("pods", "-l", labels.join(","))).items as Pod[];
  if (pods.length === 0) lines.push("  No Pods found.");
  for (const pod of pods) lines.push(...(await explainPod(kubectl, pod)));
  const names = new Set([name, ...pods.map(({ metadata }) => metadata.name)]);
  for (const { type, reason, message, involvedObject } of (await get("events")).items) {
    const ours = names.has(involvedObject.name) || involvedObject.name.startsWith(`${name}-`);
    if (type !== "Normal" && ours) lines.push(`  ${involvedObject.kind} ${involvedObject.name}: ${reason}: ${message}`);
  }
  return `${lines.join("\n")}\n`;
}

async function explainPod(kubectl: Kubectl, { metadata, status }: Pod): Promise<string[]> {
  const lines = [`  Pod ${metadata.name}: ${status?.phase}`];
  for (const { type, status: holds, reason, message } of status?.conditions ?? []) {
    if (holds !== "True" && message) lines.push(`    ${type}: ${reason}: ${message}`);
  }
  const { initContainerStatuses = [], containerStatuses = [] } = status ?? {};
  for (const container of [...initContainerStatuses, ...containerStatuses]) {
    if (!container.ready) lines.push(...(await explainContainer(kubectl, metadata, container)));
  }
  return lines;
}

/** Describes why a container isn't ready, with the last lines of its log. */
async function explainContainer(
  kubectl: Kubectl,
  { name: pod, namespace }: AppliedObject["metadata"],
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
    const args = ["logs", pod, "-n", namespace, "-c", name, "--tail=15", ...previous];
    const log = (await kubectl(args, { capture: true })).trimEnd();
    if (log !== "") lines.push("      last lines of its log:", log.replace(/^/gm, "        "));
  } catch {
    // kubectl has printed the reason.
  }
  return lines;
}
