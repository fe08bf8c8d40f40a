import { didYouMean } from "../../../diagnostics/did-you-mean.ts";
import type { ValidationRule } from "../../schema/json-schema.ts";
import { type SchemaLint, validation } from "../finding.ts";

const markers = ["ExactlyOneOf", "AtMostOneOf", "AtLeastOneOf"].map(validation);
/** What those markers say in a rule; see `schema/apply/rules.ts`. */
const oneOfMessage = /^(?:exactly|at most|at least) one of the fields in \[(.*)\] (?:must|may) be set$/;

/** The fields that a rule made of a one-of marker names; undefined for all other rules. */
function oneOfFields(message: string | undefined): string[] | undefined {
  return oneOfMessage.exec(message ?? "")?.[1]?.split(" ");
}

/** Whether a rule is the user's own; those that the generator writes need no library to be read. */
export function isWritten({ rule, message, messageExpression, fieldPath }: ValidationRule): boolean {
  if (messageExpression !== undefined || fieldPath !== undefined) return true;
  return rule !== "self == oldSelf" && oneOfFields(message) === undefined;
}

/** Members of a one-of that the type doesn't have: the API server refuses the rule. */
export const oneOf: SchemaLint = ({ schema }, report) => {
  const properties = schema.properties ?? {};
  for (const rule of schema["x-kubernetes-validations"] ?? []) {
    for (const field of oneOfFields(rule.message) ?? []) {
      if (Object.hasOwn(properties, field) || field.includes(".")) continue;
      const names = Object.keys(properties);
      const near = didYouMean(field, names);
      report({
        id: "one-of-field",
        message: `the one-of names the field "${field}", which the type doesn't have`,
        hint: near === undefined ? `its fields are ${names.join(", ")}` : `did you mean \`${near}\`?`,
        markers,
        says: field,
      });
    }
  }
};
