import { equalJson, type Json, type JsonObject } from "@kubewright/cel/json";
import type { Informer } from "../../../client/informer.ts";
import { type ObjectId, SystemClient } from "../../../client/system-client.ts";
import { WorkQueue } from "../../../client/work-queue.ts";
import type { ApiObject } from "../../../model/resource.ts";
import type { WorkloadContext } from "../common/context.ts";
import { EventRecorder } from "../common/events.ts";
import { type Condition, conditionOf, isTerminal, keyOf, type Pod, type PodStatus } from "../common/objects.ts";
import { nodeName } from "../common/pod-capacity.ts";
import { claimNamesOf } from "../storage/types.ts";
import type { Node } from "./node.ts";
import { misfitOf } from "./placement.ts";
import { simulationOf } from "./simulation.ts";

const schedulerName = "default-scheduler";
const noVictims = "preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.";
const noPlace = `0/1 nodes are available: 1 Too many pods. ${noVictims}`;
const noHelp = "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";

interface Claim extends ApiObject {
  status?: { phase?: string };
}

/** Assigns Pods to the simulated node, unless something keeps them from it. */
export class Scheduler {
  readonly #context: WorkloadContext;
  readonly #client: SystemClient;
  readonly #events: EventRecorder;
  readonly #nodes: Informer<Node>;
  readonly #claims: Informer<Claim>;
  readonly #queue: WorkQueue;
  /** The Pods without a node. */
  readonly #waiting = new Set<string>();
  /** Those among them for which the node had no place. */
  readonly #surplus = new Set<string>();

  /** @param context - what the controllers share */
  constructor(context: WorkloadContext) {
    const { engine } = context;
    this.#context = context;
    const user = { name: "system:kube-scheduler", groups: ["system:authenticated"] };
    this.#client = new SystemClient(engine, { user, manager: "kube-scheduler" });
    this.#events = new EventRecorder(engine, this.#client, { component: schedulerName });
    this.#queue = new WorkQueue(engine, async (key) => {
      await this.#schedule(key);
      const [next] = this.#surplus;
      if (next !== undefined && !context.capacity.isFull) this.#queue.add(next);
    });
    this.#nodes = context.informer<Node>("", "nodes");
    this.#claims = context.informer<Claim>("", "persistentvolumeclaims");
    context.pods.onChange((pod, old) => {
      if (pod !== undefined && !pod.spec.nodeName && !isTerminal(pod)) {
        this.#waiting.add(keyOf(pod));
        this.#queue.add(keyOf(pod));
      } else {
        this.#waiting.delete(keyOf((pod ?? old) as Pod));
        this.#surplus.delete(keyOf((pod ?? old) as Pod));
      }
      const [next] = this.#surplus;
      if (next !== undefined && !context.capacity.isFull) this.#queue.add(next);
    });
    const retry = (prefix: string): void => {
      for (const key of this.#waiting) if (key.startsWith(prefix)) this.#queue.add(key);
    };
    this.#nodes.onChange((node, old) => {
      const relevant = (one: Node | undefined): Json => [
        one?.spec ?? null,
        one?.metadata.labels ?? null,
        one?.status?.allocatable ?? null,
      ];
      if (!equalJson(relevant(node), relevant(old))) retry("");
    });
    this.#claims.onChange((claim, old) => retry(`${(claim ?? old)?.metadata.namespace}/`));
  }

  async #schedule(key: string): Promise<void> {
    const pod = this.#context.pods.byKey(key);
    if (pod === undefined || pod.spec.nodeName || pod.metadata.deletionTimestamp !== undefined) return;
    if ((pod.spec.schedulerName ?? schedulerName) !== schedulerName) return;
    if (((pod.spec.schedulingGates ?? []) as JsonObject[]).length > 0) return;
    const problem = this.#problemOf(pod);
    this.#surplus.delete(key);
    if (problem === noPlace) this.#surplus.add(key);
    if (problem !== undefined) return this.#refuse(pod, problem);
    this.#client.bind(this.#idOf(pod), (object) => {
      const { spec, status = {} } = object as Pod;
      spec.nodeName = nodeName;
      const condition = this.#condition(pod, { type: "PodScheduled", status: "True" });
      (object as Pod).status = { ...status, conditions: withCondition(status, condition) };
    });
    this.#events.normal(pod, "Scheduled", `Successfully assigned ${key} to ${nodeName}`);
  }

  /** Returns why a Pod can't be scheduled. */
  #problemOf(pod: Pod): string | undefined {
    const available = "0/1 nodes are available:";
    if (simulationOf(pod).simulation.fail === "unschedulable") return `${available} 1 Insufficient cpu. ${noVictims}`;
    const node = this.#nodes.get("", nodeName);
    if (node === undefined) return "no nodes available to schedule pods";
    for (const name of claimNamesOf(pod)) {
      const claim = this.#claims.get(pod.metadata.namespace as string, name);
      if (claim === undefined) return `${available} persistentvolumeclaim "${name}" not found. ${noHelp}`;
      if (claim.metadata.deletionTimestamp !== undefined) {
        return `${available} persistentvolumeclaim "${name}" is being deleted. ${noHelp}`;
      }
      if (claim.status?.phase !== "Bound") {
        return `${available} pod has unbound immediate PersistentVolumeClaims. ${noHelp}`;
      }
    }
    const misfit = misfitOf(pod, node);
    if (misfit === undefined) return this.#context.capacity.isFull ? noPlace : undefined;
    return `${available} 1 ${misfit}. ${noHelp}`;
  }

  async #refuse(pod: Pod, message: string): Promise<void> {
    const present = conditionOf(pod.status, "PodScheduled");
    if (present?.status === "False" && present.message === message) return;
    const reason = "Unschedulable";
    const condition = this.#condition(pod, { type: "PodScheduled", status: "False", reason, message });
    await this.#client.update(
      this.#idOf(pod),
      (object) => {
        const { status = {} } = object as Pod;
        (object as Pod).status = { ...status, conditions: withCondition(status, condition) };
      },
      "status",
    );
    this.#events.warning(pod, "FailedScheduling", message);
  }

  #condition({ metadata, status }: Pod, condition: Condition): Condition {
    const before = conditionOf(status, condition.type);
    const time = this.#context.time();
    const since = before?.status === condition.status ? (before.lastTransitionTime ?? time) : time;
    const observedGeneration = metadata.generation ?? 1;
    return { ...condition, observedGeneration, lastProbeTime: null, lastTransitionTime: since };
  }

  #idOf({ metadata }: Pod): ObjectId {
    return { type: this.#context.pods.type, namespace: metadata.namespace as string, name: metadata.name as string };
  }
}

function withCondition(status: PodStatus, condition: Condition): Condition[] {
  return [...(status.conditions ?? []).filter(({ type }) => type !== condition.type), condition];
}
