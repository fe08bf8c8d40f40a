// The kind of the benchmark: what ../../operator/api/v1 says in TypeScript.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// SampleSpec is what the ConfigMap of a Sample is to hold.
type SampleSpec struct {
	Value string `json:"value"`
}

// SampleStatus says what has been done.
type SampleStatus struct {
	// +optional
	Value string `json:"value,omitempty"`
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status

// Sample owns one ConfigMap.
type Sample struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              SampleSpec `json:"spec"`
	// +optional
	Status SampleStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// SampleList is a list of Samples.
type SampleList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Sample `json:"items"`
}

// GroupVersion is where Samples are served.
var GroupVersion = schema.GroupVersion{Group: "bench.kubewright.dev", Version: "v1"}

// AddToScheme makes Samples known.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &Sample{}, &SampleList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
