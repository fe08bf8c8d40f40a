import { cloneJson, equalJson, type Json, type JsonObject } from "@kubewright/cel/json";
import type { Informer } from "../../client/informer.ts";
import { SystemClient } from "../../client/system-client.ts";
import { WorkQueue } from "../../client/work-queue.ts";
import { selectorOfObject } from "../../request/selector-object.ts";
import { claimObjects } from "./common/claims.ts";
import type { WorkloadContext } from "./common/context.ts";
import { EventRecorder } from "./common/events.ts";
import {
  byCreation,
  controllerOf,
  keyOf,
  type Pod,
  type PodSpec,
  type PodTemplate,
  scaledAmount,
} from "./common/objects.ts";
import { nodeName } from "./common/pod-capacity.ts";
import { isReady, PodControl, podFromTemplate, untilAvailable } from "./common/pods.ts";
import { type Revised, RevisionHistory } from "./common/revision-history.ts";
import type { Node } from "./pod/node.ts";
import { misfitOf } from "./pod/placement.ts";

const hashLabel = "controller-revision-hash";
const generationLabel = "pod-template-generation";
const generationAnnotation = "deprecated.daemonset.template.generation";
const firstBackOff = 1000;
const longestBackOff = 900_000;

interface DaemonSet extends Revised {
  spec: Revised["spec"] & {
    minReadySeconds?: number;
    updateStrategy?: JsonObject & {
      type?: string;
      rollingUpdate?: JsonObject & { maxSurge?: Json; maxUnavailable?: Json };
    };
  };
}

/** Runs a Pod of each DaemonSet on the simulated node. */
export class DaemonSetController {
  readonly #context: WorkloadContext;
  readonly #client: SystemClient;
  readonly #events: EventRecorder;
  readonly #pods: PodControl;
  readonly #history: RevisionHistory;
  readonly #informer: Informer<DaemonSet>;
  readonly #nodes: Informer<Node>;
  readonly #queue: WorkQueue;
  /** Until when failed Pods stay, by the UIDs of the sets. */
  readonly #backOffs = new Map<string, { until: number; next: number }>();

