import { cloneJson, equalJson, type JsonObject } from "@kubewright/cel/json";
import type { Informer } from "../../../client/informer.ts";
import type { SystemClient } from "../../../client/system-client.ts";
import type { ApiObject } from "../../../model/resource.ts";
import { StatusError } from "../../../model/status.ts";
import type { WorkloadContext } from "../common/context.ts";
import type { EventRecorder } from "../common/events.ts";
import { controllerReference, type Pod } from "../common/objects.ts";
import { isWanted, ordinalOf, type StatefulSet } from "./types.ts";

/** Creates the PersistentVolumeClaims of StatefulSets, and lets them go with the set or with a Pod. */
export class StatefulClaims {
  readonly #client: SystemClient;
  readonly #events: EventRecorder;
  readonly #claims: Informer<ApiObject>;

  /**
   * @param context - what the controllers share
   * @param client - writes for the controller
   * @param events - records events about the sets
   */
  constructor(context: WorkloadContext, client: SystemClient, events: EventRecorder) {
    this.#client = client;
    this.#events = events;
    this.#claims = context.informer("", "persistentvolumeclaims");
  }

  /**
   * Creates the missing claims of a Pod.
   *
   * @throws Error if a claim is refused or is being deleted
   */
  async create(set: StatefulSet, pod: Pod): Promise<void> {
    const problems: string[] = [];
    for (const claim of claimsOf(set, ordinalOf(pod))) {
      const { name, namespace } = claim.metadata as { name: string; namespace: string };
      const present = this.#claims.get(namespace, name);
      if (present?.metadata.deletionTimestamp !== undefined) problems.push(`pvc ${name} is being deleted`);
      if (present !== undefined) continue;
      try {
        await this.#client.create(this.#claims.type, claim);
        const message = `Create Claim ${name} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} success`;
        this.#events.normal(set, "SuccessfulCreate", message);
      } catch (error) {
        const { message } = error as Error;
        problems.push(`failed to create PVC ${name}: ${message}`);
        if (error instanceof StatusError && error.reason === "AlreadyExists") continue;
        const where = `for Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
        this.#events.warning(set, "FailedCreate", `Create Claim ${name} ${where} failed error: ${message}`);
      }
    }
    if (problems.length === 1) throw new Error(problems[0]);
    if (problems.length > 1) throw new Error(`[${problems.join(", ")}]`);
  }

  /** Returns true if a claim still belongs to an earlier Pod of this name. */
  isStale(set: StatefulSet, pod: Pod): boolean {
    if (set.spec.persistentVolumeClaimRetentionPolicy?.whenScaled !== "Delete") return false;
    return this.#present(set, pod).some(({ metadata }) =>
      references(metadata.ownerReferences).some(
        (reference) =>
          reference.kind === "Pod" && reference.name === pod.metadata.name && reference.uid !== pod.metadata.uid,
      ),
    );
  }

  /** Sets the owners of the claims of a Pod, which decide what happens when the set or the Pod is deleted. */
  async setOwners(set: StatefulSet, pod: Pod): Promise<void> {
    for (const claim of this.#present(set, pod)) {
      const before = references(claim.metadata.ownerReferences);
      const after = ownersOf(set, pod, before);
      if (after === undefined || equalJson(after, before)) continue;
      const { name, namespace } = claim.metadata as { name: string; namespace: string };
      await this.#client.update({ type: this.#claims.type, namespace, name }, ({ metadata }) => {
        if (after.length > 0) metadata.ownerReferences = after;
        else delete metadata.ownerReferences;
      });
    }
  }

  #present(set: StatefulSet, pod: Pod): ApiObject[] {
    return claimsOf(set, ordinalOf(pod))
      .map(({ metadata }) => this.#claims.get(metadata.namespace as string, metadata.name as string))
      .filter((claim) => claim !== undefined);
  }
}

function references(list: JsonObject[] | undefined): JsonObject[] {
  return list ?? [];
}

/** Undefined if something else controls the claim. */
function ownersOf(set: StatefulSet, pod: Pod, present: readonly JsonObject[]): JsonObject[] | undefined {
  const { whenDeleted = "Retain", whenScaled = "Retain" } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  const isOf = (one: JsonObject, owner: ApiObject): boolean =>
    one.kind === owner.kind && one.apiVersion === owner.apiVersion && one.name === owner.metadata.name;
  const others = present.filter((one) => !isOf(one, set) && !isOf(one, pod));
  const stale = present.some(
    (one) => (isOf(one, set) && one.uid !== set.metadata.uid) || (isOf(one, pod) && one.uid !== pod.metadata.uid),
  );
  if (stale) return undefined;
  if (others.some(({ controller }) => controller === true))
    return others.length === present.length ? undefined : others;
  const scaledDown = !isWanted(set, ordinalOf(pod));
  const owners = [...others];
  if (whenDeleted === "Delete" && !(whenScaled === "Delete" && scaledDown)) owners.push(controllerReference(set));
  if (whenScaled === "Delete" && scaledDown) owners.push(controllerReference(pod));
  return owners;
}

/** Returns the claims of the Pod with an ordinal. */
export function claimsOf(set: StatefulSet, ordinal: number): ApiObject[] {
  return (set.spec.volumeClaimTemplates ?? []).map((template) => {
    const { metadata, ...rest } = cloneJson(template) as ApiObject;
    delete rest.status;
    return {
      ...rest,
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: {
        ...metadata,
        name: `${metadata.name}-${set.metadata.name}-${ordinal}`,
        namespace: set.metadata.namespace as string,
        labels: { ...metadata.labels, ...set.spec.selector?.matchLabels },
      },
    };
  });
}
