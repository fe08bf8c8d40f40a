package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// GameSpec defines the desired state of Game.
type GameSpec struct {
	// Number of desired pods. This is optional to distinguish between explicit
	// zero and not specified. Defaults to 1.
	// +optional
	//+kubebuilder:default:=1
	//+kubebuilder:validation:Minimum:=1
	Replicas *int32 `json:"replicas,omitempty"`

	// Docker image name
	// +optional
	Image string `json:"image,omitempty"`

	// Ingress Host name
	Host string `json:"host,omitempty"`
}

// GameStatus defines the observed state of Game.
type GameStatus struct {
	// Phase is the phase of the game
	Phase string `json:"phase,omitempty"`
	// replicas is the number of Pods created by the Deployment.
	Replicas int32 `json:"replicas"`
	// readyReplicas is the number of Pods created by the Deployment that have a Ready Condition.
	ReadyReplicas int32 `json:"readyReplicas"`
	// LabelSelector is label selectors for query over pods that should match the replica count used by HPA.
	LabelSelector string `json:"labelSelector,omitempty"`
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

// Game is the Schema for the games API.
type Game struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GameSpec   `json:"spec"`
	Status            GameStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true
type GameList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Game `json:"items"`
}