  /** @param context - what the controllers share */
  constructor(context: WorkloadContext) {
    const { engine } = context;
    this.#context = context;
    this.#client = new SystemClient(engine, "daemon-set-controller");
    this.#events = new EventRecorder(engine, this.#client, { component: "daemonset-controller" });
    this.#pods = new PodControl(context, this.#client, this.#events);
    this.#history = new RevisionHistory(context, this.#client);
    this.#queue = new WorkQueue(engine, (key) => this.#sync(key));
    this.#informer = context.informer<DaemonSet>("apps", "daemonsets");
    this.#nodes = context.informer<Node>("", "nodes");
    this.#informer.onChange((set, old) => {
      if (set !== undefined) this.#queue.add(keyOf(set));
      else if (old !== undefined) {
        this.#queue.forget(keyOf(old));
        this.#backOffs.delete(old.metadata.uid as string);
      }
    });
    context.pods.onChange((pod, old) => {
      for (const state of [pod, old]) {
        const owner = state && controllerOf(state);
        if (owner?.kind === "DaemonSet") this.#queue.add(`${state?.metadata.namespace}/${owner.name}`);
      }
    });
    this.#nodes.onChange((node, old) => {
      if (equalJson(node?.spec ?? null, old?.spec ?? null) && equalJson(labelsOf(node), labelsOf(old))) return;
      for (const set of this.#informer.all()) this.#queue.add(keyOf(set));
    });
  }

  async #sync(key: string): Promise<void> {
    const set = this.#informer.byKey(key);
    if (set === undefined || set.metadata.deletionTimestamp !== undefined) return;
    const selector = selectorOfObject(set.spec.selector);
    if (selector.length === 0) return;
    const candidates = this.#context.podsOf(set, true);
    const pods = await claimObjects(this.#client, this.#context.pods.type, set, selector, candidates);
    const revisions = await this.#history.list(set);
    const { revision } = await this.#history.ensure(set, revisions, hashLabel, set.status?.collisionCount ?? 0);
    const hash = revision.metadata.labels?.[hashLabel] ?? "";
    const problem = await this.#manage(set, pods, hash).then(
      () => undefined,
      (error: Error) => error,
    );
    const live = new Set([hash, ...pods.map((pod) => pod.metadata.labels?.[hashLabel])]);
    const old = (await this.#history.list(set)).filter(({ metadata }) => metadata.name !== revision.metadata.name);
    await this.#history.truncate(set, old, ({ metadata }) => live.has(metadata.labels?.[hashLabel]));
    await this.#updateStatus(set, hash);
    if (problem !== undefined) throw problem;
  }

  #node(): Node | undefined {
    return this.#nodes.get("", nodeName);
  }

  #shouldRun(set: DaemonSet): boolean {
    const node = this.#node();
    const pod = this.#podOf(set, "");
    if (node === undefined || (pod.spec.nodeName && pod.spec.nodeName !== nodeName)) return false;
    return misfitOf(pod, node) === undefined;
  }

  async #manage(set: DaemonSet, pods: readonly Pod[], hash: string): Promise<void> {
    const shouldRun = this.#shouldRun(set);
    const present = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined).sort(byCreation);
    if (!shouldRun) {
      for (const pod of present) await this.#pods.delete(set, pod);
      return;
    }
    const running: Pod[] = [];
    for (const pod of present) {
      if (await this.#removeEnded(set, pod)) continue;
      running.push(pod);
    }
    const { rollingUpdate } = set.spec.updateStrategy ?? {};
    const surges = scaledAmount(rollingUpdate?.maxSurge, 1, true) > 0;
    const waitsForDeletion = !surges && pods.length > 0;
    if (running.length === 0) {
      if (!waitsForDeletion) await this.#pods.create(set, this.#podOf(set, hash));
      return;
    }
    const updated = running.filter((pod) => this.#isUpdated(set, pod, hash));
    const outdated = running.filter((pod) => !updated.includes(pod));
    for (const pod of [...updated.slice(1), ...outdated.slice(1)]) await this.#pods.delete(set, pod);
    const [current] = updated;
    const [old] = outdated;
    if (old === undefined) return;
    const replaced = current !== undefined && (this.#isAvailable(set, current) || !isReady(old));
    if (replaced || (current !== undefined && !surges)) {
      await this.#pods.delete(set, old);
    } else if (current === undefined && set.spec.updateStrategy?.type === "RollingUpdate") {
      if (surges) await this.#pods.create(set, this.#podOf(set, hash));
      else await this.#pods.delete(set, old);
    }
  }

  /** Deletes a Pod that has ended. Returns false if it hasn't. */
  async #removeEnded(set: DaemonSet, pod: Pod): Promise<boolean> {
    const { phase } = pod.status ?? {};
    const what = `daemon pod ${keyOf(pod)} on node ${nodeName}`;
    if (phase === "Succeeded") {
      this.#events.normal(set, "SucceededDaemonPod", `Found succeeded ${what}, will try to delete it`);
      await this.#pods.delete(set, pod);
      return true;
    }
    if (phase !== "Failed") return false;
    const uid = set.metadata.uid as string;
    const now = this.#context.elapsed();
    const backOff = this.#backOffs.get(uid) ?? { until: now, next: firstBackOff };
    if (now < backOff.until) {
      this.#queue.addAfter(keyOf(set), backOff.until - now);
      return true;
    }
    this.#backOffs.set(uid, { until: now + backOff.next, next: Math.min(longestBackOff, backOff.next * 2) });
    this.#events.warning(set, "FailedDaemonPod", `Found failed ${what}, will try to kill it`);
    await this.#pods.delete(set, pod);
    return true;
  }

  #isUpdated({ metadata }: DaemonSet, pod: Pod, hash: string): boolean {
    const generation = metadata.annotations?.[generationAnnotation];
    const labels = pod.metadata.labels ?? {};
    return labels[hashLabel] === hash || (generation !== undefined && labels[generationLabel] === generation);
  }

  #isAvailable(set: DaemonSet, pod: Pod): boolean {
    return untilAvailable(pod, set.spec.minReadySeconds ?? 0, this.#context.now()) === 0;
  }

  #podOf(set: DaemonSet, hash: string): Pod {
    const template: PodTemplate = cloneJson(set.spec.template);
    const generation = set.metadata.annotations?.[generationAnnotation];
    template.metadata = {
      ...template.metadata,
      labels: {
        ...template.metadata?.labels,
        ...(generation === undefined ? {} : { [generationLabel]: generation }),
        [hashLabel]: hash,
      },
    };
    addTolerations(template.spec);
    setNode(template.spec);
    return podFromTemplate(template, set);
  }

  async #updateStatus(set: DaemonSet, hash: string): Promise<void> {
    const pods = this.#context
      .podsOf(set, false)
      .sort((a, b) => Number(Boolean(b.spec.nodeName)) - Number(Boolean(a.spec.nodeName)) || byCreation(a, b));
    const desired = this.#shouldRun(set) ? 1 : 0;
    const pod = desired === 1 ? pods[0] : undefined;
    const available = pod !== undefined && this.#isAvailable(set, pod) ? 1 : 0;
    const updated = pod !== undefined && this.#isUpdated(set, pod, hash) ? 1 : 0;
    const next: JsonObject = {
      ...set.status,
      currentNumberScheduled: pod === undefined ? 0 : 1,
      numberMisscheduled: desired === 0 && pods.length > 0 ? 1 : 0,
      desiredNumberScheduled: desired,
      numberReady: pod !== undefined && isReady(pod) ? 1 : 0,
      observedGeneration: set.metadata.generation ?? 0,
      updatedNumberScheduled: updated,
      numberAvailable: available,
      numberUnavailable: desired - available,
    };
    for (const field of ["updatedNumberScheduled", "numberAvailable", "numberUnavailable"]) {
      if (next[field] === 0) delete next[field];
    }
    if (!equalJson(next, set.status ?? {})) {
      const { namespace, name } = set.metadata as { namespace: string; name: string };
      const id = { type: this.#informer.type, namespace, name };
      await this.#client.update(id, (object) => (object.status = cloneJson(next)), "status");
    }
    const wait = pod && untilAvailable(pod, set.spec.minReadySeconds ?? 0, this.#context.now());
    if (wait) this.#queue.addAfter(keyOf(set), wait);
  }
}

