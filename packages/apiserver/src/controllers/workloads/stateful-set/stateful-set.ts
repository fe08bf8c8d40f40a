import { cloneJson, equalJson } from "@kubewright/cel/json";
import type { Informer } from "../../../client/informer.ts";
import { SystemClient } from "../../../client/system-client.ts";
import { WorkQueue } from "../../../client/work-queue.ts";
import { matchesLabels } from "../../../request/label-selector.ts";
import { selectorOfObject } from "../../../request/selector-object.ts";
import { claimObjects } from "../common/claims.ts";
import type { WorkloadContext } from "../common/context.ts";
import { EventRecorder } from "../common/events.ts";
import { controllerOf, isTerminal, keyOf, type Pod } from "../common/objects.ts";
import { isReady, untilAvailable } from "../common/pods.ts";
import { type ControllerRevision, RevisionHistory, templateOf } from "../common/revision-history.ts";
import { StatefulClaims } from "./claims.ts";
import { newStatefulPod, StatefulPods } from "./pods.ts";
import { isWanted, ordinalOf, revisionLabel, type StatefulSet, type StatefulSetStatus, startOf } from "./types.ts";

/** A StatefulSet with its revisions and the Pods that it wants. */
interface Plan {
  set: StatefulSet;
  current: ControllerRevision;
  update: ControllerRevision;
  /** The Pods that the set wants, by ordinal. Those without a UID don't exist. */
  replicas: Pod[];
  /** The Pods beyond the number of replicas, the highest ordinal first. */
  condemned: Pod[];
}

/** Creates, updates and deletes the Pods of StatefulSets in order. */
export class StatefulSetController {
  readonly #context: WorkloadContext;
  readonly #client: SystemClient;
  readonly #informer: Informer<StatefulSet>;
  readonly #history: RevisionHistory;
  readonly #claims: StatefulClaims;
  readonly #pods: StatefulPods;
  readonly #queue: WorkQueue;

