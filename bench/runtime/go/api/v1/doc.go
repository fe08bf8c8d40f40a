// +kubebuilder:object:generate=true
// +groupName=bench.kubewright.dev

package v1
