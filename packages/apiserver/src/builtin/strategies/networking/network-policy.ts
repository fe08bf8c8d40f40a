import type { JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  firstOfRange,
  forbiddenValue,
  invalidValue,
  isValidPortName,
  isValidPortNumber,
  parseCIDR,
  required,
} from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { cidrWarnings } from "../../../validation/ip-warnings.ts";
import { validateLabelSelector } from "../../../validation/label-selector.ts";
import { rangeErrors } from "../core/addresses.ts";
import { fieldsOf, invalidFor, isSet, numberOf, objectsOf, oneOf, textOf, textsOf } from "../fields/fields.ts";

const directions = [
  ["ingress", "from"],
  ["egress", "to"],
] as const;

function portErrors(port: JsonObject, path: string): FieldError[] {
  const errors = isSet(port.protocol) ? oneOf(port.protocol, `${path}.protocol`, ["TCP", "UDP", "SCTP"]) : [];
  const { port: first, endPort: last } = port;
  const end = numberOf(last);
  if (typeof first === "string") errors.push(...invalidFor(`${path}.port`, first, isValidPortName(first)));
  if (typeof first === "number") errors.push(...invalidFor(`${path}.port`, first, isValidPortNumber(first)));
  if (!isSet(last)) return errors;
  if (!isSet(first))
    errors.push(invalidValue(`${path}.endPort`, end, "may not be specified when `port` is not specified"));
  else if (typeof first === "string") {
    errors.push(invalidValue(`${path}.endPort`, end, "may not be specified when `port` is non-numeric"));
  } else {
    if (end < numberOf(first)) {
      errors.push(invalidValue(`${path}.endPort`, end, "must be greater than or equal to `port`"));
    }
    errors.push(...invalidFor(`${path}.endPort`, end, isValidPortNumber(end)));
  }
  return errors;
}

function contains(outer: NonNullable<ReturnType<typeof parseCIDR>>, address: readonly number[]): boolean {
  if (outer.address.length !== address.length) return false;
  return address.every((byte, index) => {
    const bits = Math.max(0, Math.min(8, outer.prefix - index * 8));
    const mask = (0xff << (8 - bits)) & 0xff;
    return (byte & mask) === ((outer.address[index] as number) & mask);
  });
}

function blockErrors(block: JsonObject, path: string, stored: readonly string[]): FieldError[] {
  const text = textOf(block.cidr);
  if (text === "") return [required(`${path}.cidr`, "")];
  const errors = rangeErrors(text, `${path}.cidr`, stored);
  const range = parseCIDR(text, true);
  if (range === undefined) return errors;
  for (const [index, exception] of textsOf(block.except).entries()) {
    const at = `${path}.except[${index}]`;
    errors.push(...rangeErrors(exception, at, stored));
    const inner = parseCIDR(exception, true);
    if (inner === undefined) continue;
    if (contains(range, firstOfRange(inner.address, inner.prefix)) && range.prefix < inner.prefix) continue;
    errors.push(invalidValue(at, exception, "must be a strict subset of `cidr`"));
  }
  return errors;
}

/** Returns the blocks of addresses in a policy, with their paths. */
function blocksOf(object: ApiObject): { block: JsonObject; path: string }[] {
  const spec = fieldsOf(object.spec);
  return directions.flatMap(([direction, side]) =>
    objectsOf(spec[direction]).flatMap((rule, index) =>
      objectsOf(rule[side]).flatMap((peer, place) => {
        const path = `spec.${direction}[${index}].${side}[${place}].ipBlock`;
        return isSet(peer.ipBlock) ? [{ block: fieldsOf(peer.ipBlock), path }] : [];
      }),
    ),
  );
}

function rangesOf(object: ApiObject): string[] {
  return blocksOf(object).flatMap(({ block }) => [textOf(block.cidr), ...textsOf(block.except)]);
}

function peerErrors(peer: JsonObject, path: string, stored: readonly string[]): FieldError[] {
  let peers = 0;
  const errors: FieldError[] = [];
  for (const key of ["podSelector", "namespaceSelector"]) {
    if (!isSet(peer[key])) continue;
    peers++;
    errors.push(...validateLabelSelector(peer[key], `${path}.${key}`));
  }
  if (isSet(peer.ipBlock)) {
    peers++;
    errors.push(...blockErrors(fieldsOf(peer.ipBlock), `${path}.ipBlock`, stored));
  }
  if (peers === 0) errors.push(required(path, "must specify a peer"));
  else if (peers > 1 && isSet(peer.ipBlock)) {
    errors.push(forbiddenValue(path, "may not specify both ipBlock and another peer"));
  }
  return errors;
}

/** Checks a policy. Ranges that it had before stay valid. */
function policyErrors(object: ApiObject, stored: readonly string[]): FieldError[] {
  const spec = fieldsOf(object.spec);
  const errors = validateLabelSelector(spec.podSelector, "spec.podSelector");
  for (const [direction, side] of directions) {
    for (const [index, rule] of objectsOf(spec[direction]).entries()) {
      const at = `spec.${direction}[${index}]`;
      errors.push(...objectsOf(rule.ports).flatMap((port, place) => portErrors(port, `${at}.ports[${place}]`)));
      errors.push(
        ...objectsOf(rule[side]).flatMap((peer, place) => peerErrors(peer, `${at}.${side}[${place}]`, stored)),
      );
    }
  }
  const types = textsOf(spec.policyTypes);
  if (types.length > 2) {
    return [...errors, invalidValue("spec.policyTypes", types, "may not specify more than two policyTypes")];
  }
  return [
    ...errors,
    ...types.flatMap((type, index) => oneOf(type, `spec.policyTypes[${index}]`, ["Ingress", "Egress"])),
  ];
}

function warnings(object: ApiObject): string[] {
  return blocksOf(object).flatMap(({ block, path }) => [
    ...cidrWarnings(`${path}.cidr`, textOf(block.cidr)),
    ...textsOf(block.except).flatMap((range, index) => cidrWarnings(`${path}.except[${index}]`, range)),
  ]);
}

/** The rules of NetworkPolicies. */
export const networkPolicy: Strategy = {
  validate: (object) => policyErrors(object, []),
  validateUpdate: (object, old) => policyErrors(object, rangesOf(old)),
  warningsOnCreate: warnings,
  warningsOnUpdate: warnings,
};
