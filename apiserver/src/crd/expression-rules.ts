import { checkRules } from "../cel/rules/check.ts";
import { validateRules } from "../cel/rules/validator.ts";
import { isObject } from "../json/json.ts";
import { fieldErrorMessage } from "../request/field-error.ts";
import type { CorrelatedObject } from "../schema/correlated-object.ts";
import type { Schema } from "../schema/schema.ts";
import type { RuleValidator } from "./custom-resource.ts";
import type { CelChecks } from "./validate-validation.ts";

/** The checks of `x-kubernetes-validations` in definitions. */
export const expressionChecks: CelChecks = {
  compile: (schema, path) => checkRules(schema, path),
  validateDefault(schema, value, path) {
    // A default that isn't an object is checked as the value of a field.
    const wrapped: Schema = { type: "object", properties: { default: schema } };
    return validateRules(wrapped, { default: value }).errors.map((error) => ({
      ...error,
      field: path.replace(/\.default$/, "") + error.field.replace(/^default/, ".default"),
    }));
  },
};

/**
 * Creates the function that evaluates the rules of a schema.
 *
 * @param schema - the schema of a version; compiled rules are kept with it
 * @returns the function
 */
export function ruleValidator(schema: Schema): RuleValidator {
  return (value, oldValue, correlation, warn) => {
    if (!isObject(value)) return [];
    const unchanged = correlation === undefined ? undefined : unchangedIn(correlation);
    const result = validateRules(schema, value, isObject(oldValue) ? oldValue : undefined, unchanged);
    for (const warning of result.warnings) warn?.(fieldErrorMessage(warning));
    return result.errors;
  };
}

/** Rules that fail for unchanged parts of an object only cause warnings. */
function unchangedIn(root: CorrelatedObject): (path: readonly (string | number)[]) => boolean {
  return (path) => {
    let at = root;
    for (const part of path) {
      const next = typeof part === "number" ? at.index(part) : at.key(part);
      // Without a counterpart, the nearest part that has one decides.
      if (next === undefined) break;
      at = next;
    }
    return at.isEqual();
  };
}
