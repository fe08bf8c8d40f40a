import type { ObjectRevision } from "@kubewright/dashboard/protocol";
import { managerOf } from "@kubewright/runtime/managed-fields";
import type { KubeObject } from "../client/kube-client.ts";

/** Returns the revision of an object that has changed while no session ran. */
export function missedRevision({ metadata = {} }: KubeObject): ObjectRevision {
  const { resourceVersion = "", managedFields } = metadata;
  const by = managerOf(managedFields, undefined, []);
  const time = (managedFields ?? []).reduce((max, entry) => ((entry.time ?? "") > max ? (entry.time ?? "") : max), "");
  return {
    resourceVersion,
    time: time || new Date().toISOString(),
    type: "modified",
    ...(by ? { by } : {}),
    changed: [],
    diff: "",
  };
}
