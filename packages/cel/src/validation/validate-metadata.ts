import { byteLength } from "../json/bytes.ts";
import { goQuote } from "../json/go-text.ts";
import { isObject, type Json, type JsonObject } from "../json/json.ts";
import { compareBytes, equalJson } from "../json/values.ts";
import type { FieldError } from "./field-error.ts";
import { isQualifiedName, isValidLabelValue, type NameValidator, nameIsDNSLabel } from "./name-rules.ts";
import { at, child, forbiddenValue, invalidValue, required, tooLong } from "./paths.ts";
import { isPrintable } from "./printable.ts";

const annotationsLimit = 256 * 1024;
const orphan = "orphan";
const foreground = "foregroundDeletion";
const standardFinalizers = new Set([orphan, foreground, "kubernetes"]);

/** @returns a field of metadata that is a text; empty if absent */
function textOf(metadata: JsonObject, name: string): string {
  const value = metadata[name];
  return typeof value === "string" ? value : "";
}

function listOf(metadata: JsonObject, name: string): Json[] {
  const value = metadata[name];
  return Array.isArray(value) ? value : [];
}

/**
 * Validates the metadata of a new object. Its name must have been generated before.
 *
 * @param metadata - the metadata, with fields of the right types
 * @param namespaced - true if the object is in a namespace
 * @param nameValidator - the rule for the names of the kind
 * @param path - the path of the metadata
 * @returns the errors
 */
export function validateObjectMeta(
  metadata: JsonObject,
  namespaced: boolean,
  nameValidator: NameValidator,
  path = "metadata",
): FieldError[] {
  const errors: FieldError[] = [];
  const generateName = textOf(metadata, "generateName");
  if (generateName !== "") {
    for (const message of nameValidator(generateName, true)) {
      errors.push(invalidValue(child(path, "generateName"), generateName, message));
    }
  }
  const name = textOf(metadata, "name");
  if (name === "") errors.push(required(child(path, "name"), "name or generateName is required"));
  else for (const message of nameValidator(name, false)) errors.push(invalidValue(child(path, "name"), name, message));
  const namespace = textOf(metadata, "namespace");
  if (!namespaced) {
    if (namespace !== "") errors.push(forbiddenValue(child(path, "namespace"), "not allowed on this type"));
  } else if (namespace === "") errors.push(required(child(path, "namespace"), ""));
  else {
    for (const message of nameIsDNSLabel(namespace, false)) {
      errors.push(invalidValue(child(path, "namespace"), namespace, message));
    }
  }
  const generation = metadata.generation ?? 0;
  if (Number(generation) < 0) {
    errors.push(invalidValue(child(path, "generation"), generation, "must be greater than or equal to 0"));
  }
  errors.push(
    ...validateLabels(metadata.labels, child(path, "labels")),
    ...validateAnnotations(metadata.annotations, child(path, "annotations")),
    ...validateOwnerReferences(listOf(metadata, "ownerReferences"), child(path, "ownerReferences")),
    ...validateFinalizers(listOf(metadata, "finalizers"), child(path, "finalizers")),
    ...validateManagedFields(listOf(metadata, "managedFields"), child(path, "managedFields")),
  );
  return errors;
}

/**
 * Validates the metadata of an object that replaces another.
 *
 * @param metadata - the new metadata, with fields of the right types
 * @param old - the stored metadata
 * @param path - the path of the metadata
 * @returns the errors
 */
