import type { JsonObject } from "@kubewright/cel/json";
import { type FieldError, invalidValue } from "@kubewright/cel/validation";
import type { ApiObject } from "../../../model/resource.ts";
import { fieldsOf, isSet, nonNegative, numberOf } from "../fields/fields.ts";

/**
 * Checks the counts in the status of a workload: none is negative, and none is greater than the number of replicas.
 *
 * @param status - the status
 * @param counts - the fields in the order of their messages, without `replicas`
 * @param parts - the fields that can't be greater than the number of replicas
 * @param ready - the field that limits `availableReplicas`, as messages call it
 * @returns the errors
 */
export function countErrors(
  status: JsonObject,
  counts: readonly string[],
  parts: readonly string[],
  ready: string,
): FieldError[] {
  const replicas = numberOf(status.replicas);
  const errors = ["replicas", ...counts].flatMap((count) => nonNegative(status[count], `status.${count}`));
  const least = (count: string, limit: number, name: string): void => {
    const value = numberOf(status[count]);
    if (value > limit) errors.push(invalidValue(`status.${count}`, value, `cannot be greater than ${name}`));
  };
  for (const part of parts) least(part, replicas, "status.replicas");
  least("availableReplicas", numberOf(status.readyReplicas), ready);
  return errors;
}

/** Checks that the number of collisions doesn't become less. */
export function collisionErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const [count, before] = [fieldsOf(object.status).collisionCount, fieldsOf(old.status).collisionCount];
  if (!isSet(before) || numberOf(count) >= numberOf(before)) return [];
  return [invalidValue("status.collisionCount", numberOf(count), "cannot be decremented")];
}
