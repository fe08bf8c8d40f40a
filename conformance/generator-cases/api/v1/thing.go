// Package v1 contains the types of testdata/schemapatch/api/v1 in Go.
// +groupName=example.com
package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Thing is
// a thing. It has a description that is long enough to be cut.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// Spec of it: all
	Spec   ThingSpec   `json:"spec"`
	Status ThingStatus `json:"status,omitempty"`
}

// +kubebuilder:validation:AtMostOneOf=a;b
type ThingSpec struct {
	// +kubebuilder:validation:Enum=yes;no;on;"1";true;1
	// +kubebuilder:default=yes
	A string `json:"a,omitempty"`
	// B is `b`: "x"
	//   indented
	// +kubebuilder:default={b: "1", a: {}, list: {}}
	B map[string]string `json:"b,omitempty"`
	// +kubebuilder:validation:Pattern=`^[a-z]+: #$`
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="immutable",fieldPath=".x"
	C string `json:"1,omitempty"`
	// +kubebuilder:validation:Maximum=1000000000000000000000
	// +kubebuilder:example=0.5
	D int32 `json:"d10,omitempty"`
	// # no comment
	// +kubebuilder:validation:MinItems=1
	// +listType=set
	E []string `json:"d9,omitempty"`
	// Trailing: colon:
	F resource.Quantity `json:"y,omitempty"`
	// - dash
	G intstr.IntOrString `json:"null,omitempty"`
	// 2001-01-01
	H metav1.Time `json:"2001-01-01,omitempty"`
	// 0o17
	// +kubebuilder:default="0777"
	// +kubebuilder:title="~"
	// +kubebuilder:externalDocs:url="https://example.com",description="1_000"
	I string `json:"0x1F,omitempty"`
	// 1:30
	// +kubebuilder:default="a\tb"
	// +nullable
	J string `json:"é x,omitempty"`
	// 😀 smile
	// +kubebuilder:validation:XPreserveUnknownFields
	K map[string]ThingPart `json:"k,omitempty"`
	// leading
	//
	//
	// and trailing
	// ---
	// cut
	L *metav1.LabelSelector `json:"on,omitempty"`
}

// ThingPart is a part.
type ThingPart struct {
	// +kubebuilder:default={1,2,3}
	Numbers []int64 `json:"numbers"`
	// A text that is much longer than eighty columns, which other files would fold, but not those that are patched in.
	Text string `json:"text"`
}

type ThingStatus struct {
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
