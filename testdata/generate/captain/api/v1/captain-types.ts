import type { KubernetesList, KubernetesObject } from "@kubewright/runtime/api";
import type { Condition } from "@kubewright/runtime/api/meta/v1";
import { GroupVersion } from "./groupversion-info.ts";

// This file is scaffolding for you to own.

/** CaptainSpec defines the desired state of Captain */
export interface CaptainSpec {
  // More fields go here.

  /** foo is an example field of Captain. Edit captain_types.go to remove/update */
  foo?: string;
}

/** CaptainStatus defines the observed state of Captain. */
export interface CaptainStatus {
  // More fields go here.

  /**
   * conditions represent the current state of the Captain resource.
   * Each condition has a unique type and reflects the status of a specific aspect of the resource.
   *
   * Standard condition types include:
   * - "Available": the resource is fully functional
   * - "Progressing": the resource is being created or updated
   * - "Degraded": the resource failed to reach or maintain its desired state
   *
   * The status of each condition is one of True, False, or Unknown.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status

/** Captain is the Schema for the captains API */
export interface Captain extends KubernetesObject {
  /** spec defines the desired state of Captain */
  spec: CaptainSpec;

  /** status defines the observed state of Captain */
  status?: CaptainStatus;
}

export type CaptainList = KubernetesList<Captain>;

export const Captain = GroupVersion.kind<Captain>("Captain");
