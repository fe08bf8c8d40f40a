import { cloneJson, equalJson, type Json, type JsonObject } from "@kubewright/cel/json";
import { splitApiVersion } from "@kubewright/cel/validation";
import type { Informer } from "../../client/informer.ts";
import { SystemClient } from "../../client/system-client.ts";
import { WorkQueue } from "../../client/work-queue.ts";
import type { ApiObject } from "../../model/resource.ts";
import { matchesLabels } from "../../request/label-selector.ts";
import { selectorOfObject } from "../../request/selector-object.ts";
import type { WorkloadContext } from "./common/context.ts";
import { EventRecorder } from "./common/events.ts";
import {
  type Condition,
  type ControllerReference,
  conditionOf,
  controllerOf,
  keyOf,
  type Pod,
  type Selector,
  scaledAmount,
  timeOf,
} from "./common/objects.ts";
import { isReady } from "./common/pods.ts";

/** A Pod that was evicted is expected to be deleted within this time. */
const deletionTimeout = 120_000;

interface DisruptionBudget extends ApiObject {
  spec: JsonObject & { minAvailable?: Json; maxUnavailable?: Json; selector?: Selector };
  status?: JsonObject & {
    disruptedPods?: { [name: string]: string };
    conditions?: Condition[];
    observedGeneration?: number;
  };
}

/** Computes how many Pods of PodDisruptionBudgets may be evicted. */
export class DisruptionBudgetController {
  readonly #context: WorkloadContext;
  readonly #client: SystemClient;
  readonly #events: EventRecorder;
  readonly #informer: Informer<DisruptionBudget>;
  readonly #queue: WorkQueue;

