import { type FieldError, invalidValue } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { validateLabelSelector } from "../../../validation/label-selector.ts";
import { internalForm } from "../../codec/internal-form.ts";
import { amountErrors, atMost100 } from "../fields/amounts.ts";
import { conditionErrors } from "../fields/conditions.ts";
import { fieldsOf, isSet, nonNegative, objectsOf, optionalOneOf } from "../fields/fields.ts";

function specErrors(object: ApiObject): FieldError[] {
  const spec = fieldsOf(object.spec);
  const errors: FieldError[] = [];
  if (isSet(spec.minAvailable) && isSet(spec.maxUnavailable)) {
    errors.push(
      invalidValue(
        "spec",
        internalForm("policy.PodDisruptionBudgetSpec", spec),
        "minAvailable and maxUnavailable cannot be both set",
      ),
    );
  }
  for (const key of ["minAvailable", "maxUnavailable"]) {
    if (isSet(spec[key]))
      errors.push(...amountErrors(spec[key], `spec.${key}`), ...atMost100(spec[key], `spec.${key}`));
  }
  errors.push(...validateLabelSelector(spec.selector, "spec.selector"));
  const policies = ["AlwaysAllow", "IfHealthyBudget"];
  return [...errors, ...optionalOneOf(spec.unhealthyPodEvictionPolicy, "spec.unhealthyPodEvictionPolicy", policies)];
}

const counts = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"];

/** The rules of PodDisruptionBudgets. */
export const podDisruptionBudget: Strategy = {
  validatesMetadata: true,
  validate: specErrors,
  validateUpdate(object, _old, { subresource }) {
    if (subresource !== "status") return specErrors(object);
    const status = fieldsOf(object.status);
    return [
      ...conditionErrors(objectsOf(status.conditions), "status.conditions"),
      ...counts.flatMap((count) => nonNegative(status[count], `status.${count}`)),
    ];
  },
};
