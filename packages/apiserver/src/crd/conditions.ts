import { schemaOf, textOf } from "@kubewright/cel/crd";
import { equalJson, goQuote, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { structuralProblem, validateStructural } from "@kubewright/cel/schema";
import { fieldErrorMessage, invalidValue } from "@kubewright/cel/validation";
import type { Condition } from "../model/conditions.ts";
import { approvalState, isProtectedGroup } from "./api-approval.ts";
import { versionsOf } from "./definition.ts";
import { isCABundle } from "./validate-conversion.ts";
import { isConditionTrue } from "./validate-definition.ts";

/** The names and conditions that a definition has at a point in time. */
export interface DefinitionState {
  acceptedNames: JsonObject;
  /** The conditions that are set; one that no longer applies is in `removed`. */
  conditions: Condition[];
  removed: string[];
}

/** Returns the names of a definition; its plural and kind are always present. */
function namesOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/**
 * Computes the accepted names and the conditions of a definition.
 *
 * @param definition - the definition
 * @param others - all other definitions
 * @returns the names and conditions
 */
export function definitionState(definition: JsonObject, others: readonly JsonObject[]): DefinitionState {
  const spec = namesOf(definition.spec);
  const { names, condition } = acceptNames(definition, others);
  const conditions = condition === undefined ? [] : [condition];
  const accepted = condition?.status === "True";
  if (isConditionTrue(definition, "Established")) {
    conditions.push(conditionOf(definition, "Established") as Condition);
  } else if (!accepted) {
    const kept = conditionOf(definition, "Established");
    const message = "not all names are accepted";
    if (kept !== undefined) conditions.push(kept);
    else if (condition !== undefined) {
      conditions.push({ type: "Established", status: "False", reason: "NotAccepted", message });
    }
  } else conditions.push(establish(spec));
  const removed: string[] = [];
  const structure = nonStructural(definition);
  if (structure === undefined) removed.push("NonStructuralSchema");
  else conditions.push(structure);
  const approval = approvalCondition(definition);
  if (approval === undefined) removed.push("KubernetesAPIApprovalPolicyConformant");
  else conditions.push(approval);
  return { acceptedNames: names, conditions, removed };
}

function conditionOf(definition: JsonObject, type: string): Condition | undefined {
  const conditions = namesOf(definition.status).conditions;
  if (!Array.isArray(conditions)) return undefined;
  const entry = conditions.find((condition) => isObject(condition) && condition.type === type);
  return entry as Condition | undefined;
}

function establish(spec: JsonObject): Condition {
  const webhook = namesOf(namesOf(spec.conversion).webhook);
  if (!isCABundle(textOf(namesOf(webhook.clientConfig).caBundle))) {
    const message = "The conversion webhook CABundle is invalid";
    return { type: "Established", status: "False", reason: "InvalidCABundle", message };
  }
  const message = "the initial names have been accepted";
  return { type: "Established", status: "True", reason: "InitialNamesAccepted", message };
}

const conflicts = [
  ["plural", "PluralConflict", "resources"],
  ["singular", "SingularConflict", "resources"],
  ["shortNames", "ShortNamesConflict", "resources"],
  ["kind", "KindConflict", "kinds"],
  ["listKind", "ListKindConflict", "kinds"],
] as const;

function acceptNames(
  definition: JsonObject,
  others: readonly JsonObject[],
): { names: JsonObject; condition: Condition | undefined } {
  const spec = namesOf(definition.spec);
  const requested = namesOf(spec.names);
  const accepted = namesOf(namesOf(definition.status).acceptedNames);
  // The real server doesn't look again at names that it has accepted, even if the condition reports otherwise.
  if (equalJson(requested, accepted)) {
    return { names: accepted, condition: conditionOf(definition, "NamesAccepted") };
  }
  const used = usedNames(textOf(spec.group), [definition, ...others]);
  const names: JsonObject = { ...accepted };
  let condition: Condition = {
    type: "NamesAccepted",
    status: "True",
    reason: "NoConflicts",
    message: "no conflicts found",
  };
  const inUse = (name: string) => `${goQuote(name)} is already in use`;
  for (const [field, reason, kind] of conflicts) {
    let messages: string[];
    if (field === "shortNames") {
      const own = new Set(listOf(accepted.shortNames));
      const taken = listOf(requested.shortNames).filter((name) => !own.has(name) && used[kind].has(name));
      messages = [...new Set(taken.map(inUse))];
    } else {
      const name = textOf(requested[field]);
      messages = name !== textOf(accepted[field]) && used[kind].has(name) ? [inUse(name)] : [];
    }
    if (messages.length === 0) assign(names, field, requested[field]);
    else {
      const message = messages.length === 1 ? (messages[0] as string) : `[${messages.join(", ")}]`;
      condition = { type: "NamesAccepted", status: "False", reason, message };
    }
  }
  assign(names, "categories", requested.categories);
  return { names: { ...names, plural: names.plural ?? "", kind: names.kind ?? "" }, condition };
}

function assign(names: JsonObject, field: string, value: Json | undefined): void {
  if (value === undefined) delete names[field];
  else names[field] = value;
}

function listOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}

