import type { Status } from "@kubewright/dashboard/protocol";
import { readDefinitions } from "../client/manifests.ts";

/** Returns the kinds that the CRDs of a project define, in their stored version. */
export function projectKinds(root: string): Status["kinds"] {
  return readDefinitions(root).documents.flatMap(({ spec }) => {
    const { group, names, versions } = spec as unknown as {
      group: string;
      names: { kind: string; plural: string };
      versions: { name: string; served: boolean; storage: boolean }[];
    };
    const version = versions.find(({ served, storage }) => served && storage) ?? versions.find(({ served }) => served);
    return version ? [{ apiVersion: `${group}/${version.name}`, kind: names.kind, plural: names.plural }] : [];
  });
}
