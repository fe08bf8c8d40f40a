import type { Int32, KubernetesList, KubernetesObject } from "@kubewright/runtime/api";
import type { Condition } from "@kubewright/runtime/api/meta/v1";
import { GroupVersion } from "./groupversion-info.ts";

/** Types in `status.conditions`. */
export const Available = "Available";
export const Degraded = "Degraded";

/** MemcachedSpec defines the desired state of Memcached */
export interface MemcachedSpec {
  /** size is the number of Memcached instances */
  // +kubebuilder:default=1
  // +kubebuilder:validation:Minimum=0
  size?: Int32;

  /** containerPort is the port on which an instance listens */
  containerPort: Int32;
}

/** MemcachedStatus defines the observed state of Memcached */
export interface MemcachedStatus {
  /** conditions represent the current state: whether all instances serve (Available), or the rollout failed (Degraded) */
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
