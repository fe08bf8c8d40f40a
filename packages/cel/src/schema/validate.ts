import type { Json } from "../json/json.ts";
import type { FieldError } from "../validation/field-error.ts";
import { compileChecks } from "./compile-checks.ts";
import type { CorrelatedObject } from "./correlated-object.ts";
import type { Schema } from "./schema.ts";
import { mayInterrupt } from "./slices.ts";
import { fieldErrorOf, type SchemaCheck, ValidationResult } from "./validation-result.ts";

const checks = new WeakMap<Schema, SchemaCheck>();

function checkOf(schema: Schema): SchemaCheck {
  let check = checks.get(schema);
  if (check === undefined) {
    // Patterns can take long to compile.
    mayInterrupt();
    check = compileChecks(schema, checkOf);
    checks.set(schema, check);
  }
  return check;
}

/**
 * Validates a value against a schema, without `x-kubernetes-*` rules.
 *
 * @param schema - the schema; compiled once and kept as long as the object exists
 * @param value - the value, for example a custom resource
 * @param path - the path of the value; empty for an object
 * @returns the errors in the order of the schema
 */
export function validateSchema(schema: Schema, value: Json, path = ""): FieldError[] {
  const result = new ValidationResult();
  checkOf(schema)(value, "", result, undefined);
  return result.violations.map((violation) => fieldErrorOf(violation, path));
}

/**
 * Validates a value that replaces another. Errors of values that were the same before the update are ignored (ratcheting).
 *
 * @param schema - the schema; compiled once and kept as long as the object exists
 * @param correlation - the new and the old value; share it with the rules of CEL
 * @param path - the path of the value; empty for an object
 * @returns the errors in the order of the schema
 */
export function validateSchemaUpdate(schema: Schema, correlation: CorrelatedObject, path = ""): FieldError[] {
  const result = new ValidationResult();
  checkOf(schema)(correlation.value ?? null, "", result, correlation);
  if (result.valid || correlation.isEqual()) return [];
  return result.violations.map((violation) => fieldErrorOf(violation, path));
}
