import { equal } from "../json/equal.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { type FieldError, goQuote } from "../request/field-error.ts";
import { dnsLabelProblems, labelValueProblems, qualifiedNameProblems } from "./names.ts";

/** @returns what keeps a name from being valid; `isPrefix` for the beginning of a generated name */
export type NameProblems = (name: string, isPrefix: boolean) => string[];

const maxAnnotationBytes = 256 * 1024;

/**
 * Checks a name that only has to be usable in the path of a URL.
 *
 * @param name - the name
 * @param isPrefix - true for the beginning of a generated name
 * @returns the problems
 */
export function pathSegmentProblems(name: string, isPrefix: boolean): string[] {
  if (!isPrefix && (name === "." || name === "..")) return [`may not be '${name}'`];
  return ["/", "%"].filter((char) => name.includes(char)).map((char) => `may not contain '${char}'`);
}

function invalid(field: string, value: Json | undefined, detail: string): FieldError {
  return { type: "FieldValueInvalid", field, value, detail };
}

/**
 * Checks the metadata of an object.
 *
 * @param metadata - the metadata
 * @param namespaced - true if the object must have a namespace
 * @param nameProblems - checks the name; the default is a path segment
 * @returns the errors
 */
export function objectMetaErrors(
  metadata: JsonObject,
  namespaced: boolean,
  nameProblems: NameProblems = pathSegmentProblems,
): FieldError[] {
  const errors: FieldError[] = [];
  const name = (metadata.name as string | undefined) ?? "";
  const generateName = (metadata.generateName as string | undefined) ?? "";
  const namespace = (metadata.namespace as string | undefined) ?? "";
  if (generateName !== "") {
    for (const problem of nameProblems(generateName, true)) {
      errors.push(invalid("metadata.generateName", generateName, problem));
    }
  }
  if (name === "") {
    const detail = "name or generateName is required";
    errors.push({ type: "FieldValueRequired", field: "metadata.name", detail });
  } else {
    for (const problem of nameProblems(name, false)) errors.push(invalid("metadata.name", name, problem));
  }
  if (namespaced) {
    if (namespace === "") errors.push({ type: "FieldValueRequired", field: "metadata.namespace", detail: "" });
    for (const problem of namespace === "" ? [] : dnsLabelProblems(namespace)) {
      errors.push(invalid("metadata.namespace", namespace, problem));
    }
  } else if (namespace !== "") {
    errors.push({ type: "FieldValueForbidden", field: "metadata.namespace", detail: "not allowed on this type" });
  }
  const generation = (metadata.generation as number | undefined) ?? 0;
  if (generation < 0) errors.push(invalid("metadata.generation", generation, "must be greater than or equal to 0"));
  return [...errors, ...sharedErrors(metadata), ...finalizerErrors(metadata)];
}

/** The checks that an update makes twice. */
function sharedErrors(metadata: JsonObject): FieldError[] {
  return [
    ...labelErrors(metadata.labels as JsonObject | undefined),
    ...annotationErrors(metadata.annotations as JsonObject | undefined),
    ...ownerErrors((metadata.ownerReferences ?? []) as JsonObject[]),
    ...managedFieldErrors((metadata.managedFields ?? []) as JsonObject[]),
  ];
}

function labelErrors(labels: JsonObject = {}): FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((problem) => invalid("metadata.labels", key, problem)),
    ...labelValueProblems(value as string).map((problem) => invalid("metadata.labels", value, problem)),
  ]);
}

function annotationErrors(annotations: JsonObject = {}): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    for (const problem of qualifiedNameProblems(key.toLowerCase())) {
      errors.push(invalid("metadata.annotations", key, problem));
    }
    size += Buffer.byteLength(key) + Buffer.byteLength(value as string);
  }
  if (size > maxAnnotationBytes) {
    const detail = `may not be more than ${maxAnnotationBytes} bytes`;
    errors.push({ type: "FieldValueTooLong", field: "metadata.annotations", detail });
  }
  return errors;
}

