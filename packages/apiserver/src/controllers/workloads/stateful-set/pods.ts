import type { JsonObject } from "@kubewright/cel/json";
import type { SystemClient } from "../../../client/system-client.ts";
import type { WorkloadContext } from "../common/context.ts";
import type { EventRecorder } from "../common/events.ts";
import type { Pod, PodTemplate } from "../common/objects.ts";
import { podFromTemplate } from "../common/pods.ts";
import type { StatefulClaims } from "./claims.ts";
import { ordinalOf, revisionLabel, type StatefulSet } from "./types.ts";

const nameLabel = "statefulset.kubernetes.io/pod-name";
const indexLabel = "apps.kubernetes.io/pod-index";

/** Writes the Pods of StatefulSets, with their events. */
export class StatefulPods {
  readonly #context: WorkloadContext;
  readonly #client: SystemClient;
  readonly #events: EventRecorder;
  readonly #claims: StatefulClaims;

  /**
   * @param context - what the controllers share
   * @param client - writes for the controller
   * @param events - records events about the sets
   * @param claims - the claims of the Pods
   */
  constructor(context: WorkloadContext, client: SystemClient, events: EventRecorder, claims: StatefulClaims) {
    this.#context = context;
    this.#client = client;
    this.#events = events;
    this.#claims = claims;
  }

  /** Creates a Pod and its claims. */
  async create(set: StatefulSet, pod: Pod): Promise<void> {
    await this.#record("Create", set, pod, async () => {
      this.#context.capacity.check(pod);
      await this.#claims.create(set, pod);
      const created = (await this.#client.create(this.#context.pods.type, pod)) as Pod;
      await this.#claims.setOwners(set, created);
    });
  }

  /** Deletes a Pod. */
  async delete(set: StatefulSet, pod: Pod): Promise<void> {
    await this.#record("Delete", set, pod, () => this.#client.delete(this.#idOf(pod), pod.metadata.uid as string));
  }

  /** Restores what identifies a Pod, and its claims. */
  async restore(set: StatefulSet, pod: Pod): Promise<void> {
    await this.#claims.setOwners(set, pod);
    if (pod.metadata.labels?.[nameLabel] === pod.metadata.name) return;
    await this.#record("Update", set, pod, async () => {
      await this.#client.update(this.#idOf(pod), ({ metadata }) => {
        metadata.labels = { ...metadata.labels, ...identityLabels(pod) };
      });
    });
  }

  async #record(verb: string, set: StatefulSet, pod: Pod, work: () => Promise<void>): Promise<void> {
    const subject = `${verb} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
    try {
      await work();
    } catch (error) {
      const record = verb === "Create" && this.#context.capacity.isReached ? "alarm" : "warning";
      this.#events[record](set, `Failed${verb}`, `${subject} failed error: ${(error as Error).message}`);
      throw error;
    }
    this.#events.normal(set, `Successful${verb}`, `${subject} successful`);
  }

  #idOf({ metadata }: Pod) {
    return { type: this.#context.pods.type, namespace: metadata.namespace as string, name: metadata.name as string };
  }
}

function identityLabels(pod: Pod): { [key: string]: string } {
  return { [nameLabel]: pod.metadata.name as string, [indexLabel]: String(ordinalOf(pod)) };
}

/**
 * Creates the Pod with an ordinal, without writing it.
 *
 * @param set - the StatefulSet
 * @param template - the template of the revision
 * @param revision - the name of the revision
 * @param ordinal - the ordinal
 * @returns the Pod
 */
export function newStatefulPod(set: StatefulSet, template: PodTemplate, revision: string, ordinal: number): Pod {
  const pod = podFromTemplate(template, set);
  const name = `${set.metadata.name}-${ordinal}`;
  pod.metadata.name = name;
  pod.metadata.labels = { ...pod.metadata.labels, ...identityLabels(pod), [revisionLabel]: revision };
  pod.spec.hostname = name;
  if (set.spec.serviceName) pod.spec.subdomain = set.spec.serviceName;
  const names = (set.spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name);
  const others = (pod.spec.volumes ?? []).filter((volume) => !names.includes(volume.name as string));
  const claims: JsonObject[] = names.map((volume) => ({
    name: volume,
    persistentVolumeClaim: { claimName: `${volume}-${name}` },
  }));
  if (claims.length + others.length > 0) pod.spec.volumes = [...claims, ...others];
  return pod;
}
