import type { Json, JsonObject } from "@kubewright/cel/json";
import type { ApiObject } from "../../../model/resource.ts";
import type { Condition, PodTemplate, ReplicaSet, Selector } from "../common/objects.ts";

/** The status of a Deployment. */
export interface DeploymentStatus extends JsonObject {
  observedGeneration?: number;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  collisionCount?: number;
  conditions?: Condition[];
}

/** A Deployment. */
export interface Deployment extends ApiObject {
  spec: JsonObject & {
    replicas?: number;
    selector?: Selector;
    template: PodTemplate;
    minReadySeconds?: number;
    paused?: boolean;
    revisionHistoryLimit?: number;
    progressDeadlineSeconds?: number;
    strategy?: JsonObject & {
      type?: string;
      rollingUpdate?: JsonObject & { maxSurge?: Json; maxUnavailable?: Json };
    };
  };
  status?: DeploymentStatus;
}

/** The Deployment that is being processed, and its ReplicaSets. */
export interface Rollout {
  deployment: Deployment;
  /** The ReplicaSet of the template. */
  current: ReplicaSet | undefined;
  old: ReplicaSet[];
}

/** Reads and writes the ReplicaSets of a Deployment. */
export interface ReplicaSetWriter {
  /** Creates the ReplicaSet of the template, if it doesn't exist. */
  ensureCurrent(rollout: Rollout): Promise<ReplicaSet | undefined>;
  /**
   * Scales a ReplicaSet.
   *
   * @param deployment - the Deployment
   * @param set - the ReplicaSet
   * @param size - the number of replicas
   * @param force - true to renew the annotations with the size of the Deployment too
   * @returns the ReplicaSet, and true if its size changed
   */
  resize(
    deployment: Deployment,
    set: ReplicaSet,
    size: number,
    force?: boolean,
  ): Promise<{ set: ReplicaSet; changed: boolean }>;
  /** Deletes a ReplicaSet beyond the limit of the history. */
  remove(set: ReplicaSet): Promise<void>;
  /** Returns true if Pods of old ReplicaSets haven't ended. */
  hasOldPods(rollout: Rollout): boolean;
}
