import { equalJson, type JsonObject } from "@kubewright/cel/json";
import { duplicateValue, type FieldError, invalidValue, required } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { fieldsOf, immutable, isSet, numberOf, objectsOf, oneOf, textOf, textsOf } from "../fields/fields.ts";

const tokenFields = "spec.serviceAccountTokenInSecrets";

function driverErrors(object: ApiObject): FieldError[] {
  const spec = fieldsOf(object.spec);
  const errors: FieldError[] = [];
  for (const key of ["attachRequired", "podInfoOnMount", "storageCapacity"]) {
    if (!isSet(spec[key])) errors.push(required(`spec.${key === "attachRequired" ? "attachedRequired" : key}`, ""));
  }
  errors.push(...oneOf(spec.fsGroupPolicy, "spec.fsGroupPolicy", ["File", "None", "ReadWriteOnceWithFSType"]));
  errors.push(...tokenRequestErrors(objectsOf(spec.tokenRequests)));
  for (const mode of textsOf(spec.volumeLifecycleModes)) {
    errors.push(...oneOf(mode, "spec.volumeLifecycleModes", ["Persistent", "Ephemeral"]));
  }
  return [...errors, ...periodErrors(spec), ...secretTokenErrors(spec)];
}

function periodErrors(spec: JsonObject): FieldError[] {
  const period = spec.nodeAllocatableUpdatePeriodSeconds;
  if (!isSet(period) || numberOf(period) >= 10) return [];
  return [
    invalidValue("spec.nodeAllocatableUpdatePeriodSeconds", period, "must be greater than or equal to 10 seconds"),
  ];
}

function secretTokenErrors(spec: JsonObject): FieldError[] {
  const value = spec.serviceAccountTokenInSecrets;
  if (!isSet(value) || objectsOf(spec.tokenRequests).length > 0) return [];
  return [invalidValue(tokenFields, value, "serviceAccountTokenInSecrets is set but no tokenRequests are specified")];
}

function tokenRequestErrors(requests: readonly JsonObject[]): FieldError[] {
  const audiences = new Set<string>();
  return requests.flatMap((request, index) => {
    const at = `spec.tokenRequests[${index}]`;
    const audience = textOf(request.audience);
    if (audiences.has(audience)) return [duplicateValue(`${at}.audience`, audience)];
    audiences.add(audience);
    const seconds = request.expirationSeconds;
    if (typeof seconds !== "number") return [];
    if (seconds < 600) {
      return [invalidValue(`${at}.expirationSeconds`, seconds, "may not specify a duration less than 10 minutes")];
    }
    if (seconds <= 2 ** 32) return [];
    return [invalidValue(`${at}.expirationSeconds`, seconds, "may not specify a duration larger than 2^32 seconds")];
  });
}

function warnings(object: ApiObject): string[] {
  const spec = fieldsOf(object.spec);
  if (objectsOf(spec.tokenRequests).length === 0 || isSet(spec.serviceAccountTokenInSecrets)) return [];
  const advice =
    "if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes";
  return [`${tokenFields} is unset; ${advice}`];
}

function requestsOf(object: ApiObject): JsonObject[] {
  return objectsOf(fieldsOf(object.spec).tokenRequests);
}

/** The rules of CSIDrivers. New ones have no generation; the first change of the specification starts to count. */
export const csiDriver: Strategy = {
  prepareForCreate(object) {
    delete object.metadata.generation;
  },
  validate: driverErrors,
  validateUpdate(object, old) {
    const [spec, before] = [fieldsOf(object.spec), fieldsOf(old.spec)];
    return [
      ...driverErrors(object),
      ...immutable(spec.attachRequired, before.attachRequired, "spec.attachedRequired"),
      ...immutable(spec.volumeLifecycleModes, before.volumeLifecycleModes, "spec.volumeLifecycleModes"),
    ];
  },
  warningsOnCreate: warnings,
  warningsOnUpdate: (object, old) => (equalJson(requestsOf(object), requestsOf(old)) ? [] : warnings(object)),
};
