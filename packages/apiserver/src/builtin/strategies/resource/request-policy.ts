import type { JsonObject } from "@kubewright/cel/json";
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  roundQuantity,
} from "@kubewright/cel/quantity";
import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
  tooMany,
} from "@kubewright/cel/validation";
import { fieldsOf, isSet, textsOf } from "../fields/fields.ts";

const maximumValues = 10;
const largest = 2n ** 63n - 1n;

/** Checks how much of a capacity claims can request. */
export function requestPolicyErrors(capacity: JsonObject, path: string): FieldError[] {
  const policy = fieldsOf(capacity.requestPolicy);
  const values = textsOf(policy.validValues);
  if (values.length > 0 && isSet(policy.validRange)) {
    const detail =
      'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time';
    return [forbiddenValue(path, detail)];
  }
  const kind = values.length > 0 ? "validValues" : "validRange";
  if (values.length === 0 && !isSet(policy.validRange)) return [];
  if (!isSet(policy.default)) return [required(`${path}.default`, `required when ${kind} is defined`)];
  const [fallback, most] = [quantityOf(policy.default), quantityOf(capacity.value)];
  return values.length > 0
    ? valueErrors(values.map(parseQuantity), fallback, most, `${path}.validValues`)
    : rangeErrors(fieldsOf(policy.validRange), fallback, most, `${path}.validRange`);
}

function quantityOf(value: JsonObject[string] | undefined): Quantity {
  return parseQuantity(String(value ?? "0"));
}

function wrong(path: string, value: Quantity, detail: string): FieldError {
  return invalidValue(path, formatQuantity(value), detail);
}

function valueErrors(values: readonly Quantity[], fallback: Quantity, most: Quantity, path: string): FieldError[] {
  const errors = values.flatMap((value, index) => {
    const before = values[index - 1];
    const isUnsorted = before !== undefined && compareQuantities(before, value) > 0;
    return isUnsorted ? [wrong(`${path}[${index}]`, value, "values must be sorted in ascending order")] : [];
  });
  if (values.length > maximumValues) errors.push(tooMany(path, values.length, maximumValues));
  else {
    const detail = `option is larger than capacity value: ${formatQuantity(most)}`;
    for (const [index, value] of values.entries()) {
      if (compareQuantities(value, most) > 0) errors.push(wrong(`${path}[${index}]`, value, detail));
    }
    const seen = new Set<bigint>();
    for (const [index, value] of values.entries()) {
      const integer = integerOf(value);
      if (seen.has(integer)) errors.push(duplicateValue(`${path}[${index}]`, String(integer)));
      seen.add(integer);
    }
  }
  const isValid = values.length <= maximumValues && values.some((value) => compareQuantities(value, fallback) === 0);
  return isValid
    ? errors
    : [...errors, wrong(path, fallback, "default value is not valid according to the requestPolicy")];
}

function rangeErrors(range: JsonObject, fallback: Quantity, most: Quantity, path: string): FieldError[] {
  if (!isSet(range.min)) return [required(`${path}.min`, "required when validRange is defined")];
  const errors: FieldError[] = [];
  const check = (isWrong: boolean, field: string, value: Quantity, detail: string, limit: Quantity): void => {
    if (isWrong) errors.push(wrong(`${path}.${field}`, value, `${detail}: ${formatQuantity(limit)}`));
  };
  const isAbove = (value: Quantity, limit: Quantity): boolean => compareQuantities(value, limit) > 0;
  const min = quantityOf(range.min);
  check(isAbove(min, most), "min", min, "min is larger than capacity value", most);
  check(isAbove(min, fallback), "default", fallback, "default is less than min", min);
  const max = isSet(range.max) ? quantityOf(range.max) : undefined;
  if (max) {
    check(isAbove(min, max), "max", min, "min is larger than max", max);
    check(isAbove(max, most), "max", max, "max is larger than capacity value", most);
    check(isAbove(fallback, max), "default", fallback, "default is more than max", max);
  }
  if (!isSet(range.step)) return errors;
  const step = quantityOf(range.step);
  if (step.value <= 0n) return [...errors, wrong(`${path}.step`, step, "must be greater than zero")];
  const first = addQuantities(min, step);
  check(isAbove(first, most), "step", step, `one step ${formatQuantity(first)} is larger than capacity value`, most);
  const limits = Object.entries({ default: fallback, min, ...(max ? { max } : {}), step }).flatMap(([field, value]) =>
    limitErrors(value, `${path}.${field}`),
  );
  if (limits.length > 0) return [...errors, ...limits];
  for (const value of [fallback, ...(max ? [max] : [])]) {
    if ((integerOf(value) - integerOf(min)) % integerOf(step) === 0n) continue;
    const detail = `value is not a multiple of a given step (${formatQuantity(step)}) from (${formatQuantity(min)})`;
    errors.push(wrong(`${path}.step`, value, detail));
  }
  return errors;
}

function limitErrors(value: Quantity, path: string): FieldError[] {
  if (value.value < 0n) return [wrong(path, value, "must be greater than or equal to 0")];
  if (compareQuantities(value, parseQuantity(String(largest))) <= 0) return [];
  return [wrong(path, value, `must not be larger than ${largest}`)];
}

/** Returns a quantity as an integer, rounded away from zero. Others than those of 64 bits are compared as the largest. */
function integerOf(quantity: Quantity): bigint {
  const { value, scale } = roundQuantity(quantity, 0);
  if (value === 0n) return 0n;
  return String(value).length + scale > 20 ? largest : value * 10n ** BigInt(scale);
}
