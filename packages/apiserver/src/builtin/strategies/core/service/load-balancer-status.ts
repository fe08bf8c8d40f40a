import type { JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  isDNS1123Subdomain,
  notSupported,
  parseIP,
  required,
} from "@kubewright/cel/validation";
import type { ApiObject } from "../../../../model/resource.ts";
import { ipWarnings } from "../../../../validation/ip-warnings.ts";
import { fieldsOf, invalidFor, isSet, objectsOf, textOf } from "../../fields/fields.ts";
import { addressErrors } from "../addresses.ts";

const path = "status.loadBalancer.ingress";
const modes = ["Proxy", "VIP"];

function pointsOf(object: ApiObject): JsonObject[] {
  return objectsOf(fieldsOf(fieldsOf(object.status).loadBalancer).ingress);
}

function modeErrors(point: JsonObject, at: string): FieldError[] {
  const hasAddress = textOf(point.ip) !== "";
  if (!isSet(point.ipMode)) return hasAddress ? [required(at, "must be specified when `ip` is set")] : [];
  if (!hasAddress) return [forbiddenValue(at, "may not be specified when `ip` is not set")];
  const mode = textOf(point.ipMode);
  return modes.includes(mode) ? [] : [notSupported(at, mode, modes)];
}

/** Checks the points where a load balancer receives traffic. */
export function loadBalancerErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const points = pointsOf(object);
  if (fieldsOf(object.spec).type !== "LoadBalancer" && points.length > 0) {
    return [forbiddenValue(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const storedAddresses = pointsOf(old).map(({ ip }) => textOf(ip));
  return points.flatMap((point, index) => {
    const at = `${path}[${index}]`;
    const [address, name] = [textOf(point.ip), textOf(point.hostname)];
    const errors = address === "" ? [] : addressErrors(address, `${at}.ip`, storedAddresses);
    errors.push(...modeErrors(point, `${at}.ipMode`));
    if (name === "") return errors;
    errors.push(...invalidFor(`${at}.hostname`, name, isDNS1123Subdomain(name)));
    if (parseIP(name, true) === undefined) return errors;
    return [...errors, invalidValue(`${at}.hostname`, name, "must be a DNS name, not an IP address")];
  });
}

/** Finds the warnings for the addresses of a load balancer. */
export function loadBalancerWarnings(object: ApiObject): string[] {
  return pointsOf(object).flatMap(({ ip }, index) => ipWarnings(`${path}[${index}]`, textOf(ip)));
}
