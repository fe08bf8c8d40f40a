import { isObject, type Json, type JsonObject } from "../json/json.ts";
import { compareBytes, sortKeys } from "../json/values.ts";
import { decodeMetadata } from "../validation/decode-metadata.ts";
import type { FieldError } from "../validation/field-error.ts";
import { isDNS1035Label, isPathSegment } from "../validation/name-rules.ts";
import { at, child, invalidValue, required } from "../validation/paths.ts";
import { validateObjectMeta } from "../validation/validate-metadata.ts";
import type { Schema } from "./schema.ts";

const embeds = new WeakMap<Schema, boolean>();

/** @returns true if a schema contains embedded resources, so that most values need no visit */
function containsEmbedded(schema: Schema): boolean {
  const cached = embeds.get(schema);
  if (cached !== undefined) return cached;
  embeds.set(schema, false);
  const others = typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
  const nested = [others, schema.items, ...Object.values(schema.properties ?? {})];
  const isContained =
    schema["x-kubernetes-embedded-resource"] === true ||
    nested.some((schema) => schema !== undefined && containsEmbedded(schema));
  embeds.set(schema, isContained);
  return isContained;
}

/** Visits each embedded resource from the outside to the inside. */
function visit(
  value: Json | undefined,
  schema: Schema | undefined,
  isResource: boolean,
  path: string,
  onResource: (resource: JsonObject, path: string) => void,
): void {
  if (schema === undefined || typeof value !== "object" || value === null) return;
  if (!isResource && !containsEmbedded(schema)) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    for (const [index, item] of value.entries()) visit(item, items, false, at(path, index), onResource);
    return;
  }
  if (isResource || schema["x-kubernetes-embedded-resource"] === true) onResource(value, path);
  const { properties, additionalProperties } = schema;
  for (const name of Object.keys(value)) {
    if (properties !== undefined && Object.hasOwn(properties, name)) {
      visit(value[name], properties[name], false, child(path, name), onResource);
    } else if (typeof additionalProperties === "object") {
      visit(value[name], additionalProperties, false, at(path, name), onResource);
    }
  }
}

/** The result of {@link coerceMetadata}. */
export interface CoercedMetadata {
  /** The error of the first field of the wrong type. */
  error?: FieldError;
  /** The paths of fields that metadata doesn't have, sorted. */
  unknown: string[];
}

/**
 * Checks the types of `apiVersion`, `kind` and `metadata` of embedded resources and normalizes their metadata, in place.
 *
 * @param value - the value
 * @param schema - its schema
 * @param isResource - true if the value itself counts as an embedded resource
 * @param dropInvalid - true to drop fields of the wrong type
 * @param path - the path of the value
 * @returns the first error and the unknown fields
 */
export function coerceMetadata(
  value: Json,
  schema: Schema,
  isResource: boolean,
  dropInvalid: boolean,
  path = "",
): CoercedMetadata {
  const unknown: string[] = [];
  let error: FieldError | undefined;
  visit(value, schema, isResource, path, (resource, at) => {
    error ??= coerceResource(resource, at, dropInvalid, unknown);
  });
  return { error, unknown: unknown.sort(compareBytes) };
}

function coerceResource(
  resource: JsonObject,
  path: string,
  dropInvalid: boolean,
  unknown: string[],
): FieldError | undefined {
  for (const name of ["apiVersion", "kind"]) {
    const text = resource[name];
    if (text === undefined || typeof text === "string") continue;
    if (!dropInvalid) return invalidValue(child(path, name), sortKeys(text), "must be a string");
    delete resource[name];
  }
  if (resource.metadata === undefined) return undefined;
  try {
    const decoded = decodeMetadata(resource.metadata, dropInvalid);
    unknown.push(...decoded.unknown.map((field) => `${child(path, "metadata")}.${field}`));
    resource.metadata = decoded.metadata;
  } catch (error) {
    if (dropInvalid) return undefined;
    return invalidValue(child(path, "metadata"), sortKeys(resource.metadata), (error as Error).message);
  }
  return undefined;
}

/**
 * Validates `apiVersion`, `kind` and `metadata` of embedded resources.
 *
 * @param value - the value
 * @param schema - its schema
 * @param isResource - true if the value itself counts as an embedded resource
 * @param path - the path of the value
 * @returns the errors
 */
export function validateEmbeddedMetadata(value: Json, schema: Schema, isResource: boolean, path = ""): FieldError[] {
  const errors: FieldError[] = [];
  visit(value, schema, isResource, path, (resource, at) => validateResource(resource, at, errors));
  return errors;
}

function validateResource(resource: JsonObject, path: string, errors: FieldError[]): void {
  const { apiVersion, kind, metadata } = resource;
  const versionPath = child(path, "apiVersion");
  const kindPath = child(path, "kind");
  if (apiVersion === undefined) errors.push(required(versionPath, ""));
  if (kind === undefined) errors.push(required(kindPath, ""));
  if (apiVersion !== undefined) {
    if (typeof apiVersion !== "string")
      errors.push(invalidValue(versionPath, sortKeys(apiVersion), "must be a string"));
    else if (apiVersion === "") errors.push(invalidValue(versionPath, "", "must not be empty"));
    else if (apiVersion.split("/").length > 2) {
      errors.push(invalidValue(versionPath, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
    }
  }
  if (kind !== undefined) {
    if (typeof kind !== "string") errors.push(invalidValue(kindPath, sortKeys(kind), "must be a string"));
    else if (kind === "") errors.push(invalidValue(kindPath, "", "must not be empty"));
    else {
      const rules = isDNS1035Label(kind.toLowerCase());
      const start = "may have mixed case, but should otherwise match: ";
      if (rules.length > 0) errors.push(invalidValue(kindPath, kind, start + rules.join(",")));
    }
  }
  if (metadata === undefined) return;
  const metadataPath = child(path, "metadata");
  try {
    const decoded = decodeMetadata(metadata).metadata;
    // A name isn't required here, but the rules for metadata require one.
    const named: JsonObject = { ...decoded, name: decoded.name ?? "fakename" };
    errors.push(
      ...validateObjectMeta(named, isObject(decoded) && decoded.namespace !== undefined, isPathSegment, metadataPath),
    );
  } catch (error) {
    errors.push(invalidValue(metadataPath, sortKeys(metadata), (error as Error).message));
  }
}
