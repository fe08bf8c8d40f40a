import { similarHint } from "../../../diagnostics/did-you-mean.ts";
import type { ValidationRule } from "../../schema/model/json-schema.ts";
import type { SchemaLint } from "../model/finding.ts";

/** The messages of the rules that one-of markers generate. */
const oneOfMessage = /^(?:exactly|at most|at least) one of the fields in \[(.*)\] (?:must|may) be set$/;

/** Returns the fields of a rule that a one-of marker generated; undefined for all other rules. */
function oneOfFields(message: string | undefined): string[] | undefined {
  return oneOfMessage.exec(message ?? "")?.[1]?.split(" ");
}

/** Returns whether a rule is the user's own; generated rules need no library to be parsed. */
export function isWritten({ rule, message, messageExpression, fieldPath }: ValidationRule): boolean {
  if (messageExpression !== undefined || fieldPath !== undefined) return true;
  return rule !== "self == oldSelf" && oneOfFields(message) === undefined;
}

/** Reports members of a one-of that the type doesn't have: the API server rejects the rule. */
export const oneOf: SchemaLint = ({ schema }, report) => {
  const properties = schema.properties ?? {};
  for (const rule of schema["x-kubernetes-validations"] ?? []) {
    for (const field of oneOfFields(rule.message) ?? []) {
      if (Object.hasOwn(properties, field) || field.includes(".")) continue;
      const names = Object.keys(properties);
      report({
        id: "one-of-field",
        message: `the one-of has an unknown field "${field}"`,
        hint: similarHint(field, names, `available: ${names.join(", ")}`),
        keywords: ["x-kubernetes-validations"],
        matching: field,
      });
    }
  }
};
