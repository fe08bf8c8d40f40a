import { existsSync } from "node:fs";
import type { KubernetesObject } from "../api/index.ts";
import { readManifests } from "./manifests.ts";

/** The parts of a CustomResourceDefinition that installation requires. */
export interface CRD extends KubernetesObject {
  spec: {
    group: string;
    names: { plural: string; kind: string };
    versions: { name: string; served: boolean }[];
    conversion?: { strategy: string; webhook?: object };
    preserveUnknownFields?: boolean;
  };
}

export interface CRDSources {
  crdDirectoryPaths: readonly string[];
  crds: readonly KubernetesObject[];
  errorIfCRDPathMissing: boolean;
}

/**
 * Returns all CRDs of the sources. If names are repeated, the last CRD is used.
 *
 * @throws an `Error` that contains the path of an unreadable file
 */
export function readCRDs(sources: CRDSources): CRD[] {
  const crds = new Map<string, CRD>();
  const add = (value: unknown, where: string): void => {
    if (!isCRD(value)) return;
    const name = value.metadata?.name;
    if (!name || !value.spec?.group || !value.spec.names?.plural || !Array.isArray(value.spec.versions)) {
      throw new Error(`${where}: a CustomResourceDefinition without name, group, plural or versions`);
    }
    crds.set(name, value);
  };
  for (const path of sources.crdDirectoryPaths) {
    if (!existsSync(path)) {
      if (sources.errorIfCRDPathMissing) throw new Error(`${path}: no such file or directory (crdDirectoryPaths)`);
      continue;
    }
    for (const { value, file } of readManifests(path)) add(value, file);
  }
  sources.crds.forEach((crd, index) => {
    if (!isCRD(crd)) throw new Error(`crds[${index}] isn't an apiextensions.k8s.io/v1 CustomResourceDefinition`);
    add(crd, `crds[${index}]`);
  });
  return [...crds.values()];
}

function isCRD(value: unknown): value is CRD {
  const object = value as KubernetesObject | null | undefined;
  return object?.kind === "CustomResourceDefinition" && object.apiVersion === "apiextensions.k8s.io/v1";
}
