import type { ApiObject } from "../../../model/resource.ts";
import { matchesLabels } from "../../../request/label-selector.ts";
import { selectorOfObject } from "../../../request/selector-object.ts";
import { compareAmounts } from "../../../validation/amounts.ts";
import { type Claim, requestOf, type StorageClass, type Volume } from "./types.ts";

/** The provisioner of the default StorageClass. */
export const provisioner = "apiserver.kubewright.dev/simulated";

/** The default StorageClass. */
export const defaultClass: ApiObject = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: "standard", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
  provisioner,
  reclaimPolicy: "Delete",
  volumeBindingMode: "Immediate",
  allowVolumeExpansion: true,
};

/** Returns true if a volume suits a claim. */
export function suits(volume: Volume, claim: Claim): boolean {
  const { spec } = volume;
  const { claimRef } = spec;
  if (volume.metadata.deletionTimestamp !== undefined || volume.status?.phase === "Released") return false;
  if (claimRef !== undefined) {
    const reserved = claimRef.namespace === claim.metadata.namespace && claimRef.name === claim.metadata.name;
    if (!reserved || (claimRef.uid !== undefined && claimRef.uid !== claim.metadata.uid)) return false;
  }
  return (
    (spec.storageClassName ?? "") === (claim.spec.storageClassName ?? "") &&
    (spec.volumeMode ?? "Filesystem") === (claim.spec.volumeMode ?? "Filesystem") &&
    (claim.spec.accessModes ?? []).every((mode) => spec.accessModes?.includes(mode)) &&
    compareAmounts(spec.capacity?.storage ?? "0", requestOf(claim)) >= 0 &&
    matchesLabels(selectorOfObject(claim.spec.selector), volume.metadata.labels)
  );
}

/** Returns the smallest volume that suits a claim, reserved ones first. */
export function bestVolume(volumes: Iterable<Volume>, claim: Claim): Volume | undefined {
  const suitable = [...volumes].filter((volume) => suits(volume, claim));
  suitable.sort(
    (a, b) =>
      Number(b.spec.claimRef !== undefined) - Number(a.spec.claimRef !== undefined) ||
      compareAmounts(a.spec.capacity?.storage ?? "0", b.spec.capacity?.storage ?? "0"),
  );
  return suitable[0];
}

/** Returns the volume that is provisioned for a claim. */
export function newVolume(claim: Claim, { metadata, ...storageClass }: StorageClass): Volume {
  const name = `pvc-${claim.metadata.uid}`;
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name, annotations: { "pv.kubernetes.io/provisioned-by": storageClass.provisioner } },
    spec: {
      accessModes: [...(claim.spec.accessModes ?? [])],
      capacity: { storage: requestOf(claim) },
      claimRef: claimReference(claim),
      hostPath: { path: `/simulated/${name}`, type: "" },
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? "Delete",
      storageClassName: metadata.name as string,
      volumeMode: claim.spec.volumeMode ?? "Filesystem",
    },
  };
}

/** Returns the reference of a volume to its claim. */
export function claimReference({ metadata }: Claim): NonNullable<Volume["spec"]["claimRef"]> {
  const { namespace, name, uid, resourceVersion } = metadata as Record<string, string>;
  return { kind: "PersistentVolumeClaim", namespace, name, uid, apiVersion: "v1", resourceVersion };
}
