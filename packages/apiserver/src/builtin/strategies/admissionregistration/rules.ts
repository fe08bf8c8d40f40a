import type { JsonObject } from "@kubewright/cel/json";
import {
  duplicateValue,
  type FieldError,
  invalidValue,
  isPathSegment,
  notSupported,
  required,
} from "@kubewright/cel/validation";
import { invalidFor, textsOf } from "../fields/fields.ts";

const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const scopes = ["*", "Cluster", "Namespaced"];

/**
 * Checks a rule of a webhook or policy: its operations and resources.
 *
 * @param rule - the rule
 * @param field - its path
 * @returns the errors
 */
export function ruleErrors(rule: JsonObject, field: string): FieldError[] {
  const given = textsOf(rule.operations);
  const unknown = given.flatMap((operation, index) =>
    operations.includes(operation) ? [] : [notSupported(`${field}.operations[${index}]`, operation, operations)],
  );
  const versions = textsOf(rule.apiVersions);
  const empty = versions.flatMap((version, index) =>
    version === "" ? [required(`${field}.apiVersions[${index}]`, "")] : [],
  );
  const { scope } = rule;
  const badScope = scope !== undefined && !scopes.includes(String(scope));
  return [
    ...alone(given, `${field}.operations`, "operations"),
    ...unknown,
    ...alone(textsOf(rule.apiGroups), `${field}.apiGroups`, "API groups"),
    ...alone(versions, `${field}.apiVersions`, "API versions"),
    ...empty,
    ...resourceErrors(textsOf(rule.resources), `${field}.resources`),
    ...(badScope ? [notSupported(`${field}.scope`, scope, scopes)] : []),
  ];
}

/**
 * Checks a rule of a policy, which may be limited to objects by name.
 *
 * @param rule - the rule
 * @param path - its path
 * @returns the errors
 */
export function namedRuleErrors(rule: JsonObject, path: string): FieldError[] {
  const names = textsOf(rule.resourceNames);
  const errors = names.flatMap((name, index) => {
    const at = `${path}.resourceNames[${index}]`;
    const again = names.indexOf(name) < index ? [duplicateValue(at, name)] : [];
    return [...invalidFor(at, name, isPathSegment(name, false)), ...again];
  });
  return [...errors, ...ruleErrors(rule, path)];
}

/** A list must have items, and the star only alone. */
function alone(values: readonly string[], field: string, what: string): FieldError[] {
  if (values.length === 0) return [required(field, "")];
  if (values.length === 1 || !values.includes("*")) return [];
  return [invalidValue(field, [...values], `if '*' is present, must not specify other ${what}`)];
}

function resourceErrors(resources: readonly string[], field: string): FieldError[] {
  if (resources.length === 0) return [required(field, "")];
  const errors: FieldError[] = [];
  const allSubresources = new Set<string>();
  const allResources = new Set<string>();
  let plain = false;
  for (const [index, name] of resources.entries()) {
    if (name === "") {
      errors.push(required(`${field}[${index}]`, ""));
      continue;
    }
    const slash = name.indexOf("/");
    if (slash < 0) {
      // The last resource without a subresource decides, as on the real server.
      plain = name !== "*";
      continue;
    }
    const [resource, subresource] = [name.slice(0, slash), name.slice(slash + 1)];
    const refuse = (wide: string): number =>
      errors.push(invalidValue(`${field}[${index}]`, name, `if '${wide}' is present, must not specify ${name}`));
    if (allSubresources.has(resource)) refuse(`${resource}/*`);
    if (allResources.has(subresource)) refuse(`*/${subresource}`);
    if (subresource === "*") allSubresources.add(resource);
    if (resource === "*") allResources.add(subresource);
  }
  if (resources.length > 1 && resources.includes("*/*")) {
    errors.push(invalidValue(field, [...resources], "if '*/*' is present, must not specify other resources"));
  }
  if (resources.includes("*") && plain) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalidValue(field, [...resources], detail));
  }
  return errors;
}
