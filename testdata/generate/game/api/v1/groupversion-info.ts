// +groupName=myapp.qingwave.github.io
import { groupVersion } from "@kubewright/runtime";

export const GroupVersion = groupVersion("myapp.qingwave.github.io", "v1");
