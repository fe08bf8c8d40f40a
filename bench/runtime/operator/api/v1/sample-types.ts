import type { Int64, KubernetesList, KubernetesObject } from "@kubewright/runtime/api";
import { GroupVersion } from "./groupversion-info.ts";

/** Desired content of the ConfigMap of a Sample. */
export interface SampleSpec {
  value: string;
}

/** Observed state. */
export interface SampleStatus {
  value?: string;
  observedGeneration?: Int64;
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status

/** Sample owns one ConfigMap. */
export interface Sample extends KubernetesObject {
  spec: SampleSpec;
  status?: SampleStatus;
}

export type SampleList = KubernetesList<Sample>;
export const Sample = GroupVersion.kind<Sample>("Sample");