  /** @param context - what the controllers share */
  constructor(context: WorkloadContext) {
    const { engine } = context;
    this.#context = context;
    this.#client = new SystemClient(engine, "disruption-controller");
    this.#events = new EventRecorder(engine, this.#client, { component: "controllermanager" });
    this.#queue = new WorkQueue(engine, (key) => this.#sync(key));
    this.#informer = context.informer<DisruptionBudget>("policy", "poddisruptionbudgets");
    const byNamespace = this.#informer.index(({ metadata }) => [metadata.namespace as string]);
    this.#informer.onChange((budget, old) => {
      if (budget !== undefined) this.#queue.add(keyOf(budget));
      else if (old !== undefined) this.#queue.forget(keyOf(old));
    });
    context.pods.onChange((pod, old) => {
      const { namespace } = ((pod ?? old) as Pod).metadata;
      for (const budget of byNamespace(namespace as string)) {
        const selector = selectorOfObject(budget.spec.selector);
        const selects = [pod, old].some((one) => one !== undefined && matchesLabels(selector, one.metadata.labels));
        if (selects) this.#queue.add(keyOf(budget));
      }
    });
  }

  async #sync(key: string): Promise<void> {
    const budget = this.#informer.byKey(key);
    if (budget === undefined || budget.metadata.deletionTimestamp !== undefined) return;
    const { spec, metadata, status = {} } = budget;
    const pods =
      spec.selector === undefined
        ? []
        : this.#context.selectPods(metadata.namespace as string, selectorOfObject(spec.selector));
    if (pods.length === 0) this.#events.normal(budget, "NoPods", "No matching pods found");
    const now = this.#context.now();
    const disrupted = this.#disruptedPods(key, budget, pods, now);
    const healthy = pods.filter(
      (pod) =>
        pod.metadata.deletionTimestamp === undefined &&
        disrupted[pod.metadata.name as string] === undefined &&
        isReady(pod),
    ).length;
    let counts: { expected: number; desired: number };
    try {
      counts = this.#countsOf(budget, pods);
    } catch (error) {
      const message = `Failed to calculate the number of expected pods: ${(error as Error).message}`;
      this.#events.warning(budget, "CalculateExpectedPodCountFailed", message);
      const failed = {
        type: "DisruptionAllowed",
        status: "False",
        reason: "SyncFailed",
        message: (error as Error).message,
      };
      await this.#write(budget, { ...status, disruptionsAllowed: 0, conditions: this.#withCondition(budget, failed) });
      return;
    }
    const { expected, desired } = counts;
    const allowed = expected <= 0 ? 0 : Math.max(0, healthy - desired);
    const condition = {
      type: "DisruptionAllowed",
      status: allowed > 0 ? "True" : "False",
      reason: allowed > 0 ? "SufficientPods" : "InsufficientPods",
      message: "",
    };
    await this.#write(budget, {
      ...(metadata.generation === undefined ? {} : { observedGeneration: metadata.generation }),
      ...(Object.keys(disrupted).length > 0 ? { disruptedPods: disrupted } : {}),
      disruptionsAllowed: allowed,
      currentHealthy: healthy,
      desiredHealthy: desired,
      expectedPods: expected,
      conditions: this.#withCondition(budget, condition),
    });
  }

  /** Keeps the Pods whose eviction was allowed and that aren't deleted yet. */
  #disruptedPods(
    key: string,
    { metadata, status }: DisruptionBudget,
    pods: readonly Pod[],
    now: number,
  ): { [name: string]: string } {
    const kept: { [name: string]: string } = {};
    for (const pod of pods) {
      const name = pod.metadata.name as string;
      const time = status?.disruptedPods?.[name];
      if (time === undefined || pod.metadata.deletionTimestamp !== undefined) continue;
      const left = timeOf(time) + deletionTimeout - now;
      if (left > 0) {
        kept[name] = time;
        this.#queue.addAfter(key, left);
      } else {
        const message = `Pod was expected by PDB ${metadata.namespace}/${metadata.name} to be deleted but it wasn't`;
        this.#events.warning(pod, "NotDeleted", message);
      }
    }
    return kept;
  }

  #countsOf(budget: DisruptionBudget, pods: readonly Pod[]): { expected: number; desired: number } {
    const { minAvailable, maxUnavailable } = budget.spec;
    if (maxUnavailable !== undefined) {
      const expected = this.#expectedScale(budget, pods);
      return { expected, desired: Math.max(0, expected - scaledAmount(maxUnavailable, expected, true)) };
    }
    if (typeof minAvailable === "string") {
      const expected = this.#expectedScale(budget, pods);
      return { expected, desired: scaledAmount(minAvailable, expected, true) };
    }
    return { expected: pods.length, desired: typeof minAvailable === "number" ? minAvailable : 0 };
  }

  /** Adds up the replicas of the controllers of the Pods. */
  #expectedScale(budget: DisruptionBudget, pods: readonly Pod[]): number {
    const scales = new Map<string, number>();
    let unmanaged = false;
    for (const pod of pods) {
      const owner = controllerOf(pod);
      if (owner === undefined) {
        unmanaged = true;
        continue;
      }
      if (scales.has(owner.uid)) continue;
      const scale = this.#scaleOf(owner, pod.metadata.namespace as string);
      if (scale === undefined) throw new Error(`found no controllers for pod "${pod.metadata.name}"`);
      scales.set(scale.uid, scale.replicas);
    }
    if (unmanaged) {
      const message = `Pods selected by this PodDisruptionBudget (selector: ${goSelector(budget.spec.selector)}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`;
      this.#events.warning(budget, "UnmanagedPods", message);
    }
    return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
  }

  /** Finds the replicas of a controller. Those of a ReplicaSet are those of its Deployment. */
  #scaleOf(
    { apiVersion, kind, name, uid }: ControllerReference,
    namespace: string,
  ): { uid: string; replicas: number } | undefined {
    const { engine } = this.#context;
    const [group] = splitApiVersion(apiVersion);
    for (const type of engine.resources()) {
      if (type.group !== group || type.kind !== kind) continue;
      const object = this.#client.get({ type, namespace, name });
      if (object === undefined || object.metadata.uid !== uid) return undefined;
      const owner = kind === "ReplicaSet" ? controllerOf(object) : undefined;
      if (owner?.kind === "Deployment") return this.#scaleOf(owner, namespace);
      const { replicas } = (object.spec ?? {}) as { replicas?: number };
      return { uid, replicas: replicas ?? 0 };
    }
    return undefined;
  }

  #withCondition({ metadata, status }: DisruptionBudget, condition: Condition): Condition[] {
    const present = conditionOf(status, condition.type);
    const time = this.#context.time();
    const since = present?.status === condition.status ? (present.lastTransitionTime ?? time) : time;
    const others = (status?.conditions ?? []).filter((one) => one !== present);
    const observedGeneration = metadata.generation ?? 0;
    return [...others, { ...condition, lastTransitionTime: since, observedGeneration }];
  }

  async #write(budget: DisruptionBudget, next: JsonObject): Promise<void> {
    if (equalJson(next, budget.status ?? {})) return;
    const { namespace, name } = budget.metadata as { namespace: string; name: string };
    const id = { type: this.#informer.type, namespace, name };
    await this.#client.update(id, (object) => (object.status = cloneJson(next)), "status");
  }
}

/** Formats a selector as Go does. */
function goSelector({ matchLabels = {}, matchExpressions }: Selector = {}): string {
  const labels = Object.keys(matchLabels).sort();
  const expressions = ((matchExpressions ?? []) as { key: string; operator: string; values?: string[] }[]).map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(" ")}],},`,
  );
  const pairs = labels.map((key) => `${key}: ${matchLabels[key]},`);
  return `&LabelSelector{MatchLabels:map[string]string{${pairs.join("")}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}
