// +groupName=bench.kubewright.dev

import { groupVersion } from "@kubewright/runtime";

/** The API group and version of the kinds in this directory. */
export const GroupVersion = groupVersion("bench.kubewright.dev", "v1");
