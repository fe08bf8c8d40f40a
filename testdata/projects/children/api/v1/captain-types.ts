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

import type { Int64, KubernetesList, KubernetesObject } from "@kubewright/runtime/api";
import type { Condition } from "@kubewright/runtime/api/meta/v1";
import { GroupVersion } from "./groupversion-info.ts";

// Edit this file: it is scaffolding for you to own. After each change, run "make manifests" to regenerate the CRD.

/** CaptainSpec defines the desired state of Captain */
export interface CaptainSpec {
  /** foo is an example field of Captain. Replace it with your own fields */
  foo?: string;
}

/** CaptainStatus defines the observed state of Captain. */
export interface CaptainStatus {
  /**
   * conditions represent the current state of the Captain resource.
   * Each condition has a unique type and reflects the status of a specific aspect of the resource.
   *
   * Standard condition types include:
   * - "Ready": the resource is fully functional
   * - "Reconciling": the resource is being created or updated
   * - "Stalled": the resource failed to reach its desired state, and a person has to act
   *
   * The status of each condition is one of True, False, or Unknown.
   */
  // +listType=map
  // +listMapKey=type
  conditions?: Condition[];

  /** observedGeneration is the generation of the Captain that the controller has processed last. -1 if it has processed none. */
  observedGeneration?: Int64;
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status

/** Captain is the Schema for the captains API */
export interface Captain extends KubernetesObject {
  /** spec defines the desired state of Captain */
  spec: CaptainSpec;

  /** status defines the observed state of Captain */
  // +kubebuilder:default={"observedGeneration":-1}
  status?: CaptainStatus;
}

/** CaptainList contains a list of Captain */
export type CaptainList = KubernetesList<Captain>;

export const Captain = GroupVersion.kind<Captain>("Captain");
