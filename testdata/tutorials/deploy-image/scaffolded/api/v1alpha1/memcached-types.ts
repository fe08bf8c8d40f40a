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

/** MemcachedSpec defines the desired state of Memcached */
export interface MemcachedSpec {
  /** foo is an example field of Memcached. Replace it with your own fields */
  foo?: string;
}

/** MemcachedStatus defines the observed state of Memcached. */
export interface MemcachedStatus {
  /**
   * conditions represent the current state of the Memcached resource.
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

/** Memcached is the Schema for the memcacheds API */
export interface Memcached extends KubernetesObject {
  /** spec defines the desired state of Memcached */
  spec: MemcachedSpec;

  /** status defines the observed state of Memcached */
  status?: MemcachedStatus;
}

/** MemcachedList contains a list of Memcached */
export type MemcachedList = KubernetesList<Memcached>;

export const Memcached = GroupVersion.kind<Memcached>("Memcached");
