import { cloneJson, type JsonObject } from "@kubewright/cel/json";
import type { ApiObject } from "../../../model/resource.ts";
import { controllerReference, type Pod, type Selector } from "../common/objects.ts";

/** A PersistentVolumeClaim. */
export interface Claim extends ApiObject {
  spec: JsonObject & {
    accessModes?: string[];
    resources?: JsonObject & { requests?: { [key: string]: string } };
    storageClassName?: string;
    volumeMode?: string;
    volumeName?: string;
    selector?: Selector;
  };
  status?: JsonObject & { phase?: string; accessModes?: string[]; capacity?: { [key: string]: string } };
}

/** A PersistentVolume. */
export interface Volume extends ApiObject {
  spec: JsonObject & {
    accessModes?: string[];
    capacity?: { [key: string]: string };
    claimRef?: JsonObject & { namespace?: string; name?: string; uid?: string };
    persistentVolumeReclaimPolicy?: string;
    storageClassName?: string;
    volumeMode?: string;
  };
  status?: JsonObject & { phase?: string };
}

/** A StorageClass. */
export interface StorageClass extends ApiObject {
  provisioner: string;
  reclaimPolicy?: string;
  volumeBindingMode?: string;
}

/** Returns the storage that a claim asks for. */
export function requestOf({ spec }: Claim): string {
  return spec.resources?.requests?.storage ?? "0";
}

/** Returns the names of the claims that a Pod uses. */
export function claimNamesOf(pod: Pod): string[] {
  return (pod.spec.volumes ?? []).flatMap((volume) => {
    const { claimName } = (volume.persistentVolumeClaim ?? {}) as { claimName?: string };
    if (claimName !== undefined) return [claimName];
    return volume.ephemeral === undefined ? [] : [`${pod.metadata.name}-${volume.name}`];
  });
}

/** Returns the claims that a Pod brings along for its ephemeral volumes. */
export function ephemeralClaimsOf(pod: Pod): Claim[] {
  return (pod.spec.volumes ?? []).flatMap((volume) => {
    const { volumeClaimTemplate } = (volume.ephemeral ?? {}) as { volumeClaimTemplate?: Claim };
    if (volumeClaimTemplate === undefined) return [];
    const { metadata, spec } = cloneJson(volumeClaimTemplate);
    const { labels, annotations } = metadata ?? {};
    return {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: {
        name: `${pod.metadata.name}-${volume.name}`,
        namespace: pod.metadata.namespace as string,
        ...(labels === undefined ? {} : { labels }),
        ...(annotations === undefined ? {} : { annotations }),
        ownerReferences: [controllerReference(pod)],
      },
      spec,
    };
  });
}
