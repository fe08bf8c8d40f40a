import { isObject, type Json, type JsonObject } from "../json/json.ts";
import { CorrelatedObject } from "../schema/correlated-object.ts";
import { removeNulls } from "../schema/defaults.ts";
import { coerceMetadata, validateEmbeddedMetadata } from "../schema/embedded-metadata.ts";
import { validateListTypes } from "../schema/list-types.ts";
import { prune } from "../schema/prune.ts";
import type { Schema } from "../schema/schema.ts";
import { validateSchema, validateSchemaUpdate } from "../schema/validate.ts";
import { splitApiVersion } from "../validation/api-version.ts";
import { decodeMetadata } from "../validation/decode-metadata.ts";
import { type FieldError, fieldErrorMessage } from "../validation/field-error.ts";
import { nameIsDNSSubdomain } from "../validation/name-rules.ts";
import { invalidValue } from "../validation/paths.ts";
import { finalizerWarnings, validateObjectMeta, validateObjectMetaUpdate } from "../validation/validate-metadata.ts";

/** Evaluates the rules of `x-kubernetes-validations`. */
export type RuleValidator = (
  value: Json,
  oldValue: Json | undefined,
  correlation: CorrelatedObject | undefined,
  warn?: (message: string) => void,
) => FieldError[];

/** The paths of the scale subresource. */
export interface ScalePaths {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}

/** A served version of a custom resource. */
export interface CustomResourceVersion {
  group: string;
  version: string;
  kind: string;
  namespaced: boolean;
  /** The structural schema; an empty object if the version has none. */
  schema: Schema;
  /** True if the definition preserves unknown fields everywhere (`spec.preserveUnknownFields`). */
  preserveUnknownFields: boolean;
  scale?: ScalePaths;
  /** Absent if the schema has no rules. */
  rules?: RuleValidator;
}

/**
 * Brings a decoded object into the form of its schema, in place: prunes unknown fields, removes nulls, and normalizes metadata.
 * Defaults are applied after this, by {@link applyDefaults}.
 *
 * @param version - the version of the object
 * @param object - the object
 * @param options - `stored`: the object comes from storage, so fields of metadata of the wrong type are dropped; `admitted`:
 *   it comes from a webhook or a policy, so they are dropped too, but nulls remain
 * @returns the paths of unknown fields, in the order of the messages `unknown field "…"`
 * @throws Error with the message for an object that cannot be handled
 */
export function coerceCustomResource(
  version: CustomResourceVersion,
  object: JsonObject,
  options: { stored?: boolean; admitted?: boolean } = {},
): string[] {
  const stored = options.stored === true;
  const { apiVersion, kind } = object;
  for (const [name, value] of Object.entries({ kind, apiVersion })) {
    if (value !== undefined && typeof value !== "string") {
      throw new Error(`.${name} accessor error: ${goText(value)} is of the type ${goType(value)}, expected string`);
    }
  }
  const unknown: string[] = [];
  const decoded =
    object.metadata === undefined ? undefined : decodeMetadata(object.metadata, stored || options.admitted);
  unknown.push(...(decoded?.unknown ?? []).map((field) => `metadata.${field}`));
  if (hasSchema(version, object)) {
    if (!version.preserveUnknownFields) {
      unknown.push(...prune(object, version.schema, true));
      if (options.admitted !== true) removeNulls(object, version.schema);
    }
    const coerced = coerceMetadata(object, version.schema, false, stored);
    if (coerced.error !== undefined) throw new Error(fieldErrorMessage(coerced.error));
    unknown.push(...coerced.unknown);
  }
  if (apiVersion !== undefined) object.apiVersion = apiVersion;
  if (kind !== undefined) object.kind = kind;
  if (decoded !== undefined) {
    if (stored && decoded.metadata.generation === undefined) decoded.metadata.generation = 1;
    object.metadata = decoded.metadata;
  }
  return unknown;
}

/** Reports whether an object is of the kind of a version. The schema doesn't apply to others, which are refused later. */
export function hasSchema(version: CustomResourceVersion, { apiVersion, kind }: JsonObject): boolean {
  return splitApiVersion(String(apiVersion ?? ""))[0] === version.group && kind === version.kind;
}

function goType(value: Json): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "object") return "map[string]interface {}";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  return typeof value === "bigint" || Number.isSafeInteger(value) ? "int64" : "float64";
}

function goText(value: Json): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
  if (!isObject(value)) return String(value);
  const parts = Object.keys(value)
    .sort()
    .map((key) => `${key}:${goText(value[key] as Json)}`);
  return `map[${parts.join(" ")}]`;
}

/**
 * Validates a new custom resource.
 *
 * @param version - the version of the object
 * @param object - the object
 * @returns the errors in the order of the real server
 */
export function validateCustomResource(version: CustomResourceVersion, object: JsonObject): FieldError[] {
  const errors = typeErrors(version, object);
  if (errors.length === 0) {
    errors.push(
      ...validateObjectMeta(metadataOf(object), version.namespaced, nameIsDNSSubdomain),
      ...validateSchema(version.schema, object),
      ...scaleSpecErrors(version, object),
      ...scaleStatusErrors(version, object),
    );
  }
  errors.push(...validateEmbeddedMetadata(object, version.schema, false), ...validateListTypes(version.schema, object));
  errors.push(...ruleErrors(version, errors, object, undefined, undefined));
  return errors;
}

/**
 * Validates a custom resource that replaces another.
 *
 * @param version - the version of both objects
 * @param object - the new object
 * @param old - the stored object
 * @param warn - receives the errors of rules about unchanged parts
 * @returns the errors in the order of the real server
 */
