import type { JsonObject } from "../../../json/json.ts";
import type { ApiObject } from "../../../registry/resource.ts";
import type { Selector } from "../objects.ts";

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

/** @returns the storage that a claim asks for */
export function requestOf({ spec }: Claim): string {
  return spec.resources?.requests?.storage ?? "0";
}

/** @returns the names of the claims that a Pod uses */
export function claimNamesOf(pod: ApiObject & { spec: { volumes?: JsonObject[] } }): string[] {
  return (pod.spec.volumes ?? []).flatMap((volume) => {
    const { claimName } = (volume.persistentVolumeClaim ?? {}) as { claimName?: string };
    if (claimName !== undefined) return [claimName];
    return volume.ephemeral === undefined ? [] : [`${pod.metadata.name}-${volume.name}`];
  });
}
