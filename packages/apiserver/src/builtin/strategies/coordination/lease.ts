import { type FieldError, invalidValue } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { fieldsOf, isSet, nonNegative, numberOf } from "../fields/fields.ts";

function leaseErrors(object: ApiObject): FieldError[] {
  const spec = fieldsOf(object.spec);
  const seconds = spec.leaseDurationSeconds;
  const errors: FieldError[] = [];
  if (isSet(seconds) && numberOf(seconds) <= 0) {
    errors.push(invalidValue("spec.leaseDurationSeconds", seconds, "must be greater than 0"));
  }
  return [...errors, ...nonNegative(spec.leaseTransitions, "spec.leaseTransitions")];
}

/** Drops the fields of coordinated leader election, which is off by default, unless they were set before. */
function dropElection(object: ApiObject, old?: ApiObject): void {
  const before = fieldsOf(old?.spec);
  if (isSet(before.strategy) || isSet(before.preferredHolder)) return;
  const spec = fieldsOf(object.spec);
  delete spec.strategy;
  delete spec.preferredHolder;
}

/** The rules of Leases. */
export const lease: Strategy = {
  prepareForCreate: (object) => dropElection(object),
  prepareForUpdate: (object, old) => dropElection(object, old),
  validate: leaseErrors,
  validateUpdate: leaseErrors,
};
