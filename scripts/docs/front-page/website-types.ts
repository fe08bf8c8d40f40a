// +groupName=web.example.com
import { groupVersion } from "@kubewright/runtime";
import type { Int32, KubernetesObject } from "@kubewright/runtime/api";

/** The image that serves a website. */
export interface WebsiteSpec {
  image: string;

  // +kubebuilder:default=2
  // +kubebuilder:validation:Maximum=10
  replicas?: Int32;

  protocol?: "http" | "https";
}

export interface Website extends KubernetesObject {
  spec: WebsiteSpec;
}

export const Website = groupVersion("web.example.com", "v1").kind<Website>("Website");
