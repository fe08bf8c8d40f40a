import type { JsonObject } from "@kubewright/cel/json";
import {
  duplicateValue,
  type FieldError,
  invalidValue,
  isIPv6,
  notSupported,
  required,
} from "@kubewright/cel/validation";
import { optionalOneOf, textOf, textsOf } from "../../fields/fields.ts";
import { addressErrors, isDualStack, nonSpecialAddressErrors } from "../addresses.ts";

const path = "spec.clusterIPs";
const families = ["IPv4", "IPv6"];

/** Checks that the first address is also in the field of older versions. */
function firstErrors(spec: JsonObject): FieldError[] {
  const [single, list] = [textOf(spec.clusterIP), textsOf(spec.clusterIPs)];
  if (single === "") {
    if (list.length === 0) return [];
    return [invalidValue(path, list, "must be empty when `clusterIP` is not specified")];
  }
  if (list.length === 0) return [required(path, "")];
  return list[0] === single ? [] : [invalidValue(path, list, "first value must match `clusterIP`")];
}

function familyErrors(spec: JsonObject): FieldError[] {
  const seen = new Set<string>();
  const errors = textsOf(spec.ipFamilies).flatMap((family, index) => {
    const at = `spec.ipFamilies[${index}]`;
    const own = families.includes(family) ? [] : [notSupported(at, family, families)];
    if (seen.has(family)) own.push(duplicateValue(at, family));
    seen.add(family);
    return own;
  });
  const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];
  return [...errors, ...optionalOneOf(spec.ipFamilyPolicy, "spec.ipFamilyPolicy", policies)];
}

function listErrors(spec: JsonObject, stored: readonly string[]): FieldError[] {
  const list = textsOf(spec.clusterIPs);
  const isHeadless = list[0] === "None";
  const wrong: FieldError[] = [];
  if (isHeadless && list.length > 1) wrong.push(invalidValue(path, list, "'None' must be the first and only value"));
  for (const [index, address] of list.entries()) {
    if (index > 0 || !isHeadless) wrong.push(...addressErrors(address, `${path}[${index}]`, stored));
  }
  const long = list.length > 2 ? [invalidValue(path, list, "may only hold up to 2 values")] : [];
  if (wrong.length > 0) return [...wrong, ...long];
  const isSame = list.length > 1 && !isDualStack(list.slice(0, 2));
  const errors = isSame
    ? [...long, invalidValue(path, list, "may specify no more than one IP for each IP family")]
    : long;
  if (isHeadless) return errors;
  for (const [index, family] of textsOf(spec.ipFamilies).slice(0, list.length).entries()) {
    const address = list[index] as string;
    if (!families.includes(family) || isIPv6(address) === (family === "IPv6")) continue;
    const detail = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    errors.push(invalidValue(`${path}[${index}]`, address, detail));
  }
  return errors;
}

/**
 * Checks the addresses of a Service in the cluster.
 *
 * @param spec - the specification
 * @param before - the specification before an update, whose addresses stay valid
 * @returns the errors
 */
export function clusterAddressErrors(spec: JsonObject, before: JsonObject = {}): FieldError[] {
  if (spec.type === "ExternalName") return [];
  return [...firstErrors(spec), ...familyErrors(spec), ...listErrors(spec, textsOf(before.clusterIPs))];
}

/**
 * Checks the addresses of a Service outside of the cluster.
 *
 * @param spec - the specification
 * @param before - the specification before an update, whose addresses stay valid
 * @returns the errors
 */
export function externalAddressErrors(spec: JsonObject, before: JsonObject = {}): FieldError[] {
  return textsOf(spec.externalIPs).flatMap((address, index) => {
    const at = `spec.externalIPs[${index}]`;
    const errors = addressErrors(address, at, textsOf(before.externalIPs));
    return errors.length > 0 ? errors : nonSpecialAddressErrors(address, at);
  });
}
