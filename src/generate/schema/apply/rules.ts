import { isDeepStrictEqual } from "node:util";
import { argumentsOf, type MarkerValue } from "../../markers/index.ts";
import type { JSONSchema, ValidationRule } from "../json-schema.ts";
import { type Apply, type Effect, effect, turns } from "./effect.ts";

const reasons = ["FieldValueRequired", "FieldValueInvalid", "FieldValueForbidden", "FieldValueDuplicate"];

/** Appends a CEL rule. */
export function addRule(schema: JSONSchema, rule: ValidationRule): void {
  schema["x-kubernetes-validations"] = [...(schema["x-kubernetes-validations"] ?? []), rule];
}

/** The effect of `XValidation`. */
export const xValidation: Effect = effect((schema, value) => {
  const args = argumentsOf("kubebuilder:validation:XValidation", value);
  const { reason, optionalOldSelf } = args;
  if (reason !== "" && !reasons.includes(reason)) {
    const [required, invalid, forbidden, duplicate] = reasons;
    return `invalid reason ${reason}, valid values are ${required}, ${invalid}, ${forbidden} and ${duplicate}`;
  }
  const rule: ValidationRule = { rule: args.rule };
  for (const key of ["message", "messageExpression", "reason", "fieldPath"] as const) {
    if (args[key] !== "") rule[key] = args[key];
  }
  if (optionalOldSelf !== null) rule.optionalOldSelf = optionalOldSelf;
  addRule(schema, rule);
  return undefined;
});

const immutableRule: ValidationRule = { rule: "self == oldSelf", message: "field is immutable" };

/** The effect of `k8s:immutable` on the field. The rule of the parent is {@link setOnceRule}. */
export const immutable: Effect = effect((schema) => {
  addRule(schema, { ...immutableRule });
  return undefined;
});

/** Returns whether a field's rule is the one of `k8s:immutable`. */
export function isImmutableRule(rule: ValidationRule): boolean {
  return isDeepStrictEqual(rule, immutableRule);
}

/** Returns the parent's rule for an optional immutable field: only the parent can detect that it is removed. */
export function setOnceRule(field: string): ValidationRule {
  return { rule: `!has(oldSelf.${field}) || has(self.${field})`, message: `field ${field} is immutable once set` };
}

function oneOf(expression: (fields: readonly string[]) => string, wording: string): Apply {
  return (schema, value) => {
    const fields = fieldNames(value);
    if (fields.length === 0) return undefined;
    addRule(schema, { rule: expression(fields), message: wording.replace("%", `[${fields.join(" ")}]`) });
    return undefined;
  };
}

/** Returns the members in a one-of marker. */
export function fieldNames(value: MarkerValue): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function count(fields: readonly string[]): string {
  return fields.map((field) => `(has(self.${field})?1:0)`).join("+");
}

export const atMostOneOf: Effect = effect(
  oneOf((fields) => `${count(fields)} <= 1`, "at most one of the fields in % may be set"),
  turns.atMostOne,
);

export const exactlyOneOf: Effect = effect(
  oneOf((fields) => `${count(fields)} == 1`, "exactly one of the fields in % must be set"),
  turns.exactlyOne,
);

export const atLeastOneOf: Effect = effect(
  oneOf(
    (fields) => fields.map((field) => `has(self.${field})`).join("||"),
    "at least one of the fields in % must be set",
  ),
  turns.atLeastOne,
);
