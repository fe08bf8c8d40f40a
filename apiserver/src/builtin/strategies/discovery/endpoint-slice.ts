import type { JsonObject } from "../../../json/json.ts";
import { validateLabels } from "../../../metadata/validate.ts";
import type { ApiObject, Strategy } from "../../../registry/resource.ts";
import type { FieldError } from "../../../request/field-error.ts";
import { duplicateValue, invalidValue, notSupported, required, tooMany } from "../../../request/paths.ts";
import { isIPv6, isValidIP } from "../../../validation/ip.ts";
import {
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidLabelValue,
} from "../../../validation/name-rules.ts";
import { nonSpecialAddressErrors } from "../core/addresses.ts";
import { fieldsOf, immutable, invalidFor, isSet, objectsOf, oneOf, textOf, textsOf } from "../fields.ts";

const types = ["FQDN", "IPv4", "IPv6"];
const maxAddresses = 100;
const maxEndpoints = 1000;
const maxPorts = 20_000;
const maxZones = 8;

function addressErrors(address: string, path: string, list: string, type: string): FieldError[] {
  if (type === "FQDN") return invalidFor(path, address, isDNS1123Subdomain(address));
  const errors = invalidFor(path, address, isValidIP(address));
  if (errors.length > 0) return errors;
  if (isIPv6(address) !== (type === "IPv6")) errors.push(invalidValue(list, address, `must be an ${type} address`));
  return [...errors, ...nonSpecialAddressErrors(address, path)];
}

function endpointErrors(endpoint: JsonObject, path: string, type: string): FieldError[] {
  const addresses = textsOf(endpoint.addresses);
  const errors: FieldError[] = [];
  if (addresses.length === 0) errors.push(required(`${path}.addresses`, "must contain at least 1 address"));
  else if (addresses.length > maxAddresses) {
    errors.push(tooMany(`${path}.addresses`, addresses.length, maxAddresses));
  }
  for (const [index, address] of addresses.entries()) {
    errors.push(...addressErrors(address, `${path}.addresses[${index}]`, `${path}.addresses`, type));
  }
  if (isSet(endpoint.nodeName)) {
    const name = textOf(endpoint.nodeName);
    errors.push(...invalidFor(`${path}.nodeName`, name, isDNS1123Subdomain(name)));
  }
  errors.push(...validateLabels(endpoint.deprecatedTopology, `${path}.deprecatedTopology`));
  if (isSet(endpoint.hostname)) {
    const name = textOf(endpoint.hostname);
    errors.push(...invalidFor(`${path}.hostname`, name, isDNS1123Label(name)));
  }
  return [...errors, ...hintErrors(fieldsOf(endpoint.hints), `${path}.hints`)];
}

function hintErrors(hints: JsonObject, path: string): FieldError[] {
  const zones = objectsOf(hints.forZones);
  const seen = new Set<string>();
  const errors: FieldError[] = zones.length > maxZones ? [tooMany(`${path}.forZones`, zones.length, maxZones)] : [];
  for (const [index, zone] of zones.entries()) {
    const name = textOf(zone.name);
    const at = `${path}.forZones[${index}].name`;
    if (seen.has(name)) errors.push(duplicateValue(at, name));
    else seen.add(name);
    errors.push(...invalidFor(at, name, isValidLabelValue(name)));
  }
  return errors;
}

function portErrors(ports: readonly JsonObject[]): FieldError[] {
  const names = new Set<string>();
  const errors: FieldError[] = ports.length > maxPorts ? [tooMany("ports", ports.length, maxPorts)] : [];
  for (const [index, port] of ports.entries()) {
    const at = `ports[${index}]`;
    const name = textOf(port.name);
    if (name !== "") errors.push(...invalidFor(`${at}.name`, name, isDNS1123Label(name)));
    if (names.has(name)) errors.push(duplicateValue(`${at}.name`, name));
    names.add(name);
    if (!isSet(port.protocol)) errors.push(required(`${at}.protocol`, ""));
    else errors.push(...oneOf(port.protocol, `${at}.protocol`, ["SCTP", "TCP", "UDP"]));
    const protocol = port.appProtocol;
    if (isSet(protocol)) {
      errors.push(...invalidFor(`${at}.appProtocol`, protocol, isQualifiedName(textOf(protocol))));
    }
  }
  return errors;
}

/** Checks a slice. Addresses must have the type that the slice has or, in an update, had. */
function sliceErrors(object: ApiObject, type = textOf(object.addressType)): FieldError[] {
  const errors: FieldError[] = [];
  if (type === "") errors.push(required("addressType", ""));
  else if (!types.includes(type)) errors.push(notSupported("addressType", type, types));
  if (errors.length > 0) return errors;
  const endpoints = objectsOf(object.endpoints);
  if (endpoints.length > maxEndpoints) errors.push(tooMany("endpoints", endpoints.length, maxEndpoints));
  else errors.push(...endpoints.flatMap((one, index) => endpointErrors(one, `endpoints[${index}]`, type)));
  return [...errors, ...portErrors(objectsOf(object.ports))];
}

/** Removes the topology, which version 1 only has for objects that were converted from older versions. */
function dropTopology(object: ApiObject): void {
  for (const endpoint of objectsOf(object.endpoints)) delete endpoint.deprecatedTopology;
}

function warnings(object: ApiObject): string[] {
  return object.addressType === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : [];
}

/** The rules of EndpointSlices: the type of addresses can't change. */
export const endpointSlice: Strategy = {
  prepareForCreate: dropTopology,
  validate: (object) => sliceErrors(object),
  validateUpdate: (object, old) => [
    ...sliceErrors(object, textOf(old.addressType)),
    ...immutable(object.addressType, old.addressType, "addressType"),
  ],
  warningsOnCreate: warnings,
};
