import { cloneJson, equalJson, type JsonObject } from "@kubewright/cel/json";
import type { Informer } from "../../client/informer.ts";
import { SystemClient } from "../../client/system-client.ts";
import { WorkQueue } from "../../client/work-queue.ts";
import type { ApiObject } from "../../model/resource.ts";
import { type LabelSelector, matchesLabels } from "../../request/label-selector.ts";
import { selectorOfObject } from "../../request/selector-object.ts";
import { claimObjects } from "./common/claims.ts";
import type { WorkloadContext } from "./common/context.ts";
import { EventRecorder } from "./common/events.ts";
import { type Condition, conditionOf, controllerOf, keyOf, type Pod, type ReplicaSet } from "./common/objects.ts";
import { podsToDelete } from "./common/pod-ranking.ts";
import { isActive, isReady, isTerminating, PodControl, podFromTemplate, untilAvailable } from "./common/pods.ts";

/** At most this many Pods are created or deleted at once. */
const burst = 500;

interface ScaledKind {
  group: string;
  resource: string;
  kind: string;
  controller: string;
  /** True if the status counts Pods that are being deleted. */
  countsTerminating: boolean;
}

const replicaSets: ScaledKind = {
  group: "apps",
  resource: "replicasets",
  kind: "ReplicaSet",
  controller: "replicaset-controller",
  countsTerminating: true,
};

const replicationControllers: ScaledKind = {
  group: "",
  resource: "replicationcontrollers",
  kind: "ReplicationController",
  controller: "replication-controller",
  countsTerminating: false,
};

/** Keeps the number of Pods of ReplicaSets, or of ReplicationControllers. */
class ReplicaSetController {
  readonly #context: WorkloadContext;
  readonly #kind: ScaledKind;
  readonly #client: SystemClient;
  readonly #pods: PodControl;
  readonly #informer: Informer<ReplicaSet>;
  readonly #byNamespace: (namespace: string) => ReplicaSet[];
  readonly #byOwner: (uid: string) => ReplicaSet[];
  readonly #queue: WorkQueue;

