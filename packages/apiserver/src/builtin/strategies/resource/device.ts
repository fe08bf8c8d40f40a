import type { JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidLabelValue,
  required,
  tooMany,
} from "@kubewright/cel/validation";
import { nodeSelectorErrors } from "../core/node/scheduling.ts";
import {
  declared,
  fieldsOf,
  invalidFor,
  isSet,
  objectsOf,
  oneOf,
  requiredText,
  sortedKeys,
  textOf,
  textsOf,
} from "../fields/fields.ts";
import { attributeErrors } from "./attributes.ts";
import { listErrors, repeatedErrors, setErrors } from "./lists.ts";
import { qualifiedNameErrors } from "./names.ts";
import { requestPolicyErrors } from "./request-policy.ts";

const maximumNames = 32;
const maximumTaints = 16;
const maximumConditions = 4;
const maximumCounterSets = 2;
const maximumCounters = 32;
const effects = ["NoExecute", "NoSchedule", "None"];
const nodeFields = "`nodeName`, `nodeSelector`";

/** Checks a device. If each device selects its nodes (the last parameter), it must do so. */
export function sliceDeviceErrors(device: JsonObject, path: string, selectsNodes: boolean): FieldError[] {
  return [
    ...invalidFor(`${path}.name`, textOf(device.name), isDNS1123Label(textOf(device.name))),
    ...totalErrors(device, path),
    ...namedErrors(device.attributes, `${path}.attributes`, attributeErrors),
    ...namedErrors(device.capacity, `${path}.capacity`, (capacity, at) =>
      isSet(capacity.requestPolicy)
        ? device.allowMultipleAllocations === true
          ? requestPolicyErrors(capacity, `${at}.requestPolicy`)
          : [forbiddenValue(`${at}.requestPolicy`, "allowMultipleAllocations must be true")]
        : [],
    ),
    ...listErrors(device.taints, `${path}.taints`, maximumTaints, taintErrors),
    ...setErrors(device.consumesCounters, "counterSet", `${path}.consumesCounters`, maximumCounterSets, (one, at) =>
      counterSetErrors(one, "counterSet", at),
    ),
    ...nodeErrors(device, path, selectsNodes),
    ...bindingErrors(textsOf(device.bindingConditions), textsOf(device.bindingFailureConditions), path),
  ];
}

function totalErrors(device: JsonObject, path: string): FieldError[] {
  const total = sortedKeys(device.attributes).length + sortedKeys(device.capacity).length;
  const detail = `the total number of attributes and capacities must not exceed ${maximumNames}`;
  return total > maximumNames ? [invalidValue(path, total, detail)] : [];
}

function namedErrors(
  map: JsonObject[string] | undefined,
  path: string,
  check: (value: JsonObject, path: string) => FieldError[],
): FieldError[] {
  return sortedKeys(map).flatMap((name) => [
    ...qualifiedNameErrors(name, path),
    ...check(fieldsOf(fieldsOf(map)[name]), `${path}[${name}]`),
  ]);
}

/** Checks a taint of devices. */
export function taintErrors(taint: JsonObject, path: string): FieldError[] {
  const [key, value] = [textOf(taint.key), textOf(taint.value)];
  return [
    ...invalidFor(`${path}.key`, key, isQualifiedName(key)),
    ...(value === "" ? [] : invalidFor(`${path}.value`, value, isValidLabelValue(value))),
    ...declared(
      textOf(taint.effect) === "" ? [required(`${path}.effect`, "")] : oneOf(taint.effect, `${path}.effect`, effects),
    ),
  ];
}

/** Checks the name of a set of counters, and their names. */
export function counterSetErrors(set: JsonObject, field: string, path: string): FieldError[] {
  const at = `${path}.counters`;
  const names = sortedKeys(set.counters);
  const tooManyNames = names.length > maximumCounters ? [tooMany(at, names.length, maximumCounters)] : undefined;
  const missing = names.length === 0 ? [required(at, "")] : undefined;
  return [
    ...requiredText(set[field], `${path}.${field}`, isDNS1123Label),
    ...(missing ?? tooManyNames ?? names.flatMap((name) => invalidFor(at, name, isDNS1123Label(name)))),
  ];
}

