import type { JsonObject } from "@kubewright/cel/json";
import { ensureObject, objectAt, roundAmounts, setDefaults, setPointers } from "./values.ts";

/** Sets the defaults of the specification of a PersistentVolumeClaim. */
export function defaultClaimSpec(spec: JsonObject): void {
  setPointers(spec, { volumeMode: "Filesystem" });
  roundAmounts(objectAt(spec, "resources"), "limits", "requests");
}

/** Sets the defaults of a PersistentVolumeClaim. */
export function defaultClaim(claim: JsonObject): void {
  defaultClaimSpec(ensureObject(claim, "spec"));
  const status = ensureObject(claim, "status");
  setDefaults(status, { phase: "Pending" });
  roundAmounts(status, "capacity", "allocatedResources");
}
