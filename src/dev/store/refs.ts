import type { ObjectRef } from "@kubewright/dashboard/protocol";
import type { KubeObject } from "../client/kube-client.ts";
import { groupOf } from "../kinds/named-kind.ts";
import { matches, type ObjectFilter } from "./records.ts";

/** Identifies a kind, regardless of its version. */
export function kindId({ apiVersion = "", kind = "" }: Pick<KubeObject, "apiVersion" | "kind">): string {
  return `${groupOf(apiVersion)}/${kind}`;
}

/** Identifies an object, regardless of its version. */
export function refId({ apiVersion = "", kind, namespace = "", name }: ObjectRef): string {
  return `${groupOf(apiVersion)}/${kind}/${namespace}/${name}`;
}

/** Returns the identities of the objects that a filter selects. */
export function refsOf(stored: Iterable<{ readonly object: KubeObject }>, filter: ObjectFilter): ObjectRef[] {
  const refs: ObjectRef[] = [];
  for (const { object } of stored) {
    const ref = refOf(object);
    if (matches(ref, filter)) refs.push(ref);
  }
  return refs;
}

/** Returns the identity of an object. */
export function refOf({ apiVersion = "", kind = "", metadata = {} }: KubeObject) {
  return { apiVersion, kind, namespace: metadata.namespace ?? "", name: metadata.name ?? "" };
}
