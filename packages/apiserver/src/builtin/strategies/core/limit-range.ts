import { goFixed, type JsonObject } from "@kubewright/cel/json";
import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isQualifiedName,
  required,
} from "@kubewright/cel/validation";
import { uuid } from "../../../model/metadata.ts";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { fieldsOf, invalidFor, objectsOf, sortedKeys, textOf } from "../fields/fields.ts";
import { compareQuantities, quantityValue } from "../fields/quantities.ts";
import { containerResourceNameErrors, isOvercommitAllowed, resourceNameErrors } from "./resource-names.ts";

const types = ["Pod", "Container", "PersistentVolumeClaim"];

function typeErrors(type: string, path: string): FieldError[] {
  const errors = invalidFor(path, type, isQualifiedName(type));
  if (errors.length > 0 || type.includes("/") || types.includes(type)) return errors;
  return [invalidValue(path, type, "must be a standard limit type or fully qualified")];
}

function limitErrors(limit: JsonObject, at: string): FieldError[] {
  const type = textOf(limit.type);
  const isPod = type === "Pod";
  const nameErrors = isPod || type === "Container" ? containerResourceNameErrors : resourceNameErrors;
  const errors: FieldError[] = [];
  const namesOf = (key: string): void => {
    for (const name of sortedKeys(limit[key])) errors.push(...nameErrors(name, `${at}.${key}[${name}]`));
  };
  for (const key of ["max", "min"]) namesOf(key);
  for (const key of ["default", "defaultRequest"]) {
    if (!isPod) namesOf(key);
    else if (sortedKeys(limit[key]).length > 0) {
      errors.push(forbiddenValue(`${at}.${key}`, "may not be specified when `type` is 'Pod'"));
    }
  }
  const hasStorage = (key: string): boolean => fieldsOf(limit[key]).storage !== undefined;
  if (type === "PersistentVolumeClaim" && !hasStorage("min") && !hasStorage("max")) {
    const detail = "either minimum or maximum storage value is required, but neither was provided";
    errors.push(required(`${at}.limits`, detail));
  }
  namesOf("maxLimitRequestRatio");
  const sets = ["max", "min", "maxLimitRequestRatio", ...(isPod ? [] : ["default", "defaultRequest"])];
  const names = [...new Set(sets.flatMap((key) => sortedKeys(limit[key])))].sort();
  for (const name of names) errors.push(...quantityErrors(limit, at, name, isPod));
  return errors;
}

/** Compares the quantities of one resource with each other. */
function quantityErrors(limit: JsonObject, at: string, name: string, isPod: boolean): FieldError[] {
  const of = (key: string): string | undefined => fieldsOf(limit[key])[name] as string | undefined;
  const [min, max, ratio] = [of("min"), of("max"), of("maxLimitRequestRatio")];
  const preset = isPod ? undefined : of("default");
  const request = isPod ? undefined : of("defaultRequest");
  const errors: FieldError[] = [];
  const check = (
    low: string | undefined,
    high: string | undefined,
    field: string,
    shown: string | undefined,
    detail: string,
  ): void => {
    if (low !== undefined && high !== undefined && compareQuantities(low, high) > 0) {
      errors.push(invalidValue(`${at}.${field}[${name}]`, shown, detail));
    }
  };
  check(min, max, "min", min, `min value ${min} is greater than max value ${max}`);
  check(min, request, "defaultRequest", request, `min value ${min} is greater than default request value ${request}`);
  check(request, max, "defaultRequest", request, `default request value ${request} is greater than max value ${max}`);
  const above = `default request value ${request} is greater than default limit value ${preset}`;
  check(request, preset, "defaultRequest", request, above);
  check(min, preset, "default", min, `min value ${min} is greater than default value ${preset}`);
  check(preset, max, "default", max, `default value ${preset} is greater than max value ${max}`);
  const ratioPath = `${at}.maxLimitRequestRatio[${name}]`;
  if (ratio !== undefined && compareQuantities(ratio, "1") < 0) {
    errors.push(invalidValue(ratioPath, ratio, `ratio ${ratio} is less than 1`));
  }
  if (ratio !== undefined && min !== undefined && max !== undefined) {
    const largest = quantityValue(max) / quantityValue(min);
    if (quantityValue(ratio) > largest) {
      const detail = `ratio ${ratio} is greater than max/min = ${goFixed(largest, 6)}`;
      errors.push(invalidValue(ratioPath, ratio, detail));
    }
  }
  if (!isOvercommitAllowed(name) && preset !== undefined && request !== undefined) {
    if (compareQuantities(preset, request) !== 0) {
      const detail = `default value ${preset} must equal to defaultRequest value ${request} in ${name}`;
      errors.push(invalidValue(`${at}.defaultRequest[${name}]`, request, detail));
    }
  }
  return errors;
}

function rangeErrors(object: ApiObject): FieldError[] {
  const seen = new Set<string>();
  return objectsOf(fieldsOf(object.spec).limits).flatMap((limit, index) => {
    const at = `spec.limits[${index}]`;
    const type = textOf(limit.type);
    const errors = typeErrors(type, `${at}.type`);
    if (seen.has(type)) errors.push(duplicateValue(`${at}.type`, type));
    seen.add(type);
    return [...errors, ...limitErrors(limit, at)];
  });
}

/** The rules of LimitRanges. */
export const limitRange: Strategy = {
  // Unlike other kinds, they can come without a name.
  prepareForCreate({ metadata }, { random }) {
    metadata.name ||= uuid(random);
  },
  validate: rangeErrors,
  validateUpdate: rangeErrors,
};
