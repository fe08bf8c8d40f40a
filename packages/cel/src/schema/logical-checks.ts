import { goQuote } from "../json/go-text.ts";
import type { Json } from "../json/json.ts";
import type { Schema } from "./schema.ts";
import { type CheckOf, type SchemaCheck, ValidationResult } from "./validation-result.ts";

/**
 * Compiles `allOf`, `anyOf`, `oneOf` and `not`. Of alternatives that all fail, the errors of the one with the most passed
 * checks are reported. Unchanged values are not left out within them.
 *
 * @param schema - the schema
 * @param checkOf - returns the checks of nested schemas
 * @returns the check
 */
export function compileLogic(schema: Schema, checkOf: CheckOf): SchemaCheck {
  const { anyOf = [], oneOf = [], allOf = [], not } = schema;
  if (anyOf.length === 0 && oneOf.length === 0 && allOf.length === 0 && not === undefined) {
    return (_value, _path, result) => {
      result.matches++;
    };
  }
  const run = (nested: Schema, value: Json, path: string) => {
    const result = new ValidationResult();
    checkOf(nested)(value, path, result, undefined);
    return result;
  };
  const composite = (result: ValidationResult, path: string, rule: string) =>
    result.add({ kind: "composite", path, message: `${goQuote(path)} ${rule}` });
  return (value, path, result) => {
    if (anyOf.length > 0) {
      const { kept, valid } = tryAll(anyOf, (nested) => run(nested, value, path), 1);
      if (valid === 0) composite(result, path, "must validate at least one schema (anyOf)");
      result.merge(kept);
    }
    if (oneOf.length > 0) {
      const { kept, valid } = tryAll(oneOf, (nested) => run(nested, value, path));
      if (valid !== 1) {
        const counted = valid === 0 ? "Found none valid" : `Found ${valid} valid alternatives`;
        composite(result, path, `must validate one and only one schema (oneOf). ${counted}`);
      }
      if (valid <= 1) result.merge(kept);
    }
    if (allOf.length > 0) {
      let valid = 0;
      for (const nested of allOf) {
        const outcome = run(nested, value, path);
        if (outcome.valid) valid++;
        result.merge(outcome);
      }
      if (valid !== allOf.length) {
        composite(result, path, `must validate all the schemas (allOf)${valid === 0 ? ". None validated" : ""}`);
      }
    }
    if (not !== undefined && run(not, value, path).valid) composite(result, path, "must not validate the schema (not)");
    result.matches++;
  };
}

/**
 * Checks a value against alternatives until enough are valid. Keeps the result of the last valid one, otherwise that of the first
 * one with the most passed checks.
 */
function tryAll(
  schemas: readonly Schema[],
  run: (schema: Schema) => ValidationResult,
  enough = schemas.length,
): { kept: ValidationResult; valid: number } {
  let [kept, valid]: [ValidationResult | undefined, number] = [undefined, 0];
  for (const schema of schemas) {
    const result = run(schema);
    if (result.valid) {
      valid++;
      kept = result;
      if (valid === enough) break;
    } else if (valid === 0 && (kept === undefined || result.matches > kept.matches)) kept = result;
  }
  return { kept: kept as ValidationResult, valid };
}
