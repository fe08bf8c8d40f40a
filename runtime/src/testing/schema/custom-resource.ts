import type { KubernetesObject } from "../../api/index.ts";
import type { JsonObject } from "../../json/object.ts";
import { embeddedErrors } from "./embedded.ts";
import { type FieldError, fieldError, NO_FIELD } from "./field-error.ts";
import { listTypeErrors } from "./list-types.ts";
import type { Schema } from "./schema.ts";
import { fillDefaults, pruneNulls, pruneUnknown } from "./structural.ts";
import { type Before, validate } from "./validate.ts";

/** Errors after which servers skip the rules between fields. */
const BLOCKING: ReadonlySet<string> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/**
 * Processes an object in place like a server that decodes it: prunes nulls, sets defaults and removes unknown fields.
 * Returns the paths of the removed fields.
 */
export function readAs(schema: Schema, object: KubernetesObject): string[] {
  const fields = object as unknown as JsonObject;
  pruneNulls(fields, schema);
  fillDefaults(fields, schema);
  return pruneUnknown(fields, schema);
}

/** Returns the errors of an object that is created, or that replaces `before`. */
export function objectErrors(schema: Schema, object: KubernetesObject, before?: KubernetesObject): FieldError[] {
  const errors = [...validate(object, schema, "", before && { value: before }).errors];
  errors.push(...embeddedErrors(object, schema));
  if (!before || listTypeErrors(before, schema).length === 0) errors.push(...listTypeErrors(object, schema));
  return withNote(errors, schema);
}

/** Returns the errors of a status update, which validates only the status. */
export function statusErrors(schema: Schema, object: KubernetesObject, before: KubernetesObject): FieldError[] {
  const own = schema.properties?.status;
  const { status } = object as { status?: unknown };
  if (!own || status === undefined) return [];
  const old: unknown = (before as { status?: unknown }).status;
  const was: Before = { value: old ?? null };
  const errors = validate(status, own, "", was).errors.map((error) => ({
    ...error,
    field: error.field === NO_FIELD || error.field === "" ? "status" : `status.${error.field}`,
  }));
  if (listTypeErrors(old, own, "status").length === 0) errors.push(...listTypeErrors(status, own, "status"));
  return withNote(errors, schema);
}

function withNote(errors: FieldError[], schema: Schema): FieldError[] {
  if (!errors.some(({ reason }) => BLOCKING.has(reason)) || !hasRules(schema)) return errors;
  const note =
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";
  return [...errors, fieldError("FieldValueInvalid", NO_FIELD, null, note)];
}

/** Checks whether a schema contains CEL rules. */
function hasRules(schema: Schema): boolean {
  if ((schema["x-kubernetes-validations"] ?? []).length > 0) return true;
  return Object.values(schema).some((inner: unknown) => {
    if (typeof inner !== "object" || inner === null) return false;
    return hasRules(inner as Schema);
  });
}
