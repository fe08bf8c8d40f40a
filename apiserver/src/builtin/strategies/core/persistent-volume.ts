import type { Json, JsonObject } from "../../../json/json.ts";
import { validateLabelSelector } from "../../../metadata/label-selector.ts";
import { timestamp } from "../../../registry/metadata.ts";
import type { ApiObject, Strategy } from "../../../registry/resource.ts";
import type { FieldError } from "../../../request/field-error.ts";
import { forbiddenValue, invalidValue, notSupported, required } from "../../../request/paths.ts";
import { fieldsOf, isSet, sortedKeys, textOf, textsOf } from "../fields.ts";
import { compareQuantities } from "../quantities.ts";
import { resourceQuantityErrors } from "./resource-names.ts";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

function accessModeErrors(value: Json | undefined, detail: string): FieldError[] {
  const modes = textsOf(value);
  const path = "spec.accessModes";
  if (modes.length === 0) return [required(path, detail)];
  const errors = modes
    .filter((mode) => !accessModes.includes(mode))
    .map((mode) => notSupported(path, mode, accessModes));
  if (
    modes.includes("ReadWriteOncePod") &&
    modes.some((mode) => mode !== "ReadWriteOncePod" && accessModes.includes(mode))
  ) {
    errors.push(forbiddenValue(path, "may not use ReadWriteOncePod with other access modes"));
  }
  return errors;
}

function positiveErrors(quantity: Json | undefined, path: string): FieldError[] {
  return compareQuantities(quantity, "0") > 0 ? [] : [invalidValue(path, quantity, "must be greater than zero")];
}

function claimErrors(object: ApiObject): FieldError[] {
  const spec = fieldsOf(object.spec);
  const requests = fieldsOf(fieldsOf(spec.resources).requests);
  const path = "spec.resources.requests[storage]";
  const errors = accessModeErrors(spec.accessModes, "at least 1 access mode is required");
  errors.push(...validateLabelSelector(spec.selector, "spec.selector"));
  if (requests.storage === undefined) return [...errors, required("spec.resources[storage]", "")];
  return [
    ...errors,
    ...resourceQuantityErrors("storage", requests.storage, path),
    ...positiveErrors(requests.storage, path),
  ];
}

/** The rules of PersistentVolumeClaims: new ones are pending. */
export const persistentVolumeClaim: Strategy = {
  prepareForCreate(object) {
    object.status = { phase: "Pending" };
  },
  validate: claimErrors,
};

function volumeErrors(object: ApiObject): FieldError[] {
  const spec = fieldsOf(object.spec);
  const errors = accessModeErrors(spec.accessModes, "");
  errors.push(...capacityErrors(spec));
  const policy = textOf(spec.persistentVolumeReclaimPolicy);
  const policies = ["Delete", "Recycle", "Retain"];
  if (!policies.includes(policy)) errors.push(notSupported("spec.persistentVolumeReclaimPolicy", policy, policies));
  return errors;
}

function capacityErrors(spec: JsonObject): FieldError[] {
  const capacity = fieldsOf(spec.capacity);
  const names = sortedKeys(capacity);
  const path = "spec.capacity";
  const errors: FieldError[] = names.length === 0 ? [required(path, "")] : [];
  if (capacity.storage === undefined || names.length > 1) {
    errors.push(notSupported(path, spec.capacity ?? null, ["storage"]));
  }
  return [
    ...errors,
    ...names.flatMap((name) => [
      ...resourceQuantityErrors(name, capacity[name], `${path}[${name}]`),
      ...positiveErrors(capacity[name], `${path}[${name}]`),
    ]),
  ];
}

/** The rules of PersistentVolumes: new ones are pending, and the server notes the time of each phase. */
export const persistentVolume: Strategy = {
  prepareForCreate(object, { now }) {
    object.status = { phase: "Pending", lastPhaseTransitionTime: timestamp(now) };
  },
  prepareForUpdate(object, old, { subresource, now }) {
    if (subresource !== "status") return;
    const [status, before] = [fieldsOf(object.status), fieldsOf(old.status)];
    if (status.phase !== before.phase) {
      if (!isSet(status.lastPhaseTransitionTime) || status.lastPhaseTransitionTime === before.lastPhaseTransitionTime) {
        object.status = { ...status, lastPhaseTransitionTime: timestamp(now) };
      }
    } else if (!isSet(status.lastPhaseTransitionTime) && isSet(before.lastPhaseTransitionTime)) {
      object.status = { ...status, lastPhaseTransitionTime: before.lastPhaseTransitionTime };
    }
  },
  validate: volumeErrors,
};
