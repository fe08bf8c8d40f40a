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
// What deploy and undeploy do beyond applying and deleting: they wait, say why it takes long, and leave nothing hanging.
import { setTimeout as pause } from "node:timers/promises";

/**
 * Waits until the CRDs are served and the Deployments run, and tells why they don't.
 *
 * @param kubectl runs kubectl: `(args, { capture, input }) => Promise<stdout>`
 * @param objects what has been applied, as the API server has it
 * @param timeout how long a rollout may take, such as `3m`
 * @returns the names of the Deployments that don't run
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
      console.error(`Nobody in this cluster works on Deployments: the rollout of ${name} isn't waited for.`);
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

/** Whether a controller has seen the Deployment; it has some seconds for that. */
async function isObserved(kubectl, name, namespace) {
  for (let tries = 0; tries < 20; tries++) {
    const args = ["get", "deployment", name, "-n", namespace, "-o", "jsonpath={.status.observedGeneration}"];
    if ((await kubectl(args, { capture: true })) !== "") return true;
    await pause(500);
  }
  return false;
}

/** Shows what the Deployment, its Pods and the events say. */
async function explain(kubectl, name, namespace) {
  const get = async (...args) =>
    JSON.parse(await kubectl(["get", ...args, "-n", namespace, "-o", "json"], { capture: true }));
  const deployment = await get("deployment", name);
  const lines = [`${namespace}/${name} doesn't run:`];
  for (const { type, status, reason, message } of deployment.status?.conditions ?? []) {
    if (status !== (type === "ReplicaFailure" ? "False" : "True")) lines.push(`  ${type}: ${reason}: ${message}`);
  }
  const labels = Object.entries(deployment.spec.selector.matchLabels).map((pair) => pair.join("="));
  const { items: pods } = await get("pods", "-l", labels.join(","));
  if (pods.length === 0) lines.push("  It has no Pods.");
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

/** What a container that isn't ready waits for or died of, with the last lines of its log. */
async function explainContainer(kubectl, { name: pod, namespace }, { name, state, lastState, restartCount }) {
  const [[word, what] = ["waiting"]] = Object.entries(state ?? {});
  const end = lastState?.terminated;
  const join = (...parts) => parts.filter(Boolean).join(": ");
  const lines = [`    ${join(`container ${name} is ${word} (${restartCount} restarts)`, what?.reason, what?.message)}`];
  if (end) lines.push(`      ${join(`it ended with exit code ${end.exitCode}`, end.reason, end.message)}`);
  if (word === "waiting" && !end) return lines;
  const previous = word === "waiting" ? ["--previous"] : [];
  try {
    const args = ["logs", pod, "-n", namespace, "-c", name, "--tail=15", ...previous];
    const log = (await kubectl(args, { capture: true })).trimEnd();
    if (log !== "") lines.push("      the end of its log:", log.replace(/^/gm, "        "));
  } catch {
    // kubectl has said why there is none.
  }
  return lines;
}

/**
 * The objects of the CRDs that hold finalizers: when the manager is gone nobody takes those away, and the CRDs never go.
 *
 * @param crds names of the CRDs
 * @returns their kind, namespace, name and finalizers
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

/** Takes the finalizers of objects away: what they stood for stays undone. */
export async function release(kubectl, held) {
  for (const { resource, name, namespace, finalizers } of held) {
    console.error(
      `${resource} ${namespace ? `${namespace}/` : ""}${name}: without ${finalizers.join(", ")} from now on`,
    );
    const patch = JSON.stringify({ metadata: { finalizers: null } });
    const where = namespace ? ["-n", namespace] : [];
    await kubectl(["patch", resource, name, ...where, "--type=merge", "-p", patch]);
  }
}
