import type { JsonObject } from "@kubewright/cel/json";
import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isDNS1123Label,
  required,
} from "@kubewright/cel/validation";
import { fieldsOf, invalidFor, objectsOf, sortedKeys, textOf } from "../../fields/fields.ts";
import { compareQuantities, quantityValue } from "../../fields/quantities.ts";
import {
  containerResourceNameErrors,
  isHugePages,
  isOvercommitAllowed,
  resourceQuantityErrors,
} from "../resource-names.ts";

function hugePageErrors(name: string, quantity: JsonObject[string] | undefined, path: string): FieldError[] {
  if (!isHugePages(name)) return [];
  let size = 0;
  try {
    size = quantityValue(name.slice("hugepages-".length));
  } catch {
    // A size that isn't a quantity has no multiples.
  }
  if (size > 0 && quantityValue(quantity) % size === 0) return [];
  return [invalidValue(path, quantity, `${quantity} is not positive integer multiple of ${name}`)];
}

/**
 * Checks the requests and limits of a container.
 *
 * @param resources - the requirements
 * @param path - their path
 * @param claims - the names of the Pod's resource claims
 * @param nameErrors - the rule for names
 * @returns the errors
 */
export function resourceErrors(
  resources: JsonObject,
  path: string,
  claims: readonly string[],
  nameErrors: (name: string, path: string) => FieldError[] = containerResourceNameErrors,
): FieldError[] {
  const errors: FieldError[] = [];
  const [limits, requests] = [fieldsOf(resources.limits), fieldsOf(resources.requests)];
  for (const name of sortedKeys(limits)) {
    const at = `${path}.limits[${name}]`;
    errors.push(...nameErrors(name, at), ...resourceQuantityErrors(name, limits[name], at));
    errors.push(...hugePageErrors(name, limits[name], at));
  }
  for (const name of sortedKeys(requests)) {
    const at = `${path}.requests[${name}]`;
    const [request, limit] = [requests[name], limits[name]];
    errors.push(...nameErrors(name, at), ...resourceQuantityErrors(name, request, at));
    if (limit === undefined) {
      if (!isOvercommitAllowed(name)) {
        errors.push(required(`${path}.limits`, "Limit must be set for non overcommitable resources"));
      }
    } else {
      const order = compareQuantities(request, limit);
      if (order !== 0 && !isOvercommitAllowed(name)) {
        errors.push(invalidValue(`${path}.requests`, request, `must be equal to ${name} limit of ${limit}`));
      } else if (order > 0) {
        const detail = `must be less than or equal to ${name} limit of ${limit}`;
        errors.push(invalidValue(`${path}.requests`, request, detail));
      }
    }
    errors.push(...hugePageErrors(name, request, at));
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.some((name) => name === "cpu" || name === "memory")) {
    errors.push(forbiddenValue(path, "HugePages require cpu or memory"));
  }
  return [...errors, ...claimErrors(objectsOf(resources.claims), `${path}.claims`, claims)];
}

/** Checks a use of a claim: of the whole claim, or of one request in it. Parts can't be used with the whole. */
function requestErrors(name: string, request: string, seen: Set<string>, at: string): FieldError[] {
  if (seen.has(name)) return [duplicateValue(at, name)];
  const key = request === "" ? name : `${name}/${request}`;
  const errors = request === "" ? [] : invalidFor(`${at}.request`, request, isDNS1123Label(request));
  if (seen.has(key)) errors.push(duplicateValue(at, key));
  else if (request === "") {
    const parts = [...seen].filter((one) => one.startsWith(`${name}/`));
    errors.push(...parts.map(() => duplicateValue(at, name)));
  }
  seen.add(key);
  return errors;
}

function claimErrors(claims: readonly JsonObject[], path: string, claimNames: readonly string[]): FieldError[] {
  const seen = new Set<string>();
  return claims.flatMap((claim, index): FieldError[] => {
    const at = `${path}[${index}]`;
    const name = textOf(claim.name);
    if (name === "") return [required(at, "")];
    const errors = requestErrors(name, textOf(claim.request), seen, at);
    if (!claimNames.includes(name)) {
      const which = claimNames.length === 0 ? " which is empty" : `: ${[...new Set(claimNames)].sort().join(", ")}`;
      const detail = `must be one of the names in pod.spec.resourceClaims${which}`;
      errors.push({ type: "FieldValueNotFound", field: at, value: name, detail });
    }
    return errors;
  });
}
