import type { JsonObject } from "../../json/json.ts";
import { ensureObject, setDefaults, setPointers } from "./values.ts";

/** Sets the defaults of the specification of a PersistentVolumeClaim. */
export function defaultClaimSpec(spec: JsonObject): void {
  setPointers(spec, { volumeMode: "Filesystem" });
}

/** Sets the defaults of a PersistentVolumeClaim. */
export function defaultClaim(claim: JsonObject): void {
  defaultClaimSpec(ensureObject(claim, "spec"));
  setDefaults(ensureObject(claim, "status"), { phase: "Pending" });
}
