import type { Int32, KubernetesList, KubernetesObject } from "@kubewright/runtime/api";
import { GroupVersion } from "./groupversion-info.ts";

/** What `status.status` can say. */
export const Create = "Create";
export const Running = "Running";

/** VirtulMachineSpec defines the desired state of VirtulMachine */
export interface VirtulMachineSpec {
  /** cpu is the number of virtual processors, such as "1" */
  cpu: string;

  /** memory is what the machine gets of it, such as "2G" */
  memory: string;

  /** dependsOn names a machine of the same namespace that must run before this one is made */
  // +kubebuilder:validation:MinLength=1
  dependsOn?: string;

  /** lifetimeSeconds says how long the machine may run; then it is deleted. Without it, for ever */
  // +kubebuilder:validation:Minimum=1
  lifetimeSeconds?: Int32;
}

/** VirtulMachineStatus defines the observed state of VirtulMachine. */
export interface VirtulMachineStatus {
  /** status is Create while the machine is being made, then Running */
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
