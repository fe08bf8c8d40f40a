// +kubebuilder:object:generate=true
// +groupName=myapp.example.com
import { groupVersion } from "@kubewright/runtime";

export const GroupVersion = groupVersion("myapp.example.com", "v1");