function labelsOf(node: Node | undefined): Json {
  return node?.metadata.labels ?? null;
}

/** Pods of DaemonSets stay on nodes with problems. */
function addTolerations(spec: PodSpec): void {
  const added = [
    { key: "node.kubernetes.io/not-ready", effect: "NoExecute" },
    { key: "node.kubernetes.io/unreachable", effect: "NoExecute" },
    { key: "node.kubernetes.io/disk-pressure", effect: "NoSchedule" },
    { key: "node.kubernetes.io/memory-pressure", effect: "NoSchedule" },
    { key: "node.kubernetes.io/pid-pressure", effect: "NoSchedule" },
    { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" },
    ...(spec.hostNetwork === true ? [{ key: "node.kubernetes.io/network-unavailable", effect: "NoSchedule" }] : []),
  ].map((one) => ({ key: one.key, operator: "Exists", effect: one.effect }));
  const given = (spec.tolerations ?? []) as JsonObject[];
  const others = given.filter(
    (one) => !added.some(({ key, effect }) => one.key === key && one.effect === effect && one.operator === "Exists"),
  );
  spec.tolerations = [...others, ...added];
}

/** Lets the scheduler choose the node. */
function setNode(spec: PodSpec): void {
  const term = { matchFields: [{ key: "metadata.name", operator: "In", values: [nodeName] }] };
  const affinity = (spec.affinity ?? {}) as { nodeAffinity?: JsonObject };
  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  spec.affinity = {
    ...affinity,
    nodeAffinity: {
      ...affinity.nodeAffinity,
      [required]: { ...(affinity.nodeAffinity?.[required] as JsonObject), nodeSelectorTerms: [term] },
    },
  };
}
