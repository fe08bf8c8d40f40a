import type { Json, JsonObject } from "../../../json/json.ts";
import type { FieldError } from "../../../request/field-error.ts";

const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const scopes = ["*", "Cluster", "Namespaced"];

/** @returns the error for a missing value */
export function required(field: string, detail = ""): FieldError {
  return { type: "FieldValueRequired", field, detail };
}

/** @returns the error for a value that isn't valid */
export function wrong(field: string, value: Json | undefined, detail: string): FieldError {
  return { type: "FieldValueInvalid", field, ...(value === undefined ? {} : { value }), detail };
}

/** @returns the error for a value that isn't one of a few */
export function notSupported(field: string, value: Json, supported: readonly string[]): FieldError {
  const detail = `supported values: ${supported.map((one) => JSON.stringify(one)).join(", ")}`;
  return { type: "FieldValueNotSupported", field, value, detail };
}

/** @returns the texts in a list */
export function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

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
    version === "" ? [required(`${field}.apiVersions[${index}]`)] : [],
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

/** A list must have items, and the star only alone. */
function alone(values: readonly string[], field: string, what: string): FieldError[] {
  if (values.length === 0) return [required(field)];
  if (values.length === 1 || !values.includes("*")) return [];
  return [wrong(field, [...values], `if '*' is present, must not specify other ${what}`)];
}

function resourceErrors(resources: readonly string[], field: string): FieldError[] {
  if (resources.length === 0) return [required(field)];
  const errors: FieldError[] = [];
  const allSubresources = new Set<string>();
  const allResources = new Set<string>();
  let plain = false;
  for (const [index, one] of resources.entries()) {
    if (one === "") {
      errors.push(required(`${field}[${index}]`));
      continue;
    }
    const slash = one.indexOf("/");
    if (slash < 0) {
      // The last resource without a subresource decides, as on the real server.
      plain = one !== "*";
      continue;
    }
    const [resource, subresource] = [one.slice(0, slash), one.slice(slash + 1)];
    const refuse = (wide: string): number =>
      errors.push(wrong(`${field}[${index}]`, one, `if '${wide}' is present, must not specify ${one}`));
    if (allSubresources.has(resource)) refuse(`${resource}/*`);
    if (allResources.has(subresource)) refuse(`*/${subresource}`);
    if (subresource === "*") allSubresources.add(resource);
    if (resource === "*") allResources.add(subresource);
  }
  if (resources.length > 1 && resources.includes("*/*")) {
    errors.push(wrong(field, [...resources], "if '*/*' is present, must not specify other resources"));
  }
  if (resources.includes("*") && plain) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(wrong(field, [...resources], detail));
  }
  return errors;
}
