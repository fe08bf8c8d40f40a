/*
Copyright 2026.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

import type { KubernetesList, KubernetesObject } from "@kubewright/runtime/api";
import type { Condition } from "@kubewright/runtime/api/meta/v1";
import { GroupVersion } from "./groupversion-info.ts";

// Edit this file: it is scaffolding for you to own. After each change, run "make manifests" to regenerate the CRD.

/** FleetSpec defines the desired state of Fleet */
export interface FleetSpec {
  /** foo is an example field of Fleet. Replace it with your own fields */
  foo?: string;
}

/** FleetStatus defines the observed state of Fleet. */
export interface FleetStatus {
  /**
   * conditions represent the current state of the Fleet resource.
   * Each condition has a unique type and reflects the status of a specific aspect of the resource.
   *
   * Standard condition types include:
   * - "Available": the resource is fully functional
   * - "Progressing": the resource is being created or updated
   * - "Degraded": the resource failed to reach or maintain its desired state
   *
   * The status of each condition is one of True, False, or Unknown.
   */
  // +listType=map
  // +listMapKey=type
  conditions?: Condition[];
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster

/** Fleet is the Schema for the fleets API */
export interface Fleet extends KubernetesObject {
  /** spec defines the desired state of Fleet */
  spec: FleetSpec;

  /** status defines the observed state of Fleet */
  status?: FleetStatus;
}

/** FleetList contains a list of Fleet */
export type FleetList = KubernetesList<Fleet>;

export const Fleet = GroupVersion.kind<Fleet>("Fleet");
