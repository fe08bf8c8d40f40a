import { cloneJson, equalJson } from "@kubewright/cel/json";
import type { Informer } from "../../../client/informer.ts";
import { type ObjectId, SystemClient } from "../../../client/system-client.ts";
import { WorkQueue } from "../../../client/work-queue.ts";
import type { ApiObject } from "../../../model/resource.ts";
import type { WorkloadContext } from "../common/context.ts";
import { EventRecorder } from "../common/events.ts";
import { controllerOf, isTerminal, keyOf, type Pod, type PodSpec } from "../common/objects.ts";
import { nodeName } from "../common/pod-capacity.ts";
import { AddressPool } from "./addresses.ts";
import { nodeAddress } from "./node.ts";
import { PodProcess } from "./process.ts";
import { simulationOf } from "./simulation.ts";
import { podStatusOf } from "./status.ts";

/** In milliseconds: smaller differences between the two clocks aren't those of a clock that was set. */
const leastShift = 1000;
const failureCount = "batch.kubernetes.io/job-index-failure-count";

interface JobObject extends ApiObject {
  status?: { failed?: number };
}

/** Runs the Pods of the simulated node: their containers start, end, restart and stop by the clock. */
export class Kubelet {
  readonly #context: WorkloadContext;
  readonly #client: SystemClient;
  readonly #events: EventRecorder;
  readonly #jobs: Informer<JobObject>;
  readonly #queue: WorkQueue;
  readonly #readyAfter: number;
  readonly #addresses = new AddressPool();
  /** The containers of Pods by the UIDs of the Pods. */
  readonly #processes = new Map<string, PodProcess>();
  /** The time of the wall clock when the other one was 0. */
  #epoch: number;

  /**
   * @param context - what the controllers share
   * @param readyAfter - how long containers take to start, in milliseconds
   */
  constructor(context: WorkloadContext, readyAfter: number) {
    const { engine } = context;
    this.#context = context;
    this.#readyAfter = readyAfter;
    const user = { name: `system:node:${nodeName}`, groups: ["system:nodes", "system:authenticated"] };
    this.#client = new SystemClient(engine, { user, manager: "kubelet" });
    this.#events = new EventRecorder(engine, this.#client, { component: "kubelet", host: nodeName });
    this.#jobs = context.informer<JobObject>("batch", "jobs");
    this.#queue = new WorkQueue(engine, (key) => this.#sync(key));
    this.#epoch = engine.now() - engine.elapsed();
    context.pods.onChange((pod, old) => {
      if (old !== undefined && old.metadata.uid !== pod?.metadata.uid) this.#forget(old);
      if (pod?.spec.nodeName === nodeName) {
        if (typeof pod.status?.podIP === "string") this.#addresses.take(pod.metadata.uid as string, pod.status.podIP);
        this.#queue.add(keyOf(pod));
      }
    });
  }

  #forget({ metadata }: Pod): void {
    this.#processes.delete(metadata.uid as string);
    this.#addresses.release(metadata.uid as string);
  }

  async #sync(key: string): Promise<void> {
    const pod = this.#context.pods.byKey(key);
    if (pod?.spec.nodeName !== nodeName) return;
    const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
    const deleting = deletionTimestamp !== undefined;
    // A Pod that has ended stays until it is deleted, or until its last finalizer is removed.
    if (isTerminal(pod) && (!deleting || deletionGracePeriodSeconds === 0)) return;
    const now = this.#context.now();
    this.#followClock(now);
    const process = this.#processOf(pod, now);
    // A Pod is shown as pending before its containers start.
    const wake = pod.status?.startTime === undefined && !deleting ? now : process.step(pod, now);
    await this.#writeStatus(pod, process, now);
    for (const { container, type, reason, message } of process.takeEvents()) {
      const path = container === "" ? "" : fieldPath(pod.spec, container);
      if (type === "Normal") this.#events.normal(pod, reason, message, path);
      else this.#events.warning(pod, reason, message, path);
    }
    if (process.stopped) {
      this.#processes.delete(pod.metadata.uid as string);
      await this.#client.delete(this.#idOf(pod), pod.metadata.uid as string, undefined, 0);
    } else if (wake !== undefined) this.#queue.addAfter(key, wake - now);
  }

  #followClock(now: number): void {
    const epoch = now - this.#context.elapsed();
    const shift = epoch - this.#epoch;
    if (Math.abs(shift) < leastShift) return;
    this.#epoch = epoch;
    for (const process of this.#processes.values()) process.shift(shift);
  }

  #processOf(pod: Pod, now: number): PodProcess {
    const uid = pod.metadata.uid as string;
    let process = this.#processes.get(uid);
    if (process !== undefined) return process;
    process = new PodProcess(pod, now, {
      readyAfter: this.#readyAfter,
      random: this.#context.engine.random,
      earlierFailures: this.#earlierFailures(pod),
    });
    this.#processes.set(uid, process);
    const { simulation, problems } = simulationOf(pod);
    for (const { annotation, rule } of problems) {
      this.#events.warning(pod, "InvalidSimulation", `annotation ${annotation}: ${rule}; it is ignored`);
    }
    if (simulation.fail === "not-ready") {
      const message = "Readiness probe failed: commanded by the annotation apiserver.kubewright.dev/fail";
      this.#events.warning(pod, "Unhealthy", message, fieldPath(pod.spec, pod.spec.containers[0]?.name ?? ""));
    }
    return process;
  }

  #earlierFailures(pod: Pod): number {
    const perIndex = pod.metadata.annotations?.[failureCount];
    if (perIndex !== undefined) return Number(perIndex);
    const owner = controllerOf(pod);
    if (owner?.kind !== "Job") return 0;
    return this.#jobs.get(pod.metadata.namespace as string, owner.name)?.status?.failed ?? 0;
  }

  async #writeStatus(pod: Pod, process: PodProcess, now: number): Promise<void> {
    const uid = pod.metadata.uid as string;
    const address = pod.spec.hostNetwork === true ? nodeAddress : this.#addresses.of(uid);
    const status = podStatusOf(pod, process, { pod: address, host: nodeAddress }, now);
    if (equalJson(status, pod.status ?? {})) return;
    await this.#client.update(
      this.#idOf(pod),
      (object) => {
        if (object.metadata.uid === uid) object.status = cloneJson(status);
      },
      "status",
    );
  }

  #idOf({ metadata }: Pod): ObjectId {
    return { type: this.#context.pods.type, namespace: metadata.namespace as string, name: metadata.name as string };
  }
}

function fieldPath({ initContainers = [] }: PodSpec, container: string): string {
  const field = initContainers.some(({ name }) => name === container) ? "initContainers" : "containers";
  return `spec.${field}{${container}}`;
}
