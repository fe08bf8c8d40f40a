import type { Status } from "@kubewright/dashboard/protocol";
import type { KubeObject } from "../client/kube-client.ts";
import { readDefinitions } from "../client/manifests.ts";

/** A kind of the project, in its stored version. */
type ProjectKind = Status["kinds"][number];

/** Returns the kinds that the CRDs of a project define. */
export function projectKinds(root: string): ProjectKind[] {
  return readDefinitions(root).documents.flatMap((definition) => kindOf(definition) ?? []);
}

/** Returns the kind that a CRD defines; undefined if no version is served. */
export function kindOf({ spec }: KubeObject): ProjectKind | undefined {
  const { group, names, versions } = spec as unknown as {
    group: string;
    names: { kind: string; plural: string };
    versions: { name: string; served: boolean; storage: boolean }[];
  };
  const version = versions.find(({ served, storage }) => served && storage) ?? versions.find(({ served }) => served);
  return version && { apiVersion: `${group}/${version.name}`, kind: names.kind, plural: names.plural };
}