export function validateCustomResourceUpdate(
  version: CustomResourceVersion,
  object: JsonObject,
  old: JsonObject,
  warn?: (message: string) => void,
): FieldError[] {
  const correlation = new CorrelatedObject(object, old, version.schema);
  const errors = typeErrors(version, object);
  if (errors.length === 0) {
    errors.push(
      ...validateObjectMetaUpdate(metadataOf(object), metadataOf(old)),
      ...validateSchemaUpdate(version.schema, correlation),
      ...scaleSpecErrors(version, object),
      ...scaleStatusErrors(version, object),
    );
  }
  errors.push(...validateEmbeddedMetadata(object, version.schema, false));
  if (validateListTypes(version.schema, old).length === 0) errors.push(...validateListTypes(version.schema, object));
  errors.push(...ruleErrors(version, errors, object, old, correlation, warn));
  return errors;
}

/**
 * Validates an update of the status subresource.
 *
 * @param version - the version of both objects
 * @param object - the new object
 * @param old - the stored object
 * @param warn - receives the errors of rules about unchanged parts
 * @returns the errors in the order of the real server
 */
export function validateCustomResourceStatus(
  version: CustomResourceVersion,
  object: JsonObject,
  old: JsonObject,
  warn?: (message: string) => void,
): FieldError[] {
  const correlation = new CorrelatedObject(object, old, version.schema);
  const statusSchema = version.schema.properties?.status;
  const errors = typeErrors(version, object);
  if (errors.length === 0) {
    errors.push(...validateObjectMetaUpdate(metadataOf(object), metadataOf(old)));
    if (object.status !== undefined && statusSchema !== undefined) {
      const pair = correlation.key("status") ?? new CorrelatedObject(object.status, old.status, statusSchema);
      errors.push(...validateSchemaUpdate(statusSchema, pair, "status"));
    }
    errors.push(...scaleStatusErrors(version, object));
  }
  if (validateListTypes(version.schema, old).length === 0) errors.push(...validateListTypes(version.schema, object));
  errors.push(...ruleErrors(version, errors, object, old, correlation, warn));
  return errors;
}

/** @returns the warnings for a new or updated custom resource */
export function customResourceWarnings(object: JsonObject, old: JsonObject | undefined): string[] {
  return finalizerWarnings(metadataOf(object), old === undefined ? undefined : metadataOf(old));
}

function metadataOf(object: JsonObject): JsonObject {
  return isObject(object.metadata) ? object.metadata : {};
}

function typeErrors(version: CustomResourceVersion, object: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const apiVersion = `${version.group}/${version.version}`;
  const { kind = "", apiVersion: given = "" } = object;
  if (kind !== version.kind) errors.push(invalidValue("kind", kind, `must be ${version.kind}`));
  if (given !== apiVersion) errors.push(invalidValue("apiVersion", given, `must be ${apiVersion}`));
  return errors;
}

const blocking = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

function ruleErrors(
  version: CustomResourceVersion,
  errors: readonly FieldError[],
  object: JsonObject,
  old: JsonObject | undefined,
  correlation: CorrelatedObject | undefined,
  warn?: (message: string) => void,
): FieldError[] {
  if (version.rules === undefined) return [];
  if (!errors.some(({ type }) => blocking.has(type))) return version.rules(object, old, correlation, warn);
  const detail =
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";
  return [invalidValue("", null, detail)];
}

/** @returns the value at a path of fields, or the error of a value that has another type */
function fieldAt(object: JsonObject, path: string): { value?: Json; error?: string } {
  const fields = path.replace(/^\./, "").split(".");
  let value: Json | undefined = object;
  for (const [index, field] of fields.entries()) {
    if (value === undefined || value === null) return {};
    if (!isObject(value)) {
      const at = fields.slice(0, index + 1).join(".");
      return {
        error: `.${at} accessor error: ${goText(value)} is of the type ${goType(value)}, expected map[string]interface{}`,
      };
    }
    value = Object.hasOwn(value, field) ? value[field] : undefined;
  }
  return value === undefined ? {} : { value };
}

function replicaErrors(object: JsonObject, path: string): FieldError[] {
  const { value, error } = fieldAt(object, path);
  if (error !== undefined) return [invalidValue(path, 0, error)];
  if (value === undefined) return [];
  if (typeof value !== "bigint" && !Number.isSafeInteger(value)) {
    const at = path.replace(/^\./, "");
    const detail = `.${at} accessor error: ${goText(value)} is of the type ${goType(value)}, expected int64`;
    return [invalidValue(path, 0, detail)];
  }
  if (Number(value) < 0) return [invalidValue(path, value, "should be a non-negative integer")];
  if (Number(value) <= 2147483647) return [];
  return [invalidValue(path, value, "should be less than or equal to 2147483647")];
}

function scaleSpecErrors({ scale }: CustomResourceVersion, object: JsonObject): FieldError[] {
  return scale === undefined ? [] : replicaErrors(object, scale.specReplicasPath);
}

function scaleStatusErrors({ scale }: CustomResourceVersion, object: JsonObject): FieldError[] {
  if (scale === undefined) return [];
  const errors = replicaErrors(object, scale.statusReplicasPath);
  if (scale.labelSelectorPath === undefined || scale.labelSelectorPath === "") return errors;
  const { value, error } = fieldAt(object, scale.labelSelectorPath);
  if (error !== undefined) errors.push(invalidValue(scale.labelSelectorPath, "", error));
  else if (value !== undefined && typeof value !== "string") {
    const at = scale.labelSelectorPath.replace(/^\./, "");
    const detail = `.${at} accessor error: ${goText(value)} is of the type ${goType(value)}, expected string`;
    errors.push(invalidValue(scale.labelSelectorPath, "", detail));
  }
  return errors;
}
