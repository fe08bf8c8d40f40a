import { cloneJson } from "@kubewright/cel/json";
import type { SystemClient } from "../../../client/system-client.ts";
import type { ApiObject } from "../../../model/resource.ts";
import { StatusError } from "../../../model/status.ts";
import type { WorkloadContext } from "./context.ts";
import type { EventRecorder } from "./events.ts";
import { conditionOf, controllerReference, isTerminal, type Pod, type PodTemplate, timeOf } from "./objects.ts";

const longestPrefix = 253;

/** Returns true if a Pod has the condition Ready. */
export function isReady(pod: Pod): boolean {
  return conditionOf(pod.status, "Ready")?.status === "True";
}

/** Returns true if a Pod hasn't ended and isn't being deleted. */
export function isActive(pod: Pod): boolean {
  return !isTerminal(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Returns true if a Pod is being deleted and hasn't ended. */
export function isTerminating(pod: Pod): boolean {
  return !isTerminal(pod) && pod.metadata.deletionTimestamp !== undefined;
}

/**
 * Returns how long a ready Pod must still wait to be available.
 *
 * @param pod - the Pod
 * @param minReadySeconds - how long it must be ready
 * @param now - the time in milliseconds
 * @returns milliseconds; 0 if it is available, undefined if it isn't ready
 */
export function untilAvailable(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  if (!isReady(pod)) return undefined;
  if (minReadySeconds === 0) return 0;
  const since = timeOf(conditionOf(pod.status, "Ready")?.lastTransitionTime);
  return Math.max(0, since + minReadySeconds * 1000 - now);
}

/**
 * Creates a Pod from a template, with its owner as controller.
 *
 * @param template - the template
 * @param owner - the owner
 * @returns the Pod, with a prefix for its name
 */
export function podFromTemplate(template: PodTemplate, owner: ApiObject): Pod {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  const prefix = `${owner.metadata.name}-`;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: prefix.length > longestPrefix ? (owner.metadata.name as string) : prefix,
      namespace: owner.metadata.namespace as string,
      ...(labels === undefined ? {} : { labels: { ...labels } }),
      ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
      ...(finalizers === undefined ? {} : { finalizers: [...finalizers] }),
      ownerReferences: [controllerReference(owner)],
    },
    spec: cloneJson(template.spec),
  };
}

/** Returns true if a write was refused because its namespace is being deleted. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!(error instanceof StatusError)) return false;
  const causes = (error.details?.causes ?? []) as { reason?: string }[];
  return causes.some(({ reason }) => reason === "NamespaceTerminating");
}

/** Creates and deletes the Pods of a controller, with the events that kube-controller-manager records about it. */
export class PodControl {
  readonly #context: WorkloadContext;
  readonly #client: SystemClient;
  readonly #events: EventRecorder;

  /**
   * @param context - what the controllers share
   * @param client - writes for the controller
   * @param events - records events for the controller
   */
  constructor(context: WorkloadContext, client: SystemClient, events: EventRecorder) {
    this.#context = context;
    this.#client = client;
    this.#events = events;
  }

  /**
   * Creates a Pod.
   *
   * @param owner - the object that the events are about
   * @param pod - the Pod
   * @returns the stored Pod; undefined if the namespace is being deleted
   * @throws StatusError if the Pod is refused
   */
  async create(owner: ApiObject, pod: Pod): Promise<Pod | undefined> {
    try {
      this.#context.capacity.check(pod);
      const created = await this.#client.create(this.#context.pods.type, pod);
      this.#events.normal(owner, "SuccessfulCreate", `Created pod: ${created.metadata.name}`);
      return created as Pod;
    } catch (error) {
      if (isNamespaceTerminating(error)) return undefined;
      const record = this.#context.capacity.isReached ? "alarm" : "warning";
      this.#events[record](owner, "FailedCreate", `Error creating: ${(error as Error).message}`);
      throw error;
    }
  }

  /**
   * Deletes a Pod.
   *
   * @param owner - the object that the events are about
   * @param pod - the Pod
   * @throws StatusError if the deletion is refused
   */
  async delete(owner: ApiObject, { metadata }: Pod): Promise<void> {
    const { name, namespace, uid } = metadata as { name: string; namespace: string; uid: string };
    try {
      await this.#client.delete({ type: this.#context.pods.type, namespace, name }, uid);
    } catch (error) {
      this.#events.warning(owner, "FailedDelete", `Error deleting: ${(error as Error).message}`);
      throw error;
    }
    this.#events.normal(owner, "SuccessfulDelete", `Deleted pod: ${name}`);
  }
}