function ownerErrors(references: JsonObject[]): FieldError[] {
  const field = "metadata.ownerReferences";
  const errors: FieldError[] = [];
  let controller = "";
  for (const reference of references) {
    const apiVersion = (reference.apiVersion as string | undefined) ?? "";
    const parts = apiVersion.split("/");
    const version = parts.length > 2 ? "" : (parts.at(-1) as string);
    if (version === "") errors.push(invalid(`${field}.apiVersion`, apiVersion, "version must not be empty"));
    for (const key of ["kind", "name", "uid"]) {
      if (!reference[key]) errors.push(invalid(`${field}.${key}`, "", "must not be empty"));
    }
    if (apiVersion === "v1" && reference.kind === "Event") {
      errors.push(invalid(field, reference, "/v1, Kind=Event is disallowed from being an owner"));
    }
    if (reference.controller !== true) continue;
    const shown = `${reference.kind}/${reference.name}`;
    if (controller === "") controller = shown;
    else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${shown}`;
      errors.push(invalid(field, references, detail));
    }
  }
  return errors;
}

function finalizerErrors(metadata: JsonObject): FieldError[] {
  const field = "metadata.finalizers";
  const finalizers = (metadata.finalizers ?? []) as string[];
  const errors = finalizers.flatMap((name) =>
    qualifiedNameProblems(name).map((problem) => invalid(field, name, problem)),
  );
  if (finalizers.includes("orphan") && finalizers.includes("foregroundDeletion")) {
    errors.push(invalid(field, finalizers, "finalizer orphan and foregroundDeletion cannot be both set"));
  }
  return errors;
}

function managedFieldErrors(entries: JsonObject[]): FieldError[] {
  return entries.flatMap((entry, index) => {
    const field = `metadata.managedFields[${index}]`;
    const errors: FieldError[] = [];
    if (entry.operation !== "Apply" && entry.operation !== "Update") {
      errors.push(invalid(`${field}.operation`, entry.operation ?? "", "must be `Apply` or `Update`"));
    }
    if (entry.fieldsType && entry.fieldsType !== "FieldsV1") {
      errors.push(invalid(`${field}.fieldsType`, entry.fieldsType, "must be `FieldsV1`"));
    }
    if (Buffer.byteLength((entry.manager as string | undefined) ?? "") > 128) {
      errors.push({ type: "FieldValueTooLong", field: `${field}.manager`, detail: "may not be more than 128 bytes" });
    }
    if (Buffer.byteLength((entry.subresource as string | undefined) ?? "") > 256) {
      errors.push({
        type: "FieldValueTooLong",
        field: `${field}.subresource`,
        detail: "may not be more than 256 bytes",
      });
    }
    return errors;
  });
}

/**
 * Checks the metadata of an update against the present metadata.
 *
 * @param metadata - the new metadata
 * @param old - the present metadata
 * @returns the errors
 */
export function objectMetaUpdateErrors(metadata: JsonObject, old: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp !== undefined) {
    const known = new Set((old.finalizers ?? []) as string[]);
    const added = [...new Set((metadata.finalizers ?? []) as string[])].filter((name) => !known.has(name)).sort();
    if (added.length > 0) {
      const list = `[]string{${added.map(goQuote).join(", ")}}`;
      const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`;
      errors.push({ type: "FieldValueForbidden", field: "metadata.finalizers", detail });
    }
  }
  if (!metadata.resourceVersion) {
    errors.push(invalid("metadata.resourceVersion", "", "must be specified for an update"));
  }
  const generation = (metadata.generation as number | undefined) ?? 0;
  if (generation < ((old.generation as number | undefined) ?? 0)) {
    errors.push(invalid("metadata.generation", generation, "must not be decremented"));
  }
  for (const key of [
    "name",
    "namespace",
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
  ]) {
    if (!equal(metadata[key] ?? null, old[key] ?? null)) {
      errors.push(invalid(`metadata.${key}`, metadata[key] ?? null, "field is immutable"));
    }
  }
  return [...errors, ...sharedErrors(metadata)];
}
