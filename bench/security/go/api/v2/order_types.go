// Package v2 contains a version of Order that is converted to v1: the same kind as in ../../../operator/api/v2.
// +kubebuilder:object:generate=true
// +groupName=bench.kubewright.dev
package v2

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/conversion"

	benchv1 "kubewright.dev/bench/security/api/v1"
)

// Owner is who placed an Order.
type Owner struct {
	Name string `json:"name"`
}

// OrderSpec defines the desired state of Order.
type OrderSpec struct {
	Product string `json:"product"`
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
// +kubebuilder:subresource:status

// Order is the Schema for the orders API.
type Order struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              OrderSpec `json:"spec"`
	// +optional
	Status OrderStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// OrderList contains a list of Order.
type OrderList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Order `json:"items"`
}

// ConvertTo converts this Order to the hub version.
func (o *Order) ConvertTo(hub conversion.Hub) error {
	to := hub.(*benchv1.Order)
	to.ObjectMeta = o.ObjectMeta
	to.Spec = benchv1.OrderSpec{Item: o.Spec.Product, Count: o.Spec.Count, Owner: (*benchv1.Owner)(o.Spec.Owner)}
	to.Status = benchv1.OrderStatus(o.Status)
	return nil
}

// ConvertFrom converts the hub version to this Order.
func (o *Order) ConvertFrom(hub conversion.Hub) error {
	from := hub.(*benchv1.Order)
	o.ObjectMeta = from.ObjectMeta
	o.Spec = OrderSpec{Product: from.Spec.Item, Count: from.Spec.Count, Owner: (*Owner)(from.Spec.Owner)}
	o.Status = OrderStatus(from.Status)
	return nil
}

// GroupVersion is the group and version of these types.
var GroupVersion = schema.GroupVersion{Group: "bench.kubewright.dev", Version: "v2"}

// AddToScheme registers the types.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &Order{}, &OrderList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
