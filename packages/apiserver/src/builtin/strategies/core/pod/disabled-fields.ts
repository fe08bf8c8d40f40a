import type { Json, JsonObject } from "@kubewright/cel/json";
import { fieldsOf, isSet, objectsOf } from "../../fields/fields.ts";
import { allContainers } from "../container/all-containers.ts";

/**
 * Removes the fields of a Pod or of a template that belong to features that are off by default.
 *
 * @param value - the specification of the Pod, which this function changes; other values stay
 */
export function dropDisabledFields(value: Json | undefined): void {
  const spec = fieldsOf(value);
  delete spec.schedulingGroup;
  delete spec.evictionResponders;
  for (const [, container] of allContainers(spec, "")) {
    dropStopSignal(container);
    dropProtocols(container);
    for (const mount of objectsOf(container.volumeMounts)) delete mount.bindMountOptions;
  }
  for (const volume of objectsOf(spec.volumes)) dropVolumeFields(volume);
}

/** Removes the protocols of probes and hooks. */
function dropProtocols(container: JsonObject): void {
  const { postStart, preStop } = fieldsOf(container.lifecycle);
  const probes = [container.livenessProbe, container.readinessProbe, container.startupProbe];
  for (const handler of [...probes, postStart, preStop]) delete fieldsOf(fieldsOf(handler).httpGet).protocol;
  for (const probe of probes) delete fieldsOf(fieldsOf(probe).grpc).mode;
}

/** Removes the modes of empty directories, and the owners of files. */
function dropVolumeFields(volume: JsonObject): void {
  delete fieldsOf(volume.emptyDir).mode;
  const sources = objectsOf(fieldsOf(volume.projected).sources);
  for (const source of [volume, ...sources]) {
    for (const kind of ["secret", "configMap", "downwardAPI"]) {
      for (const item of objectsOf(fieldsOf(source[kind]).items)) delete item.user;
    }
  }
  for (const kind of ["secret", "configMap", "downwardAPI", "projected"]) delete fieldsOf(volume[kind]).defaultUser;
  for (const source of sources) {
    for (const kind of ["serviceAccountToken", "clusterTrustBundle", "podCertificate"])
      delete fieldsOf(source[kind]).user;
  }
}

/** Removes the fields of the status of a Pod that belong to such features. */
export function dropDisabledStatusFields(status: JsonObject): void {
  delete status.nodeAllocatableResourceClaimStatuses;
  delete status.volumeHealth;
  for (const kind of ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"]) {
    for (const { volumeMounts } of objectsOf(status[kind])) {
      for (const mount of objectsOf(volumeMounts)) delete mount.volumeStatus;
    }
  }
}

function dropStopSignal(container: JsonObject): void {
  if (!isSet(fieldsOf(container.lifecycle).stopSignal)) return;
  const { stopSignal: _, ...others } = fieldsOf(container.lifecycle);
  if (Object.values(others).some(isSet)) container.lifecycle = others;
  else delete container.lifecycle;
}
