// Package v1 contains the storage version of Order: the same kind as in ../../../operator/api/v1.
// +kubebuilder:object:generate=true
// +groupName=bench.kubewright.dev
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Owner is who placed an Order.
type Owner struct {
	Name string `json:"name"`
}

// OrderSpec defines the desired state of Order.
type OrderSpec struct {
	Item string `json:"item"`
	// +optional
	Count int32 `json:"count,omitempty"`
	// +optional
	Owner *Owner `json:"owner,omitempty"`
}

// OrderStatus defines the observed state of Order.
type OrderStatus struct {
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:storageversion
// +kubebuilder:subresource:status

// Order is the Schema for the orders API.
type Order struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              OrderSpec `json:"spec"`
	// +optional
	Status OrderStatus `json:"status,omitempty"`
}

// Hub marks the version that the others are converted to.
func (*Order) Hub() {}

// +kubebuilder:object:root=true

// OrderList contains a list of Order.
type OrderList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Order `json:"items"`
}

// GroupVersion is the group and version of these types.
var GroupVersion = schema.GroupVersion{Group: "bench.kubewright.dev", Version: "v1"}

// AddToScheme registers the types.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &Order{}, &OrderList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