function nodeErrors(device: JsonObject, path: string, selectsNodes: boolean): FieldError[] {
  const given = ["nodeName", "nodeSelector", "allNodes"].filter((field) => isSet(device[field]));
  const setting = "`perDeviceNodeSelection` is set to true in the ResourceSlice spec";
  if (!selectsNodes) {
    const detail = `${nodeFields} and \`allNodes\` can only be set if ${setting}`;
    return given.length === 0 ? [] : [invalidValue(path, null, detail)];
  }
  const { errors, fields } = nodeFieldErrors(device, path, "must not be empty");
  const detail = `exactly one of ${nodeFields}, or \`allNodes\` is required when ${setting}`;
  if (fields.length === 0) return [...errors, required(path, detail)];
  return fields.length === 1 ? errors : [...errors, invalidValue(path, `{${fields.join(", ")}}`, detail)];
}

/** Checks the fields that select nodes, and finds those that count as set. */
export function nodeFieldErrors(
  object: JsonObject,
  path: string,
  emptyName: string,
  checkSelector: (selector: JsonObject, path: string) => FieldError[] = () => [],
): { errors: FieldError[]; fields: string[] } {
  const errors: FieldError[] = [];
  const fields: string[] = [];
  if (isSet(object.nodeName)) {
    const name = textOf(object.nodeName);
    if (name !== "") fields.push("`nodeName`");
    const problems = name === "" ? [emptyName] : isDNS1123Subdomain(name);
    errors.push(...invalidFor(`${path}.nodeName`, name, problems));
  }
  if (isSet(object.nodeSelector)) {
    fields.push("`nodeSelector`");
    const [selector, at] = [fieldsOf(object.nodeSelector), `${path}.nodeSelector`];
    errors.push(...nodeSelectorErrors(selector, at), ...checkSelector(selector, at));
  }
  for (const field of ["allNodes", "perDeviceNodeSelection"]) {
    if (object[field] === true) fields.push(`\`${field}\``);
    if (object[field] === false) {
      errors.push(invalidValue(`${path}.${field}`, false, "must be either unset or set to true"));
    }
  }
  return { errors, fields };
}

/** Checks the names of the conditions that a device needs before a Pod is bound to its node, and of those that prevent it. */
export function bindingErrors(conditions: readonly string[], failures: readonly string[], path: string): FieldError[] {
  const [at, failuresAt] = [`${path}.bindingConditions`, `${path}.bindingFailureConditions`];
  const nameErrors = (names: readonly string[], where: string): FieldError[] =>
    names.length > maximumConditions
      ? [tooMany(where, names.length, maximumConditions)]
      : names.flatMap((name, index) => invalidFor(`${where}[${index}]`, name, isQualifiedName(name)));
  const overlap = "bindingFailureConditions must not overlap with bindingConditions";
  const overlapping = failures.flatMap((name, index) => [
    ...repeatedErrors(failures.slice(0, index + 1), failuresAt).filter(
      ({ field }) => field === `${failuresAt}[${index}]`,
    ),
    ...(conditions.includes(name) ? [invalidValue(`${failuresAt}[${index}]`, name, overlap)] : []),
  ]);
  const missing = (where: string, field: string, other: string): FieldError =>
    invalidValue(where, null, `${field} are required to use ${other}`);
  return [
    ...nameErrors(conditions, at),
    ...nameErrors(failures, failuresAt),
    ...repeatedErrors(conditions, at),
    ...overlapping,
    ...(conditions.length === 0 && failures.length > 0
      ? [missing(at, "bindingConditions", "bindingFailureConditions")]
      : []),
    ...(failures.length === 0 && conditions.length > 0
      ? [missing(failuresAt, "bindingFailureConditions", "bindingConditions")]
      : []),
  ];
}

/** Returns whether one of the devices has taints or uses counters, with which there may be fewer devices. */
export function usesAdvancedFields(devices: readonly JsonObject[]): boolean {
  return devices.some(
    ({ taints, consumesCounters }) => objectsOf(taints).length > 0 || objectsOf(consumesCounters).length > 0,
  );
}

/** Removes the fields of features that are off. */
export function dropDisabledDeviceFields(device: JsonObject): void {
  delete device.nodeAllocatableResourceMappings;
  delete device.nodeAllocatableResources;
  for (const consumption of objectsOf(device.consumesCounters)) delete consumption.compatibilityGroups;
  for (const attribute of Object.values(fieldsOf(device.attributes)).map(fieldsOf)) {
    for (const field of ["ints", "bools", "strings", "versions"]) delete attribute[field];
  }
}