export function validateObjectMetaUpdate(metadata: JsonObject, old: JsonObject, path = "metadata"): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp !== undefined) {
    const kept = new Set(listOf(old, "finalizers"));
    const added = [...new Set(listOf(metadata, "finalizers") as string[])].filter((finalizer) => !kept.has(finalizer));
    if (added.length > 0) {
      const list = `[]string{${added.sort(compareBytes).map(goQuote).join(", ")}}`;
      const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`;
      errors.push(forbiddenValue(child(path, "finalizers"), detail));
    }
  }
  if (textOf(metadata, "resourceVersion") === "") {
    errors.push(invalidValue(child(path, "resourceVersion"), "", "must be specified for an update"));
  }
  const generation = metadata.generation ?? 0;
  if (Number(generation) < 0) {
    errors.push(invalidValue(child(path, "generation"), generation, "must be greater than or equal to 0"));
  }
  if (Number(generation) < Number(old.generation ?? 0)) {
    errors.push(invalidValue(child(path, "generation"), generation, "must not be decremented"));
  }
  for (const name of ["name", "namespace", "uid"]) {
    errors.push(...validateImmutable(textOf(metadata, name), textOf(old, name), child(path, name)));
  }
  for (const name of ["creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"]) {
    errors.push(...validateImmutable(metadata[name] ?? null, old[name] ?? null, child(path, name)));
  }
  errors.push(
    ...validateLabels(metadata.labels, child(path, "labels")),
    ...validateAnnotations(metadata.annotations, child(path, "annotations")),
    ...validateOwnerReferences(listOf(metadata, "ownerReferences"), child(path, "ownerReferences")),
    ...validateManagedFields(listOf(metadata, "managedFields"), child(path, "managedFields")),
  );
  return errors;
}

/**
 * Checks that a value didn't change.
 *
 * @param value - the new value
 * @param old - the stored value
 * @param field - its path
 * @returns the error, if it changed
 */
export function validateImmutable(value: Json, old: Json, field: string): FieldError[] {
  return equalJson(value, old) ? [] : [invalidValue(field, value, "field is immutable")];
}

/**
 * Validates labels.
 *
 * @param labels - the labels
 * @param path - their path
 * @returns the errors
 */
export function validateLabels(labels: Json | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!isObject(labels)) return errors;
  for (const [key, value] of Object.entries(labels)) {
    for (const message of isQualifiedName(key)) errors.push(invalidValue(path, key, message));
    for (const message of isValidLabelValue(String(value))) errors.push(invalidValue(path, String(value), message));
  }
  return errors;
}

/**
 * Validates annotations.
 *
 * @param annotations - the annotations
 * @param path - their path
 * @returns the errors
 */
export function validateAnnotations(annotations: Json | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!isObject(annotations)) return errors;
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    for (const message of isQualifiedName(key.toLowerCase())) errors.push(invalidValue(path, key, message));
    size += byteLength(key) + byteLength(String(value));
  }
  if (size > annotationsLimit) errors.push(tooLong(path, annotationsLimit));
  return errors;
}

function validateOwnerReferences(owners: Json[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  let controller = "";
  for (const [index, owner] of owners.entries()) {
    if (!isObject(owner)) continue;
    const field = at(path, index);
    const apiVersion = textOf(owner, "apiVersion");
    const parts = apiVersion.split("/");
    if (apiVersion !== "" && (parts.length > 2 || parts.at(-1) === "")) {
      errors.push(invalidValue(child(field, "apiVersion"), apiVersion, "must be <group>/<version> or <version>"));
    }
    for (const name of ["apiVersion", "kind", "name", "uid"]) {
      if (textOf(owner, name) === "") errors.push(required(child(field, name), "must not be empty"));
    }
    if (apiVersion === "v1" && owner.kind === "Event") {
      errors.push(invalidValue(field, shownOwner(owner), "/v1, Kind=Event is disallowed from being an owner"));
    }
    if (owner.controller !== true) continue;
    const current = `${textOf(owner, "kind")}/${textOf(owner, "name")}`;
    if (controller === "") controller = current;
    else {
      const problem = `Found "true" in references for ${controller} and ${current}`;
      const detail = `Only one reference can have Controller set to true. ${problem}`;
      errors.push(invalidValue(path, owners.map(shownOwner), detail));
    }
  }
  return errors;
}

/** @returns an owner with its fields in the order of messages */
function shownOwner(owner: Json): Json {
  if (!isObject(owner)) return owner;
  const { apiVersion = "", kind = "", name = "", uid = "", controller, blockOwnerDeletion } = owner;
  return { apiVersion, kind, name, uid, controller, blockOwnerDeletion };
}

function validateFinalizers(finalizers: Json[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const finalizer of finalizers) {
    for (const message of isQualifiedName(String(finalizer))) errors.push(invalidValue(path, finalizer, message));
  }
  if (finalizers.includes(orphan) && finalizers.includes(foreground)) {
    errors.push(invalidValue(path, finalizers, `finalizer ${orphan} and ${foreground} cannot be both set`));
  }
  return errors;
}

/**
 * Checks that finalizers are qualified with a domain, which the rules for all objects don't require.
 *
 * @param metadata - the metadata
 * @param path - the path of the metadata
 * @returns the errors
 */
export function validateFinalizerDomains(metadata: JsonObject, path = "metadata"): FieldError[] {
  const detail = "name is neither a standard finalizer name nor is it fully qualified";
  return listOf(metadata, "finalizers").flatMap((finalizer, index) => {
    const name = String(finalizer);
    if (name.includes("/") || standardFinalizers.has(name)) return [];
    return [invalidValue(at(child(path, "finalizers"), index), name, detail)];
  });
}

function validateManagedFields(entries: Json[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, entry] of entries.entries()) {
    if (!isObject(entry)) continue;
    const field = at(path, index);
    const operation = textOf(entry, "operation");
    if (operation !== "Apply" && operation !== "Update") {
      errors.push(invalidValue(child(field, "operation"), operation, "must be `Apply` or `Update`"));
    }
    const fieldsType = textOf(entry, "fieldsType");
    if (fieldsType !== "" && fieldsType !== "FieldsV1") {
      errors.push(invalidValue(child(field, "fieldsType"), fieldsType, "must be `FieldsV1`"));
    }
    errors.push(...validateFieldManager(textOf(entry, "manager"), child(field, "manager")));
    if (byteLength(textOf(entry, "subresource")) > 256) errors.push(tooLong(child(field, "subresource"), 256));
  }
  return errors;
}

/**
 * Validates the name of a field manager.
 *
 * @param manager - the name
 * @param field - its path
 * @returns the errors
 */
export function validateFieldManager(manager: string, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (byteLength(manager) > 128) errors.push(tooLong(field, 128));
  let position = 0;
  for (const char of manager) {
    if (!isPrintable(char)) {
      const code = (char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");
      errors.push(invalidValue(field, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += byteLength(char);
  }
  return errors;
}

/**
 * Returns the warnings for finalizers that an update adds to a custom resource.
 *
 * @param metadata - the new metadata
 * @param old - the stored metadata; `undefined` for a new object
 * @returns the warnings
 */
export function finalizerWarnings(metadata: JsonObject, old: JsonObject | undefined): string[] {
  const kept = new Set(old === undefined ? [] : listOf(old, "finalizers"));
  const added = [...new Set(listOf(metadata, "finalizers") as string[])].filter((finalizer) => !kept.has(finalizer));
  const warnings: string[] = [];
  for (const finalizer of added.sort(compareBytes)) {
    const start = `metadata.finalizers: ${goQuote(finalizer)}`;
    warnings.push(...isQualifiedName(finalizer).map((message) => `${start}: ${message}`));
    if (finalizer.includes("/") || standardFinalizers.has(finalizer)) continue;
    const path = finalizer.includes(".") ? " including a path (/)" : "";
    const reason = `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
    warnings.push(`${start}: ${reason}`);
  }
  return warnings;
}
