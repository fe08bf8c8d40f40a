import { cloneJson, copyKey, equalJson, type JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  isQualifiedName,
  notSupported,
  required,
} from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../../model/resource.ts";
import { changes } from "../../fields/changes.ts";
import { fieldsOf, immutable, invalidFor, isSet, sortedKeys, textOf, textsOf } from "../../fields/fields.ts";
import { compareQuantities, quantityValue } from "../../fields/quantities.ts";
import { isNativeResource } from "../resource-names.ts";
import { claimSpecErrors, claimSpecWarnings, setDataSources } from "./claim-spec.ts";

const oldClass = "volume.beta.kubernetes.io/storage-class";

function annotationOf(object: ApiObject): string | undefined {
  return object.metadata.annotations?.[oldClass];
}

function requestOf(spec: JsonObject): JsonObject[string] | undefined {
  return fieldsOf(fieldsOf(spec.resources).requests).storage;
}

/** The specifications without the differences that an update may make. */
function comparedSpecs(object: ApiObject, old: ApiObject): [now: JsonObject, before: JsonObject] {
  const [now, before] = [cloneJson(fieldsOf(object.spec)), cloneJson(fieldsOf(old.spec))];
  setDataSources(before, before);
  if (textOf(before.volumeName) === "") copyKey(before, now, "volumeName");
  const annotation = annotationOf(old);
  const isSetOnce = !isSet(before.storageClassName) && isSet(now.storageClassName);
  if (isSetOnce && (annotation === undefined || annotation === now.storageClassName)) delete now.storageClassName;
  if (fieldsOf(object.status).phase === "Bound") {
    const requests = fieldsOf(now.resources).requests;
    if (isSet(requests)) (requests as JsonObject).storage = requestOf(before) ?? "0";
    copyKey(now, before, "volumeAttributesClassName");
  }
  return [now, before];
}

function attributesErrors(spec: JsonObject, old: ApiObject): FieldError[] {
  const path = "spec.volumeAttributesClassName";
  const name = spec.volumeAttributesClassName;
  const isApplied = isSet(fieldsOf(old.status).currentVolumeAttributesClassName);
  if (!isApplied || equalJson(name ?? null, fieldsOf(old.spec).volumeAttributesClassName ?? null)) return [];
  const refuse = (what: string): FieldError[] => {
    const detail = `update to ${what} is forbidden when status.currentVolumeAttributesClassName is not nil`;
    return [forbiddenValue(path, detail)];
  };
  if (!isSet(name)) return refuse("nil");
  return name === "" ? refuse("empty string") : [];
}

function updateErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const [spec, before] = [fieldsOf(object.spec), fieldsOf(old.spec)];
  const hadGroup = [before.dataSource, before.dataSourceRef].some((source) => isSet(fieldsOf(source).apiGroup));
  const errors = claimSpecErrors(spec, "spec", hadGroup);
  const [now, then] = [annotationOf(object), annotationOf(old)];
  const isUpgraded = then !== undefined && !isSet(before.storageClassName) && spec.storageClassName === then;
  if ((now ?? "") !== (then ?? "") && !(isUpgraded && now === undefined)) {
    errors.push(invalidValue(`metadata.annotations.${oldClass}`, now ?? "", "field is immutable"));
  }
  const [compared, kept] = comparedSpecs(object, old);
  if (!equalJson(compared, kept)) {
    const detail =
      "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
    errors.push(forbiddenValue("spec", `${detail}\n${changes("core.PersistentVolumeClaimSpec", kept, compared)}`));
  }
  const isLess = compareQuantities(requestOf(spec), requestOf(before)) < 0;
  if (isLess && compareQuantities(requestOf(spec), fieldsOf(fieldsOf(old.status).capacity).storage) <= 0) {
    errors.push(forbiddenValue("spec.resources.requests.storage", "field can not be less than status.capacity"));
  }
  return [...errors, ...immutable(spec.volumeMode, before.volumeMode, "volumeMode"), ...attributesErrors(spec, old)];
}

function statusErrors(object: ApiObject): FieldError[] {
  const capacity = fieldsOf(fieldsOf(object.status).capacity);
  const modes = textsOf(fieldsOf(object.spec).accessModes);
  const errors: FieldError[] = modes.length === 0 ? [required("Spec.accessModes", "")] : [];
  for (const name of sortedKeys(capacity)) {
    const value = quantityValue(capacity[name]);
    const path = `status.capacity[${name}]`;
    if (value < 0) errors.push(invalidValue(path, Math.floor(value), "must be a valid resource quantity"));
  }
  return [...errors, ...allocationErrors(fieldsOf(object.status))];
}

const allocationStatuses = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
];

/** Checks the resources whose expansion is under way. */
function allocationErrors({ allocatedResourceStatuses, allocatedResources }: JsonObject): FieldError[] {
  const [statuses, amounts] = [fieldsOf(allocatedResourceStatuses), fieldsOf(allocatedResources)];
  const path = "status.allocatedResources";
  return [
    ...sortedKeys(statuses).flatMap((name) => {
      const ofStatus = "status.allocatedResourceStatuses";
      const isKnown = allocationStatuses.includes(textOf(statuses[name]));
      // The real server names the resource in place of its status.
      const unknown = isKnown ? [] : [notSupported(ofStatus, name, allocationStatuses)];
      return [...allocatedNameErrors(name, ofStatus), ...unknown];
    }),
    ...sortedKeys(amounts).flatMap((name) => {
      const wrong = allocatedNameErrors(name, path);
      const value = quantityValue(amounts[name]);
      if (wrong.length > 0 || value >= 0) return wrong;
      return [invalidValue(`${path}[${name}]`, Math.floor(value), "must be a valid resource quantity")];
    }),
  ];
}

/** Checks the name of a resource of a volume: `storage`, or one with the domain of its vendor. */
function allocatedNameErrors(name: string, path: string): FieldError[] {
  const problems = invalidFor(path, name, isQualifiedName(name));
  if (problems.length > 0 || name === "storage" || !isNativeResource(name)) return problems;
  return [notSupported(path, name, ["storage"])];
}

function claimWarnings(object: ApiObject): string[] {
  const old = `metadata.annotations[${oldClass}]: deprecated since v1.8; use "storageClassName" attribute instead`;
  const warnings = annotationOf(object) === undefined ? [] : [old];
  return [...warnings, ...claimSpecWarnings(fieldsOf(object.spec), "spec")];
}

/** The rules of PersistentVolumeClaims: new ones are pending. */
export const persistentVolumeClaim: Strategy = {
  prepareForCreate(object) {
    object.status = { phase: "Pending" };
    setDataSources(fieldsOf(object.spec));
  },
  prepareForUpdate(object, old, { subresource }) {
    if (subresource === "") setDataSources(fieldsOf(object.spec), fieldsOf(old.spec));
    if (!isSet(fieldsOf(old.status).healthStatus)) delete fieldsOf(object.status).healthStatus;
  },
  validate: (object) => claimSpecErrors(fieldsOf(object.spec), "spec"),
  validateUpdate: (object, old, { subresource }) =>
    subresource === "status" ? statusErrors(object) : updateErrors(object, old),
  warningsOnCreate: claimWarnings,
  warningsOnUpdate: (object, _old, { subresource }) => (subresource === "status" ? [] : claimWarnings(object)),
};
