import type { Int32, KubernetesList, KubernetesObject } from "@kubewright/runtime/api";
import { GroupVersion } from "./groupversion-info.ts";

/** Values of `status.status`. */
export const Create = "Create";
export const Running = "Running";

/** VirtulMachineSpec defines the desired state of VirtulMachine */
export interface VirtulMachineSpec {
  /** cpu is the number of virtual processors, such as "1" */
  cpu: string;

  /** memory is the memory of the machine, such as "2G" */
  memory: string;

  /** dependsOn is the name of a machine in the same namespace that must run before this one is created */
  // +kubebuilder:validation:MinLength=1
  dependsOn?: string;

  /** lifetimeSeconds is the time after which the machine is deleted. If unset, it isn't deleted */
  // +kubebuilder:validation:Minimum=1
  lifetimeSeconds?: Int32;
}

/** VirtulMachineStatus defines the observed state of VirtulMachine. */
export interface VirtulMachineStatus {
  /** status is Create while the machine is being created, then Running */
  status: string;
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Status",type=string,JSONPath=`.status.status`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`

/** VirtulMachine is the Schema for the virtulmachines API */
export interface VirtulMachine extends KubernetesObject {
  /** spec defines the desired state of VirtulMachine */
  spec: VirtulMachineSpec;

  /** status defines the observed state of VirtulMachine */
  status?: VirtulMachineStatus;
}

/** VirtulMachineList contains a list of VirtulMachine */
export type VirtulMachineList = KubernetesList<VirtulMachine>;

export const VirtulMachine = GroupVersion.kind<VirtulMachine>("VirtulMachine");
