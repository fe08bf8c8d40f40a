import type { Int32, KubernetesList, KubernetesObject } from "@kubewright/runtime/api";
import { GroupVersion } from "./groupversion-info.ts";

/** Values of `status.phase`. */
export const Running = "Running";
export const NotReady = "NotReady";

/** GameSpec defines the desired state of Game. */
export interface GameSpec {
  /**
   * Number of desired pods. This is optional to distinguish between explicit
   * zero and not specified. Defaults to 1.
   */
  // +kubebuilder:default:=1
  // +kubebuilder:validation:Minimum:=1
  replicas?: Int32;

  /** Docker image name */
  image?: string;

  /** Ingress Host name */
  host?: string;
}

/** GameStatus defines the observed state of Game. */
export interface GameStatus {
  /** Phase is the phase of the game */
  phase?: string;

  /** replicas is the number of Pods created by the Deployment. */
  replicas: Int32;

  /** readyReplicas is the number of Pods created by the Deployment that have a Ready Condition. */
  readyReplicas: Int32;

  /** LabelSelector is label selectors for query over pods that should match the replica count used by HPA. */
  labelSelector?: string;
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.labelSelector
// +kubebuilder:printcolumn:name="Phase",type="string",JSONPath=".status.phase",description="The phase of game."
// +kubebuilder:printcolumn:name="Host",type="string",JSONPath=".spec.host",description="The Host Address."
// +kubebuilder:printcolumn:name="DESIRED",type="integer",JSONPath=".spec.replicas",description="The desired number of pods."
// +kubebuilder:printcolumn:name="CURRENT",type="integer",JSONPath=".status.replicas",description="The number of currently all pods."
// +kubebuilder:printcolumn:name="READY",type="integer",JSONPath=".status.readyReplicas",description="The number of pods ready."
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp",description="CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC."

/** Game is the Schema for the games API. */
export interface Game extends KubernetesObject {
  spec: GameSpec;
  status?: GameStatus;
}
export type GameList = KubernetesList<Game>;
export const Game = GroupVersion.kind<Game>("Game");