  /** @param context - what the controllers share */
  constructor(context: WorkloadContext) {
    const { engine } = context;
    this.#context = context;
    this.#client = new SystemClient(engine, "statefulset-controller");
    const events = new EventRecorder(engine, this.#client, { component: "statefulset-controller" });
    this.#history = new RevisionHistory(context, this.#client);
    this.#claims = new StatefulClaims(context, this.#client, events);
    this.#pods = new StatefulPods(context, this.#client, events, this.#claims);
    this.#queue = new WorkQueue(engine, (key) => this.#sync(key));
    this.#informer = context.informer<StatefulSet>("apps", "statefulsets");
    const byNamespace = this.#informer.index(({ metadata }) => [metadata.namespace as string]);
    this.#informer.onChange((set, old) => {
      if (set !== undefined) this.#queue.add(keyOf(set));
      else if (old !== undefined) this.#queue.forget(keyOf(old));
    });
    context.pods.onChange((pod, old) => {
      for (const state of [pod, old]) {
        const owner = state && controllerOf(state);
        if (owner?.kind === "StatefulSet") this.#queue.add(`${state?.metadata.namespace}/${owner.name}`);
      }
      if (pod === undefined || controllerOf(pod) !== undefined) return;
      if (old !== undefined && !controllerOf(old) && equalJson(pod.metadata.labels, old.metadata.labels)) return;
      for (const set of byNamespace(pod.metadata.namespace as string)) {
        const selector = selectorOfObject(set.spec.selector);
        if (selector.length > 0 && matchesLabels(selector, pod.metadata.labels)) this.#queue.add(keyOf(set));
      }
    });
  }

  async #sync(key: string): Promise<void> {
    const set = this.#informer.byKey(key);
    if (set === undefined) return;
    const isMember = (pod: Pod): boolean => (pod.metadata.name as string).replace(/-\d+$/, "") === set.metadata.name;
    const candidates = this.#context.podsOf(set, true).filter(isMember);
    const selector = selectorOfObject(set.spec.selector);
    const pods = await claimObjects(this.#client, this.#context.pods.type, set, selector, candidates);
    const revisions = await this.#history.list(set);
    const collisions = set.status?.collisionCount ?? 0;
    const { revision: update, collisionCount } = await this.#history.ensure(
      set,
      revisions,
      "controller.kubernetes.io/hash",
      collisions,
    );
    const current = revisions.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
    const plan = this.#planOf(set, current, update, pods);
    let problem: Error | undefined;
    let deleted = 0;
    if (set.metadata.deletionTimestamp === undefined) {
      try {
        deleted = await this.#reconcile(plan);
      } catch (error) {
        problem = error as Error;
      }
    }
    const history = await this.#history.list(set);
    await this.#updateStatus(plan, collisionCount, deleted);
    const live = new Set([...pods.map((pod) => pod.metadata.labels?.[revisionLabel]), nameOf(current), nameOf(update)]);
    await this.#history.truncate(set, history, (revision) => live.has(nameOf(revision)));
    const waits = pods
      .map((pod) => untilAvailable(pod, set.spec.minReadySeconds ?? 0, this.#context.now()))
      .filter((wait) => wait !== undefined && wait > 0) as number[];
    if (waits.length > 0) this.#queue.addAfter(key, Math.min(...waits));
    if (problem !== undefined) throw problem;
  }

  #planOf(set: StatefulSet, current: ControllerRevision, update: ControllerRevision, pods: readonly Pod[]): Plan {
    const present = new Map(pods.map((pod) => [ordinalOf(pod), pod]));
    const { rollingUpdate, type } = set.spec.updateStrategy ?? {};
    const start = startOf(set);
    const replicas = this.#ordinalsOf(set, present).map((ordinal) => {
      const index = ordinal - start;
      const outdated =
        rollingUpdate === undefined
          ? type === "RollingUpdate" && index < (set.status?.currentReplicas ?? 0)
          : index < (rollingUpdate.partition ?? 0);
      const revision = outdated ? current : update;
      return present.get(ordinal) ?? newStatefulPod(set, templateOf(revision), nameOf(revision), ordinal);
    });
    const condemned = pods.filter((pod) => !isWanted(set, ordinalOf(pod)));
    condemned.sort((a, b) => ordinalOf(b) - ordinalOf(a));
    return { set, current, update, replicas, condemned };
  }

  /** The ordinals that the set wants. Of those without a Pod, only the first ones, for which there are places. */
  #ordinalsOf(set: StatefulSet, present: ReadonlyMap<number, Pod>): number[] {
    const ordinals = [...present.keys()].filter((ordinal) => isWanted(set, ordinal));
    const end = startOf(set) + (set.spec.replicas ?? 1);
    // One more than the limit, because its creation fails and reports the full node.
    let left = this.#context.capacity.limit + 1;
    for (let ordinal = startOf(set); ordinal < end && left > 0; ordinal++) {
      if (present.has(ordinal)) continue;
      ordinals.push(ordinal);
      left--;
    }
    return ordinals.sort((a, b) => a - b);
  }

  #isUnavailable(set: StatefulSet, pod: Pod): boolean {
    const wait = untilAvailable(pod, set.spec.minReadySeconds ?? 0, this.#context.now());
    return wait !== 0 || pod.metadata.deletionTimestamp !== undefined;
  }

  /** Does the next step. Returns how many outdated Pods it deleted. */
  async #reconcile(plan: Plan): Promise<number> {
    const { set, replicas, condemned } = plan;
    const ordered = set.spec.podManagementPolicy !== "Parallel";
    const unavailable = [...replicas, ...[...condemned].reverse()].find((pod) => this.#isUnavailable(set, pod));
    const problems: Error[] = [];
    const forAll = async (pods: readonly Pod[], step: (pod: Pod) => Promise<boolean>): Promise<boolean> => {
      for (const pod of pods) {
        const stops = await step(pod).catch((error: Error) => problems.push(error) > 0);
        if (ordered && stops) return true;
      }
      return problems.length > 0;
    };
    const stopped =
      (await forAll(replicas, (pod) => this.#keep(set, pod, ordered))) ||
      (await forAll(condemned, (pod) => this.#claims.setOwners(set, pod).then(() => false))) ||
      (await forAll(condemned, (pod) => this.#condemn(set, pod, ordered, unavailable)));
    if (problems.length > 0) throw problems[0];
    if (stopped || set.spec.updateStrategy?.type === "OnDelete") return 0;
    return this.#replaceOutdated(plan);
  }

  /** Brings one Pod into its place. Returns true if the next one must wait. */
  async #keep(set: StatefulSet, pod: Pod, ordered: boolean): Promise<boolean> {
    const deleting = pod.metadata.deletionTimestamp !== undefined;
    if (isTerminal(pod)) {
      if (!deleting) await this.#pods.delete(set, pod);
      return true;
    }
    if (pod.metadata.uid === undefined) {
      if (this.#claims.isStale(set, pod)) return true;
      await this.#pods.create(set, pod);
      return true;
    }
    if (pod.status?.phase === "Pending") await this.#claims.create(set, pod);
    if (ordered && this.#isUnavailable(set, pod)) return true;
    await this.#pods.restore(set, pod);
    return false;
  }

  /** Deletes a Pod beyond the number of replicas. Returns true if the next one must wait. */
  async #condemn(set: StatefulSet, pod: Pod, ordered: boolean, unavailable: Pod | undefined): Promise<boolean> {
    if (pod.metadata.deletionTimestamp !== undefined) return true;
    if (ordered && pod !== unavailable && this.#isUnavailable(set, pod)) return true;
    await this.#pods.delete(set, pod);
    return true;
  }

  /** Deletes the outdated Pod with the highest ordinal, once the updated ones are available. */
  async #replaceOutdated({ set, update, replicas }: Plan): Promise<number> {
    const { partition = 0 } = set.spec.updateStrategy?.rollingUpdate ?? {};
    const after = startOf(set) + partition;
    for (const pod of replicas.filter((pod) => ordinalOf(pod) >= after).reverse()) {
      const outdated = pod.metadata.labels?.[revisionLabel] !== nameOf(update);
      if (outdated && pod.metadata.deletionTimestamp === undefined) {
        await this.#pods.delete(set, pod);
        return 1;
      }
      if (this.#isUnavailable(set, pod)) return 0;
    }
    return 0;
  }

  async #updateStatus(plan: Plan, collisionCount: number, deleted: number): Promise<void> {
    const { set, current, update } = plan;
    const pods = [...plan.replicas, ...plan.condemned]
      .map((pod) => this.#context.pods.byKey(keyOf(pod)))
      .filter((pod) => pod !== undefined);
    const now = this.#context.now();
    const ready = pods.filter((pod) => pod.status?.phase === "Running" && isReady(pod));
    const kept = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const ofRevision = (revision: ControllerRevision): number =>
      kept.filter(({ metadata }) => metadata.labels?.[revisionLabel] === nameOf(revision)).length;
    const available = ready.filter((pod) => untilAvailable(pod, set.spec.minReadySeconds ?? 0, now) === 0).length;
    const updated = ofRevision(update);
    const replicas = set.spec.replicas ?? 1;
    const complete =
      deleted === 0 &&
      set.spec.updateStrategy?.type === "RollingUpdate" &&
      [updated, ready.length, pods.length].every((count) => count === replicas);
    const currentReplicas = complete ? updated : ofRevision(current);
    const next: StatefulSetStatus = {
      ...(set.metadata.generation === undefined ? {} : { observedGeneration: set.metadata.generation }),
      replicas: pods.length,
      ...(ready.length > 0 ? { readyReplicas: ready.length } : {}),
      ...(currentReplicas > 0 ? { currentReplicas } : {}),
      ...(updated > 0 ? { updatedReplicas: updated } : {}),
      currentRevision: nameOf(complete ? update : current),
      updateRevision: nameOf(update),
      collisionCount,
      availableReplicas: available,
    };
    if (equalJson(next, set.status ?? {})) return;
    const id = {
      type: this.#informer.type,
      namespace: set.metadata.namespace as string,
      name: set.metadata.name as string,
    };
    await this.#client.update(id, (object) => (object.status = cloneJson(next)), "status");
  }
}

function nameOf({ metadata }: ControllerRevision): string {
  return metadata.name as string;
}
