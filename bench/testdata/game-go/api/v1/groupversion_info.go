// +kubebuilder:object:generate=true
// +groupName=myapp.qingwave.github.io
package v1
