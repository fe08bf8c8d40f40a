import type { Json, JsonObject } from "@kubewright/cel/json";
import type { Pod } from "../common/objects.ts";
import type { Revised } from "../common/revision-history.ts";

/** The status of a StatefulSet. */
export interface StatefulSetStatus extends JsonObject {
  observedGeneration?: number;
  replicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  currentReplicas?: number;
  updatedReplicas?: number;
  currentRevision?: string;
  updateRevision?: string;
  collisionCount?: number;
}

/** A StatefulSet. */
export interface StatefulSet extends Revised {
  spec: Revised["spec"] & {
    replicas?: number;
    serviceName?: string;
    podManagementPolicy?: string;
    minReadySeconds?: number;
    ordinals?: JsonObject & { start?: number };
    updateStrategy?: JsonObject & {
      type?: string;
      rollingUpdate?: JsonObject & { partition?: number; maxUnavailable?: Json };
    };
    volumeClaimTemplates?: (JsonObject & { metadata: JsonObject & { name: string } })[];
    persistentVolumeClaimRetentionPolicy?: JsonObject & { whenDeleted?: string; whenScaled?: string };
  };
  status?: StatefulSetStatus;
}

/** The label with the name of the revision of a Pod. */
export const revisionLabel = "controller-revision-hash";

/** Returns the ordinal in the name of a Pod; -1 if it has none. */
export function ordinalOf({ metadata }: Pod): number {
  const match = /-(\d+)$/.exec(metadata.name as string);
  return match === null ? -1 : Number(match[1]);
}

/** Returns the first ordinal of a StatefulSet. */
export function startOf({ spec }: StatefulSet): number {
  return spec.ordinals?.start ?? 0;
}

/** Returns true if the set wants a Pod with this ordinal. */
export function isWanted(set: StatefulSet, ordinal: number): boolean {
  return ordinal >= startOf(set) && ordinal < startOf(set) + (set.spec.replicas ?? 1);
}
