import { isObject } from "../json/json.ts";
import { validateRules } from "../rules/validator.ts";
import type { CorrelatedObject } from "../schema/correlated-object.ts";
import type { DefaultRules } from "../schema/default-checks.ts";
import type { Schema } from "../schema/schema.ts";
import { fieldErrorMessage } from "../validation/field-error.ts";
import type { RuleValidator } from "./custom-resource.ts";

/**
 * Evaluates the rules of a schema for its default: as a value that doesn't change, then as a new one.
 *
 * @param schema - the schema of the default
 * @param value - the default
 * @param path - the path of the default
 * @returns the errors
 */
export const defaultErrors: DefaultRules = (schema, value, path) => {
  // A default that isn't an object is checked as the value of a field.
  const wrapped: Schema = { type: "object", properties: { default: schema } };
  const object = { default: value };
  const unchanged = validateRules(wrapped, object, object).errors;
  const errors = unchanged.length > 0 ? unchanged : validateRules(wrapped, object).errors;
  const parent = path.replace(/\.default$/, "");
  return errors.map((error) => ({ ...error, field: parent + error.field.replace(/^default/, ".default") }));
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
