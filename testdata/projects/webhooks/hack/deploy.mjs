/*
Copyright 2026.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/
// Helpers of deploy and undeploy: wait for the rollout, explain why it fails, and handle objects with finalizers.
import { setTimeout as pause } from "node:timers/promises";

/**
 * Waits until the CRDs are served and the Deployments are ready. Prints the reasons if they aren't.
 *
 * @param kubectl runs kubectl: `(args, { capture, input }) => Promise<stdout>`
 * @param objects the applied objects, from the API server
 * @param timeout the maximum duration of a rollout, such as `3m`
 * @returns the names of the Deployments whose rollout failed
 */
export async function waitUntilReady(kubectl, objects, timeout) {
  const crds = objects.filter(({ kind }) => kind === "CustomResourceDefinition").map(({ metadata }) => metadata.name);
  if (crds.length > 0) {
    await kubectl(["wait", "crd", ...crds, "--for=condition=Established", "--timeout=60s"]);
  }
  const failed = [];
  for (const { kind, metadata } of objects) {
    if (kind !== "Deployment") continue;
    const { name, namespace } = metadata;
    if (!(await isObserved(kubectl, name, namespace))) {
      console.error(`Not waiting for the rollout of ${name}: this cluster has no Deployment controller.`);
      continue;
    }
    try {
      await kubectl(["rollout", "status", `deployment/${name}`, "-n", namespace, `--timeout=${timeout}`]);
    } catch {
      failed.push(name);
      await explain(kubectl, name, namespace);
    }
  }
  return failed;
}

/** Reports whether a controller has observed the Deployment within 10 seconds. */
async function isObserved(kubectl, name, namespace) {
  for (let tries = 0; tries < 20; tries++) {
    const args = ["get", "deployment", name, "-n", namespace, "-o", "jsonpath={.status.observedGeneration}"];
    if ((await kubectl(args, { capture: true })) !== "") return true;
    await pause(500);
  }
  return false;
}

/** Prints the conditions of the Deployment, the state of its Pods, and warning events. */
async function explain(kubectl, name, namespace) {
  const get = async (...args) =>
    JSON.parse(await kubectl(["get", ...args, "-n", namespace, "-o", "json"], { capture: true }));
  const deployment = await get("deployment", name);
  const lines = [`${namespace}/${name} isn't ready:`];
  for (const { type, status, reason, message } of deployment.status?.conditions ?? []) {
    if (status !== (type === "ReplicaFailure" ? "False" : "True")) lines.push(`  ${type}: ${reason}: ${message}`);
  }
  const labels = Object.entries(deployment.spec.selector.matchLabels).map((pair) => pair.join("="));
  const { items: pods } = await get("pods", "-l", labels.join(","));
  if (pods.length === 0) lines.push("  No Pods found.");
  for (const pod of pods) {
    lines.push(`  Pod ${pod.metadata.name}: ${pod.status?.phase}`);
    for (const { type, status, reason, message } of pod.status?.conditions ?? []) {
      if (status !== "True" && message) lines.push(`    ${type}: ${reason}: ${message}`);
    }
    const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
    for (const status of [...initContainerStatuses, ...containerStatuses]) {
      if (!status.ready) lines.push(...(await explainContainer(kubectl, pod.metadata, status)));
    }
  }
  const names = new Set([name, ...pods.map(({ metadata }) => metadata.name)]);
  const { items: events } = await get("events");
  for (const { type, reason, message, involvedObject } of events) {
    const ours = names.has(involvedObject.name) || involvedObject.name.startsWith(`${name}-`);
    if (type !== "Normal" && ours) lines.push(`  ${involvedObject.kind} ${involvedObject.name}: ${reason}: ${message}`);
  }
  console.error(lines.join("\n"));
}

/** Describes why a container isn't ready, with the last lines of its log. */
async function explainContainer(kubectl, { name: pod, namespace }, { name, state, lastState, restartCount }) {
  const [[word, what] = ["waiting"]] = Object.entries(state ?? {});
  const end = lastState?.terminated;
  const join = (...parts) => parts.filter(Boolean).join(": ");
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

/**
 * Lists the custom resources that have finalizers. Without the manager, nothing removes these, so the CRDs could never be deleted.
 *
 * @param crds the names of the CRDs
 * @returns the resource, namespace, name and finalizers of each object
 */
export async function heldObjects(kubectl, crds) {
  const held = [];
  const there = await kubectl(["get", "crd", ...crds, "--ignore-not-found", "-o", "name"], { capture: true });
  for (const line of there.split("\n").filter((each) => each !== "")) {
    const resource = line.slice(line.indexOf("/") + 1);
    const { items } = JSON.parse(await kubectl(["get", resource, "--all-namespaces", "-o", "json"], { capture: true }));
    for (const { metadata } of items) {
      const { name, namespace, finalizers = [] } = metadata;
      if (finalizers.length > 0) held.push({ resource, name, namespace, finalizers });
    }
  }
  return held;
}

/** Removes the finalizers of objects. The cleanup that they stand for doesn't happen. */
export async function release(kubectl, held) {
  for (const { resource, name, namespace, finalizers } of held) {
    console.error(`${resource} ${namespace ? `${namespace}/` : ""}${name}: removing ${finalizers.join(", ")}`);
    const patch = JSON.stringify({ metadata: { finalizers: null } });
    const where = namespace ? ["-n", namespace] : [];
    await kubectl(["patch", resource, name, ...where, "--type=merge", "-p", patch]);
  }
}
