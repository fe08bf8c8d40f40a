import type { Json } from "@kubewright/cel/json";
import { type FieldError, forbiddenValue, required } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { immutable, isSet, numberOf, oneOf, textOf } from "../fields/fields.ts";

const highest = 1_000_000_000;

/** The classes that the server creates itself. */
const systemClasses: Readonly<Record<string, { value: number; description: string }>> = {
  "system-node-critical": {
    value: 2_000_001_000,
    description: "Used for system critical pods that must not be moved from their current node.",
  },
  "system-cluster-critical": {
    value: 2_000_000_000,
    description:
      "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
  },
};

function systemProblem(object: ApiObject): string | undefined {
  const systemClass = systemClasses[object.metadata.name ?? ""];
  if (systemClass === undefined) return `${object.metadata.name} is not a known system priority class`;
  if (object.value !== systemClass.value) {
    return `value of ${object.metadata.name} PriorityClass must be ${systemClass.value}`;
  }
  return object.globalDefault === true
    ? `globalDefault of ${object.metadata.name} PriorityClass must be false`
    : undefined;
}

function priorityErrors(object: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  if (object.metadata.name?.startsWith("system-")) {
    const problem = systemProblem(object);
    if (problem !== undefined) {
      const detail = `priority class names with 'system-' prefix are reserved for system use only. error: ${problem}`;
      errors.push(forbiddenValue("metadata.name", detail));
    }
  } else if (numberOf(object.value) > highest) {
    errors.push(forbiddenValue("value", `maximum allowed value of a user defined priority is ${highest}`));
  }
  return [...errors, ...preemptionPolicyErrors(object.preemptionPolicy, "preemptionPolicy")];
}

/**
 * Checks an optional policy for the preemption of Pods.
 *
 * @param policy - the policy
 * @param path - its path
 * @returns the errors
 */
export function preemptionPolicyErrors(policy: Json | undefined, path: string): FieldError[] {
  if (!isSet(policy)) return [];
  return textOf(policy) === "" ? [required(path, "")] : oneOf(policy, path, ["PreemptLowerPriority", "Never"]);
}

/** The rules of PriorityClasses: neither the value nor the policy can change. */
export const priorityClass: Strategy = {
  deletionProblem: (name) =>
    Object.hasOwn(systemClasses, name) ? "this is a system priority class and cannot be deleted" : undefined,
  validate: priorityErrors,
  validateUpdate(object, old) {
    const errors: FieldError[] = [];
    if (numberOf(object.value) !== numberOf(old.value)) {
      errors.push(forbiddenValue("value", "may not be changed in an update."));
    }
    return [...errors, ...immutable(object.preemptionPolicy, old.preemptionPolicy, "preemptionPolicy")];
  },
};
