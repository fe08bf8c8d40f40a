import { textOf } from "@kubewright/cel/crd";
import { goQuote, isObject, type JsonObject } from "@kubewright/cel/json";
import { at, type FieldError, invalidValue, required } from "@kubewright/cel/validation";

const annotation = "api-approved.kubernetes.io";

/** Whether a definition in a group of the Kubernetes community is approved, and why. */
export interface ApprovalState {
  state: "approved" | "unapproved" | "missing" | "invalid";
  reason: string;
}

/** Returns true for groups that need an approval. */
export function isProtectedGroup(group: string): boolean {
  return ["k8s.io", "kubernetes.io"].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

/**
 * Reads the approval of a definition.
 *
 * @param definition - the definition
 * @returns the state
 */
export function approvalState(definition: JsonObject): ApprovalState {
  const value = approvalText(definition);
  const see = "see https://github.com/kubernetes/enhancements/pull/1111";
  const must = `protected groups must have approval annotation ${goQuote(annotation)}`;
  if (value === "") return { state: "missing", reason: `${must}, ${see}` };
  if (value.startsWith("unapproved")) return { state: "unapproved", reason: `not approved: ${goQuote(value)}` };
  if (/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?\s]+/.test(value)) return { state: "approved", reason: `approved in ${value}` };
  return { state: "invalid", reason: `${must} with either a URL or a reason starting with "unapproved", ${see}` };
}

function approvalText(definition: JsonObject): string {
  const metadata = isObject(definition.metadata) ? definition.metadata : {};
  return isObject(metadata.annotations) ? textOf(metadata.annotations[annotation]) : "";
}

/**
 * Validates the approval of a definition. An update may keep a wrong approval.
 *
 * @param definition - the definition
 * @param old - the stored definition
 * @returns the errors
 */
export function validateApproval(definition: JsonObject, old: JsonObject | undefined): FieldError[] {
  const group = isObject(definition.spec) ? textOf(definition.spec.group) : "";
  if (!isProtectedGroup(group)) return [];
  const { state, reason } = approvalState(definition);
  if (old !== undefined && approvalState(old).state === state) return [];
  const field = at("metadata.annotations", annotation);
  if (state === "missing") return [required(field, reason)];
  return state === "invalid" ? [invalidValue(field, approvalText(definition), reason)] : [];
}
