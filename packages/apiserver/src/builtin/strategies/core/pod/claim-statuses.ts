import type { Json, JsonObject } from "@kubewright/cel/json";
import {
  duplicateValue,
  type FieldError,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  required,
} from "@kubewright/cel/validation";
import { fieldsOf, invalidFor, isSet, objectsOf, requiredText, textOf } from "../../fields/fields.ts";

/** Checks the names of the claims that a Pod got. */
export function claimStatusErrors(statuses: Json | undefined, spec: JsonObject, path: string): FieldError[] {
  const claimNames = objectsOf(spec.resourceClaims).map(({ name }) => textOf(name));
  const seen = new Set<string>();
  return objectsOf(statuses).flatMap(({ name: value, resourceClaimName: claim }, index) => {
    const at = `${path}[${index}]`;
    const name = textOf(value);
    const errors: FieldError[] = [];
    if (!claimNames.includes(name)) {
      errors.push(invalidValue(`${at}.name`, name, "must match the name of an entry in `spec.resourceClaims`"));
    }
    if (seen.has(name)) errors.push(duplicateValue(`${at}.name`, name));
    seen.add(name);
    if (!isSet(claim)) return errors;
    return [...errors, ...invalidFor(`${at}.resourceClaimName`, claim, isDNS1123Subdomain(textOf(claim)))];
  });
}

function mappingErrors(mapping: JsonObject, spec: JsonObject, at: string): FieldError[] {
  const [name, resource] = [textOf(mapping.containerName), textOf(mapping.resourceName)];
  const containers = [...objectsOf(spec.containers), ...objectsOf(spec.initContainers)];
  const container = containers.find((container) => container.name === name);
  if (container === undefined) {
    const detail = "must match the name of an entry in spec.initContainers.name or spec.containers.name";
    return [invalidValue(`${at}.containerName`, name, detail)];
  }
  if (fieldsOf(fieldsOf(container.resources).requests)[resource] !== undefined) return [];
  const where = "spec.initContainers.resources.requests or spec.containers.resources.requests";
  const detail = `must match the extended resource name of an entry in ${where}`;
  return [invalidValue(`${at}.resourceName`, resource, detail)];
}

/** Checks the claim that a Pod got for devices that its containers request by amounts. */
export function extendedClaimErrors(value: Json | undefined, spec: JsonObject, path: string): FieldError[] {
  if (!isSet(value)) return [];
  const { requestMappings, resourceClaimName } = fieldsOf(value);
  const mappings = objectsOf(requestMappings);
  const seen = new Set<string>();
  const list = `${path}.requestMappings`;
  const errors = mappings.length > 0 ? [] : [required(list, "at least one request mapping is required")];
  for (const [index, mapping] of mappings.entries()) {
    const at = `${list}[${index}]`;
    const request = textOf(mapping.requestName);
    errors.push(...mappingErrors(mapping, spec, at));
    // The server leaves the index out of this path.
    errors.push(...invalidFor(`${path}.requestName`, request, isDNS1123Label(request)));
    const keys = ["containerName", "resourceName", "requestName"];
    const key = JSON.stringify(keys.map((key) => textOf(mapping[key])));
    if (seen.has(key)) errors.push(...keys.map((one) => duplicateValue(`${at}.${one}`, textOf(mapping[one]))));
    seen.add(key);
  }
  return [...errors, ...requiredText(resourceClaimName, `${path}.resourceClaimName`, isDNS1123Subdomain)];
}
