import { isObject, type Json } from "../json/json.ts";
import { RuleChecker } from "../rules/check.ts";
import { pruneDefaults, validateDefaults } from "../schema/default-checks.ts";
import type { Schema } from "../schema/schema.ts";
import { nestedSchemas, structuralProblem, validateStructural } from "../schema/structural.ts";
import type { FieldError } from "../validation/field-error.ts";
import { child, forbiddenValue, invalidValue } from "../validation/paths.ts";
import { defaultErrors } from "./expression-rules.ts";
import { schemaFields, schemaOf, shownSchema } from "./internal-form.ts";
import { listMapKeyErrors } from "./list-map-keys.ts";
import { type SchemaRules, validateDefinitionSchema } from "./validate-schema.ts";

/** The rules for schemas, some of which the stored definition may already break. */
export interface ValidationRules extends SchemaRules {
  requireStructural: boolean;
  requirePrunedDefaults: boolean;
  requireSchema: boolean;
}

const allowedAtRoot = [
  ...["Description", "Type", "Format", "Title", "Maximum", "ExclusiveMaximum", "Minimum", "ExclusiveMinimum"],
  ...["MaxLength", "MinLength", "Pattern", "MaxItems", "MinItems", "UniqueItems", "MultipleOf", "Required", "Items"],
  ...["Properties", "ExternalDocs", "Example", "XPreserveUnknownFields", "XValidations"],
];

/**
 * Validates the schema of a version, or of all versions of a definition.
 *
 * @param validation - the object with `openAPIV3Schema`
 * @param hasStatus - true if the status subresource is enabled
 * @param rules - the rules to apply
 * @param path - the path of the object
 * @param unchangedSchema - true if the version had the same schema before
 * @returns the errors
 */
export function validateValidation(
  validation: Json | undefined,
  hasStatus: boolean,
  rules: ValidationRules,
  path: string,
  unchangedSchema: boolean,
): FieldError[] {
  const schema = schemaOf(validation);
  if (schema === undefined) return [];
  const errors: FieldError[] = [];
  const schemaPath = child(path, "openAPIV3Schema");
  if (hasStatus) errors.push(...rootErrors(schema, schemaPath));
  if (schema.nullable === true) {
    errors.push(forbiddenValue(child(schemaPath, "nullable"), "nullable cannot be true at the root"));
  }
  const problem = rules.requireStructural ? structuralProblem(schema) : undefined;
  let structural = false;
  if (rules.requireStructural && problem === undefined) {
    const broken = validateStructural(schema, schemaPath);
    if (broken.length === 0) {
      broken.push(...validateDefaults(schema, schemaPath, rules.requirePrunedDefaults, defaultErrors));
    }
    structural = broken.length === 0;
    errors.push(...broken);
  }
  const expressions = structural ? new RuleChecker(unchangedSchema) : undefined;
  errors.push(...validateDefinitionSchema(schema, schemaPath, rules, expressions));
  if (errors.length === 0 && problem !== undefined) errors.push(invalidValue(schemaPath, "", problem));
  errors.push(...(expressions?.totalErrors(schemaPath) ?? []));
  return errors;
}

function rootErrors(schema: Schema, path: string): FieldError[] {
  for (const [name, goName] of schemaFields) {
    const value = (schema as unknown as Record<string, Json>)[name];
    if (value === undefined || value === null || value === "") continue;
    if (value === false && name !== "x-kubernetes-preserve-unknown-fields" && name !== "additionalProperties") continue;
    if (goName === "Type") {
      if (value === "object") continue;
      const detail =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [invalidValue(child(path, "type"), value, detail)];
    }
    if (allowedAtRoot.includes(goName)) continue;
    const allowed = `[${allowedAtRoot.join(" ")}]`;
    const detail = `only ${allowed} fields are allowed at the root of the schema if the status subresource is enabled`;
    return [invalidValue(path, shownSchema(schema as unknown as Json), detail)];
  }
  return [];
}

/** @returns true if a predicate holds for a schema or a schema within it */
export function someSchema(schema: Schema | undefined, holds: (schema: Schema) => boolean): boolean {
  const pending = schema === undefined ? [] : [schema];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (holds(next)) return true;
    pending.push(...nestedSchemas(next));
  }
  return false;
}

/** @returns true if a schema has a default anywhere */
export function hasDefaults(schema: Schema | undefined): boolean {
  return someSchema(schema, (nested) => nested.default !== undefined && nested.default !== null);
}

/** @returns true if a schema uses extensions that need a structural schema */
export function hasExtensions(schema: Schema | undefined): boolean {
  return someSchema(
    schema,
    (nested) =>
      nested["x-kubernetes-embedded-resource"] === true ||
      nested["x-kubernetes-preserve-unknown-fields"] !== undefined ||
      nested["x-kubernetes-int-or-string"] === true ||
      (nested["x-kubernetes-list-map-keys"] ?? []).length > 0 ||
      nested["x-kubernetes-list-type"] !== undefined ||
      (nested["x-kubernetes-validations"] ?? []).length > 0,
  );
}

const types = new Set(["string", "number", "integer", "boolean", "array", "object"]);

/**
 * Returns the rules for schemas of an update: those that the stored schemas already break aren't required.
 *
 * @param schemas - the schemas of the stored definition; `undefined` for a version without one
 * @returns the rules
 */
export function rulesForUpdate(schemas: readonly (Schema | undefined)[]): ValidationRules {
  const none = (holds: (schema: Schema) => boolean) => !schemas.some((schema) => someSchema(schema, holds));
  const isStructural = (schema: Schema | undefined) =>
    schema === undefined || (structuralProblem(schema) === undefined && validateStructural(schema, "").length === 0);
  return {
    requireSchema: schemas.length > 0 && schemas.every((schema) => schema !== undefined),
    requireStructural: schemas.every(isStructural),
    requirePrunedDefaults: !schemas.some(
      (schema) =>
        schema !== undefined && hasDefaults(schema) && isStructural(schema) && pruneDefaults(schema) !== schema,
    ),
    requireValidType: none((schema) => (schema.type ?? "") !== "" && !types.has(schema.type as string)),
    requireAtomicSets: none(hasNonAtomicSet),
    requireMapKeys: none((schema) => listMapKeyErrors(schema, "").length > 0),
  };
}

function hasNonAtomicSet(schema: Schema): boolean {
  const { items } = schema;
  if (schema["x-kubernetes-list-type"] !== "set" || items === undefined || !isObject(items)) return false;
  if (items.type === "array") return (items["x-kubernetes-list-type"] ?? "atomic") !== "atomic";
  return items.type === "object" && items["x-kubernetes-map-type"] !== "atomic";
}
