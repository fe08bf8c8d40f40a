// +groupName=bench.kubewright.dev
import { groupVersion } from "@kubewright/runtime";

export const GroupVersion = groupVersion("bench.kubewright.dev", "v1");