function usedNames(
  group: string,
  definitions: readonly JsonObject[],
): { resources: ReadonlySet<string>; kinds: ReadonlySet<string> } {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const definition of definitions) {
    if (textOf(namesOf(definition.spec).group) !== group) continue;
    const names = namesOf(namesOf(definition.status).acceptedNames);
    for (const name of [textOf(names.plural), textOf(names.singular), ...listOf(names.shortNames)]) resources.add(name);
    kinds.add(textOf(names.kind)).add(textOf(names.listKind));
  }
  return { resources, kinds };
}

function nonStructural(definition: JsonObject): Condition | undefined {
  const type = "NonStructuralSchema";
  const messages = new Set<string>();
  if (namesOf(definition.spec).preserveUnknownFields === true) {
    messages.add(fieldErrorMessage(invalidValue("spec.preserveUnknownFields", true, "must be false")));
  }
  for (const [index, version] of versionsOf(definition).entries()) {
    const schema = schemaOf(version.schema);
    if (schema === undefined) continue;
    const problem = structuralProblem(schema);
    if (problem !== undefined) {
      const message = `failed to check validation schema for version ${textOf(version.name)}: ${problem}`;
      return { type, status: "Unknown", reason: "StructuralError", message };
    }
    const path = `spec.versions[${index}].schema.openAPIV3Schema`;
    for (const error of validateStructural(schema, path)) messages.add(fieldErrorMessage(error));
  }
  if (messages.size === 0) return undefined;
  const message = messages.size === 1 ? ([...messages][0] as string) : `[${[...messages].join(", ")}]`;
  return { type, status: "True", reason: "Violations", message };
}

const approvals = {
  approved: ["True", "ApprovedAnnotation"],
  unapproved: ["False", "UnapprovedAnnotation"],
  missing: ["False", "MissingAnnotation"],
  invalid: ["False", "InvalidAnnotation"],
} as const;

function approvalCondition(definition: JsonObject): Condition | undefined {
  if (!isProtectedGroup(textOf(namesOf(definition.spec).group))) return undefined;
  const { state, reason: message } = approvalState(definition);
  const [status, reason] = approvals[state];
  return { type: "KubernetesAPIApprovalPolicyConformant", status, reason, message };
}

/** The conditions `Terminating` of a definition that is being deleted. */
export const terminating: Record<"inProgress" | "finished" | "neverEstablished", Condition> = {
  inProgress: {
    type: "Terminating",
    status: "True",
    reason: "InstanceDeletionInProgress",
    message: "CustomResource deletion is in progress",
  },
  finished: {
    type: "Terminating",
    status: "False",
    reason: "InstanceDeletionCompleted",
    message: "removed all instances",
  },
  neverEstablished: {
    type: "Terminating",
    status: "False",
    reason: "NeverEstablished",
    message: "resource was never established",
  },
};
