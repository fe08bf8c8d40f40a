import { copyKey, type JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  isDNS1123Subdomain,
  isQualifiedName,
  parseIP,
} from "@kubewright/cel/validation";
import type { ApiObject } from "../../../../model/resource.ts";
import { ipWarnings } from "../../../../validation/ip-warnings.ts";
import { fieldsOf, invalidFor, numberOf, objectsOf, textOf } from "../../fields/fields.ts";
import { addressErrors, isDualStack } from "../addresses.ts";
import { allocatedErrors, stateErrors, userErrors } from "../container/container-statuses.ts";
import { claimStatusErrors, extendedClaimErrors } from "./claim-statuses.ts";
import { podAnnotationChangeErrors } from "./pod-annotations.ts";

const systemConditions = ["PodScheduled", "Ready", "Initialized"];
const generationRule = "must be a non-negative integer";

function addressesOf(status: JsonObject, key: string): string[] {
  return objectsOf(status[key]).map(({ ip }) => textOf(ip));
}

function conditionErrors(status: JsonObject): FieldError[] {
  return objectsOf(status.conditions).flatMap(({ type, observedGeneration }, index) => {
    const at = `status.conditions[${index}]`;
    const generation = numberOf(observedGeneration);
    const errors = generation < 0 ? [invalidValue(`${at}.observedGeneration`, generation, generationRule)] : [];
    const name = textOf(type);
    return systemConditions.includes(name)
      ? errors
      : [...errors, ...invalidFor(`${at}.Type`, name, isQualifiedName(name))];
  });
}

function addressListErrors(status: JsonObject, before: JsonObject, key: string): FieldError[] {
  const addresses = addressesOf(status, key);
  const stored = addressesOf(before, key);
  const path = `status.${key}`;
  const errors = addresses.flatMap((address, index) => addressErrors(address, `${path}[${index}]`, stored));
  if (addresses.length < 2 || isDualStack(addresses)) return errors;
  const shown = addresses.map((IP) => ({ IP }));
  const detail = "may specify no more than one IP for each IP family";
  const unreadable = addresses.findIndex((address) => parseIP(address, true) === undefined);
  if (unreadable >= 0) {
    const problem = `failed to check for dual stack with error:invalid IP[${unreadable}]: ${addresses[unreadable]}`;
    errors.push({ type: "InternalError", field: path, detail: problem });
  }
  return [...errors, invalidValue(path, shown, detail)];
}

/** Checks that both forms of the addresses of a Pod agree. */
function addressPairErrors(status: JsonObject): FieldError[] {
  const [address, addresses] = [textOf(status.podIP), addressesOf(status, "podIPs")];
  const path = "status.podIPs";
  if ((address !== "") !== addresses.length > 0) {
    const detail = "podIP and podIPs must either both be set or both be unset";
    return [
      invalidValue(
        path,
        addresses.map((IP) => ({ IP })),
        detail,
      ),
    ];
  }
  const [first] = addresses;
  return first === undefined || first === address
    ? []
    : [invalidValue(`${path}[0].ip`, first, "must be equal to `podIP`")];
}

/** Checks an update of the status of a Pod. */
export function podStatusErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const [status, before] = [fieldsOf(object.status), fieldsOf(old.status)];
  const errors = [...podAnnotationChangeErrors(object, old, "metadata.annotations"), ...conditionErrors(status)];
  const nominated = textOf(status.nominatedNodeName);
  if (nominated !== "" && nominated !== before.nominatedNodeName) {
    errors.push(...invalidFor("status.nominatedNodeName", nominated, isDNS1123Subdomain(nominated)));
    if (textOf(fieldsOf(old.spec).nodeName) !== "")
      errors.push(
        forbiddenValue("status.nominatedNodeName", "may not be set on pods that are already bound to a node"),
      );
  }
  const generation = numberOf(status.observedGeneration);
  if (generation < 0) errors.push(invalidValue("status.observedGeneration", generation, generationRule));
  if (textOf(status.qosClass) !== textOf(before.qosClass)) {
    errors.push(invalidValue("status.qosClass", textOf(status.qosClass), "field is immutable"));
  }
  const spec = fieldsOf(object.spec);
  errors.push(...stateErrors(status, before, fieldsOf(old.spec)));
  errors.push(...claimStatusErrors(status.resourceClaimStatuses, spec, "status.resourceClaimStatuses"));
  const extended = "extendedResourceClaimStatus";
  errors.push(...extendedClaimErrors(status[extended], spec, `status.${extended}`));
  errors.push(...addressListErrors(status, before, "podIPs"), ...addressPairErrors(status));
  const [first] = addressesOf(status, "hostIPs");
  if (first !== undefined && first !== textOf(status.hostIP)) {
    errors.push(invalidValue("status.hostIPs[0].ip", first, "must be equal to `hostIP`"));
  }
  return [
    ...errors,
    ...addressListErrors(status, before, "hostIPs"),
    ...userErrors(status, spec),
    ...allocatedErrors(status, spec),
  ];
}

/** Finds the warnings for the addresses in the status of a Pod. */
export function podStatusWarnings(object: ApiObject): string[] {
  const status = fieldsOf(object.status);
  return ["podIPs", "hostIPs"].flatMap((key) =>
    addressesOf(status, key).flatMap((address, index) => ipWarnings(`status.${key}[${index}].ip`, address)),
  );
}

/**
 * Keeps the generations that a status is about, if a client leaves them out: old nodes don't know them.
 *
 * @param status - the new status, which this function changes
 * @param before - the stored status
 */
export function keepObservedGenerations(status: JsonObject, before: JsonObject): void {
  const keep = (to: JsonObject, from: JsonObject | undefined): void => {
    if (numberOf(to.observedGeneration) === 0 && from !== undefined) copyKey(to, from, "observedGeneration");
  };
  keep(status, before);
  const stored = objectsOf(before.conditions);
  for (const condition of objectsOf(status.conditions)) {
    // A status may have several conditions of a type, which correspond in their order.
    const index = stored.findIndex(({ type }) => type === condition.type);
    keep(condition, index < 0 ? undefined : stored.splice(index, 1)[0]);
  }
}
