import type { JsonObject } from "../../../json/json.ts";
import { validateLabelSelector } from "../../../metadata/label-selector.ts";
import type { ApiObject, Strategy } from "../../../registry/resource.ts";
import type { FieldError } from "../../../request/field-error.ts";
import { forbiddenValue, invalidValue, required } from "../../../request/paths.ts";
import { parseCIDR } from "../../../validation/ip.ts";
import { isValidPortName, isValidPortNumber } from "../../../validation/name-rules.ts";
import { fieldsOf, invalidFor, isSet, numberOf, objectsOf, oneOf, textOf, textsOf } from "../fields.ts";

const invalidRange = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

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
    // The server shows the last port, although the message is about the first.
    if (end < numberOf(first)) {
      errors.push(invalidValue(`${path}.endPort`, first, "must be greater than or equal to `port`"));
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

function blockErrors(block: JsonObject, path: string): FieldError[] {
  const text = textOf(block.cidr);
  if (text === "") return [required(`${path}.cidr`, "")];
  const range = parseCIDR(text, true);
  if (range === undefined) return [invalidValue(`${path}.cidr`, text, invalidRange)];
  return textsOf(block.except).flatMap((exception, index) => {
    const at = `${path}.except[${index}]`;
    const inner = parseCIDR(exception, true);
    if (inner === undefined) return [invalidValue(at, exception, invalidRange)];
    if (contains(range, inner.address) && range.prefix < inner.prefix) return [];
    return [invalidValue(at, exception, "must be a strict subset of `cidr`")];
  });
}

function peerErrors(peer: JsonObject, path: string): FieldError[] {
  let peers = 0;
  const errors: FieldError[] = [];
  for (const key of ["podSelector", "namespaceSelector"]) {
    if (!isSet(peer[key])) continue;
    peers++;
    errors.push(...validateLabelSelector(peer[key], `${path}.${key}`));
  }
  if (isSet(peer.ipBlock)) {
    peers++;
    errors.push(...blockErrors(fieldsOf(peer.ipBlock), `${path}.ipBlock`));
  }
  if (peers === 0) errors.push(required(path, "must specify a peer"));
  else if (peers > 1 && isSet(peer.ipBlock)) {
    errors.push(forbiddenValue(path, "may not specify both ipBlock and another peer"));
  }
  return errors;
}

function policyErrors(object: ApiObject): FieldError[] {
  const spec = fieldsOf(object.spec);
  const errors = validateLabelSelector(spec.podSelector, "spec.podSelector");
  const directions = [
    ["ingress", "from"],
    ["egress", "to"],
  ] as const;
  for (const [direction, side] of directions) {
    for (const [index, rule] of objectsOf(spec[direction]).entries()) {
      const at = `spec.${direction}[${index}]`;
      errors.push(...objectsOf(rule.ports).flatMap((port, place) => portErrors(port, `${at}.ports[${place}]`)));
      errors.push(...objectsOf(rule[side]).flatMap((peer, place) => peerErrors(peer, `${at}.${side}[${place}]`)));
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

/** The rules of NetworkPolicies. */
export const networkPolicy: Strategy = { validate: policyErrors, validateUpdate: policyErrors };
