import type { Int32, Int64, KubernetesList, KubernetesObject } from "@kubewright/runtime/api";
import type { Condition } from "@kubewright/runtime/api/meta/v1";
import { GroupVersion } from "./groupversion-info.ts";

/** WebsiteSpec defines the desired state of Website. */
export interface WebsiteSpec {
  /** image is the container image that serves the website. */
  image: string;

  /** replicas is the number of Pods that serve the website. */
  // +kubebuilder:default=2
  // +kubebuilder:validation:Minimum=0
  // +kubebuilder:validation:Maximum=10
  replicas?: Int32;

  /** port is the port on which the container serves HTTP. */
  // +kubebuilder:default=80
  // +kubebuilder:validation:Minimum=1
  // +kubebuilder:validation:Maximum=65535
  port?: Int32;

  /** pullPolicy decides when a node pulls the image. */
  // +kubebuilder:default=IfNotPresent
  pullPolicy?: "Always" | "IfNotPresent" | "Never";
}

/** WebsiteStatus defines the observed state of Website. */
export interface WebsiteStatus {
  /** readyReplicas is the number of Pods that are ready to serve the website. */
  readyReplicas?: Int32;

  /** address is the name at which other Pods of the cluster reach the website. */
  address?: string;

  /** conditions represent the current state of the Website: Ready, Reconciling or Stalled. */
  // +listType=map
  // +listMapKey=type
  conditions?: Condition[];

  /** observedGeneration is the generation of the Website that the controller has processed last. -1 if it has processed none. */
  observedGeneration?: Int64;
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name=Image,type=string,JSONPath=.spec.image
// +kubebuilder:printcolumn:name=Ready,type=integer,JSONPath=.status.readyReplicas
// +kubebuilder:printcolumn:name=Address,type=string,JSONPath=.status.address

/** Website is the Schema for the websites API. */
export interface Website extends KubernetesObject {
  /** spec defines the desired state of Website */
  spec: WebsiteSpec;

  /** status defines the observed state of Website */
  // +kubebuilder:default={"observedGeneration":-1}
  status?: WebsiteStatus;
}

/** WebsiteList contains a list of Website */
export type WebsiteList = KubernetesList<Website>;

export const Website = GroupVersion.kind<Website>("Website");
