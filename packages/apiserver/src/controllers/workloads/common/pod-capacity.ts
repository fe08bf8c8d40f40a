import type { Informer } from "../../../client/informer.ts";
import type { ApiObject } from "../../../model/resource.ts";
import { forbidden } from "../../../model/status.ts";
import { isTerminal, keyOf, type Pod } from "./objects.ts";

/** The name of the simulated node. */
export const nodeName = "kubewright";
/** How many Pods the simulated node runs at once, unless its status contains another number. */
export const podsPerNode = 1000;

interface Node extends ApiObject {
  status?: { allocatable?: { pods?: string } };
}

/** Counts the Pods that take a place on the simulated node: those that haven't ended. */
export class PodCapacity {
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  readonly #present = new Set<string>();
  readonly #assigned = new Set<string>();

  /**
   * @param pods - all Pods
   * @param nodes - all nodes
   */
  constructor(pods: Informer<Pod>, nodes: Informer<Node>) {
    this.#pods = pods;
    this.#nodes = nodes;
    pods.onChange((pod, old) => {
      const key = keyOf((pod ?? old) as Pod);
      const present = pod !== undefined && !isTerminal(pod);
      if (present) this.#present.add(key);
      else this.#present.delete(key);
      if (present && pod.spec.nodeName === nodeName) this.#assigned.add(key);
      else this.#assigned.delete(key);
    });
  }

  /** How many Pods the node runs at once. */
  get limit(): number {
    const limit = Number(this.#nodes.get("", nodeName)?.status?.allocatable?.pods);
    return Number.isSafeInteger(limit) && limit >= 0 ? limit : podsPerNode;
  }

  /** Whether there are as many Pods as places, so that controllers can create no more. */
  get isReached(): boolean {
    return this.#present.size >= this.limit;
  }

  /** Whether the node has no place for another Pod. */
  get isFull(): boolean {
    return this.#assigned.size >= this.limit;
  }

  /**
   * Checks that there is a place for another Pod of a controller. Otherwise, a large number of replicas would use all memory.
   *
   * @param pod - the Pod
   * @throws StatusError if there is none
   */
  check({ metadata }: Pod): void {
    if (!this.isReached) return;
    const { group, resource } = this.#pods.type;
    const name = metadata.name ?? metadata.generateName ?? "";
    const problem = `the simulated node ${nodeName} has no place for it, limited: pods=${this.limit}`;
    throw forbidden({ group, resource }, name, problem);
  }
}
