import type { JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  invalidValue,
  isQualifiedName,
  isValidLabelValue,
  notSupported,
} from "@kubewright/cel/validation";
import { invalidFor, isSet, textOf } from "../../fields/fields.ts";

/** The effects of taints on Pods that do not tolerate them. */
export const taintEffects: readonly string[] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/**
 * Checks tolerations.
 *
 * @param tolerations - the tolerations
 * @param path - returns the path of one, by index
 * @returns the errors
 */
export function tolerationErrors(tolerations: readonly JsonObject[], path: (index: number) => string): FieldError[] {
  return tolerations.flatMap((toleration, index) => {
    const at = path(index);
    const [key, operator] = [textOf(toleration.key), textOf(toleration.operator)];
    const [value, effect] = [textOf(toleration.value), textOf(toleration.effect)];
    const errors = key === "" ? [] : invalidFor(`${at}.key`, key, isQualifiedName(key));
    if (key === "" && operator !== "Exists") {
      const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.push(invalidValue(`${at}.operator`, operator, detail));
    }
    if (isSet(toleration.tolerationSeconds) && effect !== "NoExecute") {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      errors.push(invalidValue(`${at}.effect`, effect, detail));
    }
    if (operator === "" || operator === "Equal") {
      const problems = isValidLabelValue(value);
      if (problems.length > 0) errors.push(invalidValue(`${at}.operator`, value, problems.join(";")));
    } else if (operator === "Exists") {
      if (value !== "") {
        errors.push(invalidValue(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'"));
      }
    } else {
      const compares = operator === "Lt" || operator === "Gt";
      const supported = ["Equal", "Exists", ...(compares ? ["Lt", "Gt"] : [])];
      errors.push(notSupported(`${at}.operator`, operator, supported));
    }
    if (effect !== "" && !taintEffects.includes(effect)) {
      errors.push(notSupported(`${at}.effect`, effect, taintEffects));
    }
    return errors;
  });
}
