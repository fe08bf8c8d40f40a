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
  for (const [, container] of allContainers(spec, "")) dropStopSignal(container);
  for (const volume of objectsOf(spec.volumes)) {
    for (const source of objectsOf(fieldsOf(volume.projected).sources)) {
      delete source.clusterTrustBundle;
      delete source.podCertificate;
    }
  }
}

/** Removes the fields of the status of a Pod that belong to such features. */
export function dropDisabledStatusFields(status: JsonObject): void {
  delete status.nodeAllocatableResourceClaimStatuses;
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
