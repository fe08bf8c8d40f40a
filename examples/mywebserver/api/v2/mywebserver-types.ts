import type { Int32, KubernetesList, KubernetesObject } from "@kubewright/runtime/api";
import { GroupVersion } from "./groupversion-info.ts";

/** MyWebserverSpec defines the desired state of MyWebserver */
export interface MyWebserverSpec {
  /** image is what each Pod runs, such as nginx */
  image: string;

  /** port is where the image listens, and where the Service does */
  // +kubebuilder:validation:Minimum=1
  // +kubebuilder:validation:Maximum=65535
  // +kubebuilder:default=80
  port?: Int32;

  /** replicas is the number of Pods */
  // +kubebuilder:validation:Minimum=0
  // +kubebuilder:default=1
  replicas?: Int32;
}

// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=myweb;mws

/** MyWebserver is the Schema for the mywebservers API */
export interface MyWebserver extends KubernetesObject {
  spec: MyWebserverSpec;
}

/** MyWebserverList contains a list of MyWebserver */
export type MyWebserverList = KubernetesList<MyWebserver>;

export const MyWebserver = GroupVersion.kind<MyWebserver>("MyWebserver");
