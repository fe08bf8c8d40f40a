import type { KubernetesList, KubernetesObject } from "@kubewright/runtime/api";
import { GroupVersion } from "./groupversion-info.ts";

/** ExampleASpec defines the desired state of ExampleA */
export interface ExampleASpec {
  /** groupName is the value of the label "group" of the Pods to look for */
  groupName?: string;
}

/** ExampleAStatus defines the observed state of ExampleA */
export interface ExampleAStatus {
  /** underControl is true if such a Pod exists */
  underControl?: boolean;
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status

/** ExampleA is the Schema for the exampleas API */
export interface ExampleA extends KubernetesObject {
  spec: ExampleASpec;
  status?: ExampleAStatus;
}

/** ExampleAList contains a list of ExampleA */
export type ExampleAList = KubernetesList<ExampleA>;

export const ExampleA = GroupVersion.kind<ExampleA>("ExampleA");
