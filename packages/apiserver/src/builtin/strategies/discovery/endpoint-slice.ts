import { equalJson, type JsonObject } from "@kubewright/cel/json";
import {
  duplicateValue,
  type FieldError,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  isIPv6,
  isQualifiedName,
  isValidLabelValue,
  notSupported,
  required,
  tooMany,
} from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { ipWarnings } from "../../../validation/ip-warnings.ts";
import { addressErrors, canonicalAddressErrors, nonSpecialAddressErrors } from "../core/addresses.ts";
import { declaredImmutable, fieldsOf, invalidFor, isSet, objectsOf, oneOf, textOf, textsOf } from "../fields/fields.ts";

const types = ["FQDN", "IPv4", "IPv6"];
const maxAddresses = 100;
const maxEndpoints = 1000;
const maxPorts = 20_000;
const maxHints = 8;

/** Checks an address of an endpoint. Those of IPv4 need not be in their canonical form, as in older kinds. */
function endpointAddressErrors(address: string, path: string, list: string, type: string): FieldError[] {
  if (type === "FQDN") return domainErrors(address, path);
  if (type !== "IPv4" && type !== "IPv6") return [];
  const errors = type === "IPv4" ? addressErrors(address, path) : canonicalAddressErrors(address, path);
  if (errors.length > 0) return errors;
  if (isIPv6(address) !== (type === "IPv6")) errors.push(invalidValue(list, address, `must be an ${type} address`));
  return [...errors, ...nonSpecialAddressErrors(address, path)];
}

/** Checks a full name of a host, with at least one dot. */
function domainErrors(text: string, path: string): FieldError[] {
  if (text === "") return [required(path, "")];
  const name = text.replace(/\.$/, "");
  const problems = isDNS1123Subdomain(name);
  if (problems.length > 0) return [invalidValue(path, name, problems.join(","))];
  const labels = name.split(".");
  if (labels.length < 2) {
    return [invalidValue(path, name, "should be a domain with at least two segments separated by dots")];
  }
  const wrong = labels.find((label) => isDNS1123Label(label).length > 0);
  return wrong === undefined ? [] : [invalidValue(path, wrong, isDNS1123Label(wrong).join(","))];
}

function endpointErrors(endpoint: JsonObject, path: string, type: string): FieldError[] {
  const addresses = textsOf(endpoint.addresses);
  const errors: FieldError[] = [];
  if (addresses.length === 0) errors.push(required(`${path}.addresses`, ""));
  else if (addresses.length > maxAddresses) {
    errors.push(tooMany(`${path}.addresses`, addresses.length, maxAddresses));
  }
  for (const [index, address] of addresses.entries()) {
    errors.push(...endpointAddressErrors(address, `${path}.addresses[${index}]`, `${path}.addresses`, type));
  }
  if (isSet(endpoint.nodeName)) {
    const name = textOf(endpoint.nodeName);
    errors.push(...invalidFor(`${path}.nodeName`, name, isDNS1123Subdomain(name)));
  }
  if (isSet(endpoint.hostname)) {
    const name = textOf(endpoint.hostname);
    errors.push(...invalidFor(`${path}.hostname`, name, isDNS1123Label(name)));
  }
  return [...errors, ...hintErrors(fieldsOf(endpoint.hints), `${path}.hints`)];
}

function hintErrors(hints: JsonObject, path: string): FieldError[] {
  const zones = objectsOf(hints.forZones);
  if (zones.length > maxHints) return [tooMany(`${path}.forZones`, zones.length, maxHints)];
  const errors = hintNameErrors(zones, `${path}.forZones`, isValidLabelValue);
  const nodes = objectsOf(hints.forNodes);
  if (nodes.length > maxHints) return [...errors, tooMany(`${path}.forNodes`, nodes.length, maxHints)];
  return [...errors, ...hintNameErrors(nodes, `${path}.forNodes`, isDNS1123Subdomain)];
}

function hintNameErrors(hints: readonly JsonObject[], path: string, rule: (name: string) => string[]): FieldError[] {
  const seen = new Set<string>();
  return hints.flatMap((hint, index) => {
    const name = textOf(hint.name);
    const at = `${path}[${index}].name`;
    const repeated = seen.has(name) ? [duplicateValue(at, name)] : [];
    seen.add(name);
    return [...repeated, ...invalidFor(at, name, rule(name))];
  });
}

function portErrors(ports: readonly JsonObject[]): FieldError[] {
  const names = new Set<string>();
  if (ports.length > maxPorts) return [tooMany("ports", ports.length, maxPorts)];
  const errors: FieldError[] = [];
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

function typeErrors(type: string): FieldError[] {
  if (type === "") return [required("addressType", "")];
  return types.includes(type) ? [] : [notSupported("addressType", type, types)];
}

function endpointListErrors(object: ApiObject): FieldError[] {
  const endpoints = objectsOf(object.endpoints);
  if (endpoints.length > maxEndpoints) return [tooMany("endpoints", endpoints.length, maxEndpoints)];
  const type = textOf(object.addressType);
  return endpoints.flatMap((endpoint, index) => endpointErrors(endpoint, `endpoints[${index}]`, type));
}

/** Checks a slice. Endpoints that were valid for an older server may stay as they are. */
function sliceErrors(object: ApiObject, old?: ApiObject): FieldError[] {
  const unchanged = old !== undefined && equalJson(object.endpoints ?? [], old.endpoints ?? []);
  return [
    ...typeErrors(textOf(object.addressType)),
    ...portErrors(objectsOf(object.ports)),
    ...(unchanged ? [] : endpointListErrors(object)),
  ];
}

/** Removes the topology, which version 1 only has for objects that were converted from older versions. */
function dropTopology(object: ApiObject): void {
  for (const endpoint of objectsOf(object.endpoints)) delete endpoint.deprecatedTopology;
}

const controllers = ["endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io"];

function addressWarnings(object: ApiObject): string[] {
  if (controllers.includes(object.metadata.labels?.["endpointslice.kubernetes.io/managed-by"] ?? "")) return [];
  return objectsOf(object.endpoints).flatMap((endpoint, index) =>
    textsOf(endpoint.addresses).flatMap((address, at) => ipWarnings(`endpoints[${index}].addresses[${at}]`, address)),
  );
}

function creationWarnings(object: ApiObject): string[] {
  const deprecated = object.addressType === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : [];
  return [...deprecated, ...addressWarnings(object)];
}

/** The rules of EndpointSlices: the type of addresses can't change. */
export const endpointSlice: Strategy = {
  prepareForCreate: dropTopology,
  prepareForUpdate: dropTopology,
  validate: (object) => sliceErrors(object),
  validateUpdate: (object, old) => [
    ...sliceErrors(object, old),
    ...declaredImmutable(textOf(object.addressType), textOf(old.addressType), "addressType"),
  ],
  warningsOnCreate: creationWarnings,
  warningsOnUpdate: addressWarnings,
};
