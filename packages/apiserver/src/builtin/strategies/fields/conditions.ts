import type { JsonObject } from "@kubewright/cel/json";
import {
  duplicateValue,
  type FieldError,
  invalidValue,
  isQualifiedName,
  regexError,
  required,
  tooLong,
} from "@kubewright/cel/validation";
import { invalidFor, isSet, numberOf, oneOf, textOf } from "./fields.ts";

const reasonPattern = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const longestReason = 1024;
const longestMessage = 32 * 1024;

/**
 * Checks the conditions of a status, where the kind checks them at all.
 *
 * @param conditions - the conditions
 * @param path - the path of the list
 * @returns the errors
 */
export function conditionErrors(conditions: readonly JsonObject[], path: string): FieldError[] {
  const types = new Set<string>();
  return conditions.flatMap((condition, index) => {
    const at = `${path}[${index}]`;
    const [type, reason] = [textOf(condition.type), textOf(condition.reason)];
    const errors =
      type === "" ? [required(`${at}.type`, "is required")] : invalidFor(`${at}.type`, type, isQualifiedName(type));
    if (types.has(type)) errors.push(duplicateValue(`${at}.type`, type));
    types.add(type);
    if (textOf(condition.status) === "") errors.push(required(`${at}.status`, ""));
    else errors.push(...oneOf(condition.status, `${at}.status`, ["False", "True", "Unknown"]));
    const generation = numberOf(condition.observedGeneration);
    if (generation < 0) {
      errors.push(invalidValue(`${at}.observedGeneration`, generation, "must be greater than or equal to zero"));
    }
    if (!isSet(condition.lastTransitionTime)) errors.push(required(`${at}.lastTransitionTime`, ""));
    if (reason === "") errors.push(required(`${at}.reason`, ""));
    else {
      if (!new RegExp(`^${reasonPattern}$`).test(reason)) {
        const rule =
          "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";
        const examples = ["my_name", "MY_NAME", "MyName", "ReasonA,ReasonB", "ReasonA:ReasonB"];
        errors.push(...invalidFor(`${at}.reason`, reason, [regexError(rule, reasonPattern, ...examples)]));
      }
      if (reason.length > longestReason) errors.push(tooLong(`${at}.reason`, longestReason));
    }
    if (textOf(condition.message).length > longestMessage) errors.push(tooLong(`${at}.message`, longestMessage));
    return errors;
  });
}
