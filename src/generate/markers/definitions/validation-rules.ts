import { isDeepStrictEqual } from "node:util";
import type { JSONSchema, ValidationRule } from "../../../kubernetes/json-schema.ts";
import { listed } from "../../../text/list.ts";
import { stringLiteral } from "../../../text/typescript.ts";
import { turns } from "../model/effects.ts";
import { marker } from "./define.ts";
import { notOneOf } from "./not-one-of.ts";

const reasons = ["FieldValueRequired", "FieldValueInvalid", "FieldValueForbidden", "FieldValueDuplicate"];
const immutableRule: ValidationRule = { rule: "self == oldSelf", message: "field is immutable" };

/** Markers for rules that the API server evaluates as CEL. */
export const ruleMarkers = [
  marker({
    name: "kubebuilder:validation:XValidation",
    targets: ["field", "type"],
    category: "CRD validation",
    forItems: true,
    summary: "Adds a CEL expression that must be true for the value. Can be repeated.",
    details:
      'Example: `+kubebuilder:validation:XValidation:rule="self.min <= self.max",message="min must not exceed max"`',
    fields: {
      rule: {
        type: "string",
        summary: "The CEL expression; `self` is the value, `oldSelf` the value before the update.",
      },
      message: { type: "string", optional: true, summary: "The error message if the rule fails." },
      messageExpression: {
        type: "string",
        optional: true,
        summary: "A CEL expression that returns the message; takes precedence over `message`.",
      },
      reason: {
        type: "string",
        optional: true,
        summary:
          "`FieldValueInvalid` (the default), `FieldValueForbidden`, `FieldValueRequired` or `FieldValueDuplicate`.",
      },
      fieldPath: {
        type: "string",
        optional: true,
        summary: "The field in the error message, such as `.min`.",
      },
      optionalOldSelf: {
        type: "bool",
        optional: true,
        nullable: true,
        summary: "With `true` the rule also runs without an old value, and `oldSelf` is an optional value.",
      },
    },
    keyword: "x-kubernetes-validations",
    fromSchema: (rules) => (rules as readonly Readonly<Record<string, unknown>>[]).map(ruleArguments),
    schema(schema, args) {
      const { reason, optionalOldSelf } = args;
      const rejected = `invalid reason ${reason}, valid values are ${listed(reasons)}`;
      const wrongReason = reason === "" ? undefined : notOneOf(reason, reasons, rejected);
      if (wrongReason !== undefined) return wrongReason;
      const rule: ValidationRule = { rule: args.rule };
      for (const key of ["message", "messageExpression", "reason", "fieldPath"] as const) {
        if (args[key] !== "") rule[key] = args[key];
      }
      if (optionalOldSelf !== null) rule.optionalOldSelf = optionalOldSelf;
      addRule(schema, rule);
      return undefined;
    },
  }),
  marker({
    name: "kubebuilder:validation:ExactlyOneOf",
    targets: ["type"],
    category: "CRD validation",
    value: "[]string",
    summary: "Requires exactly one of these fields. Can be repeated.",
    details: "Example: `+kubebuilder:validation:ExactlyOneOf=configMap;secret`. Use the names in JSON.",
    keyword: "x-kubernetes-validations",
    isOneOf: true,
    schema: oneOf((fields) => `${count(fields)} == 1`, "exactly one of the fields in % must be set"),
    turn: turns.exactlyOne,
  }),
  marker({
    name: "kubebuilder:validation:AtMostOneOf",
    targets: ["type"],
    category: "CRD validation",
    value: "[]string",
    summary: "Allows at most one of these fields. Can be repeated.",
    details: "Example: `+kubebuilder:validation:AtMostOneOf=configMap;secret`. Use the names in JSON.",
    keyword: "x-kubernetes-validations",
    isOneOf: true,
    schema: oneOf((fields) => `${count(fields)} <= 1`, "at most one of the fields in % may be set"),
    turn: turns.atMostOne,
  }),
  marker({
    name: "kubebuilder:validation:AtLeastOneOf",
    targets: ["type"],
    category: "CRD validation",
    value: "[]string",
    summary: "Requires at least one of these fields. Can be repeated.",
    details: "Example: `+kubebuilder:validation:AtLeastOneOf=configMap;secret`. Use the names in JSON.",
    keyword: "x-kubernetes-validations",
    isOneOf: true,
    schema: oneOf(
      (fields) => fields.map((field) => `has(self.${field})`).join("||"),
      "at least one of the fields in % must be set",
    ),
    turn: turns.atLeastOne,
  }),
  marker({
    name: "k8s:immutable",
    targets: ["field"],
    category: "CRD validation",
    summary: "Makes the field immutable once it is set.",
    keyword: "x-kubernetes-validations",
    schema(schema) {
      addRule(schema, { ...immutableRule });
      return undefined;
    },
    parent(parent, field) {
      if (!parent.required?.includes(field)) addRule(parent, setOnceRule(field));
    },
  }),
] as const;

function ruleArguments(each: Readonly<Record<string, unknown>>): string {
  const texts = ["rule", "message", "messageExpression", "reason", "fieldPath"]
    .filter((name) => typeof each[name] === "string")
    .map((name) => `${name}=${stringLiteral(each[name] as string)}`);
  const old = typeof each.optionalOldSelf === "boolean" ? [`optionalOldSelf=${each.optionalOldSelf}`] : [];
  return `:${[...texts, ...old].join(",")}`;
}

/** Appends a CEL rule. */
export function addRule(schema: JSONSchema, rule: ValidationRule): void {
  schema["x-kubernetes-validations"] = [...(schema["x-kubernetes-validations"] ?? []), rule];
}

/** Returns whether a field's rule is the one of `k8s:immutable`. */
export function isImmutableRule(rule: ValidationRule): boolean {
  return isDeepStrictEqual(rule, immutableRule);
}

/** Returns the parent's rule for an optional immutable field: only the parent can detect that it is removed. */
export function setOnceRule(field: string): ValidationRule {
  return { rule: `!has(oldSelf.${field}) || has(self.${field})`, message: `field ${field} is immutable once set` };
}

function oneOf(expression: (fields: readonly string[]) => string, wording: string) {
  return (schema: JSONSchema, fields: readonly string[] | null): undefined => {
    if (!fields) return;
    addRule(schema, { rule: expression(fields), message: wording.replace("%", `[${fields.join(" ")}]`) });
  };
}

function count(fields: readonly string[]): string {
  return fields.map((field) => `(has(self.${field})?1:0)`).join("+");
}
