import type { Int32, KubernetesList, KubernetesObject } from "@kubewright/runtime/api";
import { GroupVersion } from "./groupversion-info.ts";

/** MemcachedSpec defines the desired state of Memcached */
export interface MemcachedSpec {
  // +kubebuilder:validation:Minimum=0
  /** Size is the size of the memcached deployment */
  size: Int32;
}

/** MemcachedStatus defines the observed state of Memcached */
export interface MemcachedStatus {
  /** Nodes are the names of the memcached pods */
  nodes: string[];
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status

/** Memcached is the Schema for the memcacheds API */
export interface Memcached extends KubernetesObject {
  spec: MemcachedSpec;
  status?: MemcachedStatus;
}

/** MemcachedList contains a list of Memcached */
export type MemcachedList = KubernetesList<Memcached>;

export const Memcached = GroupVersion.kind<Memcached>("Memcached");