  constructor(context: WorkloadContext, kind: ScaledKind) {
    const { engine } = context;
    this.#context = context;
    this.#kind = kind;
    this.#client = new SystemClient(engine, kind.controller);
    this.#pods = new PodControl(
      context,
      this.#client,
      new EventRecorder(engine, this.#client, { component: kind.controller }),
    );
    this.#queue = new WorkQueue(engine, (key) => this.#sync(key));
    this.#informer = context.informer<ReplicaSet>(kind.group, kind.resource);
    this.#byNamespace = this.#informer.index(({ metadata }) => [metadata.namespace as string]);
    this.#byOwner = this.#informer.index((set) => {
      const owner = controllerOf(set);
      return owner === undefined ? [] : [owner.uid];
    });
    this.#informer.onChange((set, old) => {
      if (set !== undefined) this.#queue.add(keyOf(set));
      else if (old !== undefined) this.#queue.forget(keyOf(old));
    });
    context.pods.onChange((pod, old) => this.#podChanged(pod, old));
  }

  #podChanged(pod: Pod | undefined, old: Pod | undefined): void {
    const owners = new Set([pod, old].map((one) => one && controllerOf(one)));
    for (const owner of owners) {
      if (owner?.kind === this.#kind.kind) {
        this.#queue.add(`${((pod ?? old) as Pod).metadata.namespace}/${owner.name}`);
      }
    }
    if (pod === undefined || controllerOf(pod) !== undefined) return;
    const changed =
      old === undefined || controllerOf(old) !== undefined || !equalJson(pod.metadata.labels, old.metadata.labels);
    if (!changed) return;
    for (const set of this.#byNamespace(pod.metadata.namespace as string)) {
      const selector = this.#selector(set);
      if (selector.length > 0 && matchesLabels(selector, pod.metadata.labels)) this.#queue.add(keyOf(set));
    }
  }

  #selector({ spec }: ReplicaSet): LabelSelector {
    const { selector } = spec;
    return selectorOfObject(this.#kind.group === "" ? { matchLabels: selector ?? {} } : selector);
  }

  async #sync(key: string): Promise<void> {
    const set = this.#informer.byKey(key);
    if (set === undefined) return;
    const { type } = this.#context.pods;
    const selector = this.#selector(set);
    const candidates = this.#context.podsOf(set, true);
    const active = await claimObjects(this.#client, type, set, selector, candidates.filter(isActive));
    const terminating = candidates.filter(
      (pod) => isTerminating(pod) && controllerOf(pod) !== undefined && matchesLabels(selector, pod.metadata.labels),
    );
    let problem: Error | undefined;
    if (set.metadata.deletionTimestamp === undefined) {
      problem = await this.#scale(set, active).then(
        () => undefined,
        (error: Error) => error,
      );
    }
    await this.#updateStatus(set, active, terminating.length, problem);
    const { minReadySeconds = 0 } = set.spec;
    const waits = active
      .map((pod) => untilAvailable(pod, minReadySeconds, this.#context.now()))
      .filter((wait) => wait !== undefined && wait > 0) as number[];
    if (waits.length > 0) this.#queue.addAfter(key, Math.min(...waits));
    if (problem !== undefined) throw problem;
  }

  async #scale(set: ReplicaSet, active: Pod[]): Promise<void> {
    const missing = (set.spec.replicas ?? 1) - active.length;
    if (missing > 0) {
      const pod = podFromTemplate(set.spec.template ?? { spec: { containers: [] } }, set);
      for (let count = 0; count < Math.min(missing, burst); count++) await this.#pods.create(set, pod);
    } else if (missing < 0) {
      const surplus = Math.min(-missing, burst);
      const chosen = podsToDelete(active, this.#related(set), surplus, this.#context.now());
      for (const pod of chosen) await this.#pods.delete(set, pod);
    }
  }

  /** Finds the Pods of all sets with the same owner: Pods on crowded nodes are deleted first. */
  #related(set: ReplicaSet): Pod[] {
    const owner = controllerOf(set);
    const siblings = owner === undefined ? [set] : this.#byOwner(owner.uid);
    return siblings.flatMap((sibling) => this.#context.podsOf(sibling, false)).filter(isActive);
  }

  async #updateStatus(
    set: ReplicaSet,
    active: readonly Pod[],
    terminating: number,
    problem: Error | undefined,
  ): Promise<void> {
    const { metadata, spec, status = {} } = set;
    const template = spec.template?.metadata?.labels ?? {};
    const labeled = active.filter(({ metadata: { labels } }) =>
      Object.entries(template).every(([key, value]) => labels?.[key] === value),
    );
    const ready = active.filter(isReady);
    const now = this.#context.now();
    const available = ready.filter((pod) => untilAvailable(pod, spec.minReadySeconds ?? 0, now) === 0);
    const conditions = this.#conditions(status.conditions ?? [], active.length - (spec.replicas ?? 1), problem);
    const next: JsonObject = {
      replicas: active.length,
      ...(labeled.length > 0 ? { fullyLabeledReplicas: labeled.length } : {}),
      ...(ready.length > 0 ? { readyReplicas: ready.length } : {}),
      ...(available.length > 0 ? { availableReplicas: available.length } : {}),
      ...(this.#kind.countsTerminating ? { terminatingReplicas: terminating } : {}),
      ...(metadata.generation === undefined ? {} : { observedGeneration: metadata.generation }),
      ...(conditions.length > 0 ? { conditions } : {}),
    };
    if (equalJson(next, status)) return;
    const id = { type: this.#informer.type, namespace: metadata.namespace as string, name: metadata.name as string };
    await this.#client.update(id, (object: ApiObject) => (object.status = cloneJson(next)), "status");
  }

  #conditions(present: readonly Condition[], surplus: number, problem: Error | undefined): Condition[] {
    const failure = conditionOf({ conditions: [...present] }, "ReplicaFailure");
    if (problem === undefined) return present.filter((condition) => condition !== failure);
    if (failure !== undefined) return [...present];
    return [
      ...present,
      {
        type: "ReplicaFailure",
        status: "True",
        lastTransitionTime: this.#context.time(),
        reason: surplus < 0 ? "FailedCreate" : "FailedDelete",
        message: problem.message,
      },
    ];
  }
}

/** Begins to control ReplicaSets. */
export function startReplicaSets(context: WorkloadContext): void {
  new ReplicaSetController(context, replicaSets);
}

/** Begins to control ReplicationControllers. */
export function startReplicationControllers(context: WorkloadContext): void {
  new ReplicaSetController(context, replicationControllers);
}
