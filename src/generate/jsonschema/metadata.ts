// The schemas of the metadata of objects, and of resources inside other objects.
import type { Draft07 } from "./draft-07.ts";

const label = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const subdomain = `${label}(?:\\.${label})*`;
const anyCaseLabel = "[A-Za-z0-9](?:[-A-Za-z0-9]*[A-Za-z0-9])?";
const name = "[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";

const text: Draft07 = { type: "string" };
const integer: Draft07 = { type: "integer" };
const time: Draft07 = {
  type: ["string", "null"],
  pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})$",
};
const nonEmpty: Draft07 = { type: "string", minLength: 1 };

/** Returns an object in which other fields are errors with `strict`. */
function object(strict: boolean, properties: Readonly<Record<string, Draft07>>, rest: Draft07 = {}): Draft07 {
  return { type: "object", properties, ...rest, ...(strict ? { additionalProperties: false } : {}) };
}

/** Returns the schema of ObjectMeta, without the rules for names, which depend on the object. */
export function objectMeta(strict: boolean): Draft07 {
  const owner = object(
    strict,
    {
      apiVersion: { type: "string", pattern: "^(?:[^/]*/)?[^/]+$" },
      kind: nonEmpty,
      name: nonEmpty,
      uid: nonEmpty,
      controller: { type: "boolean" },
      blockOwnerDeletion: { type: "boolean" },
    },
    { required: ["apiVersion", "kind", "name", "uid"] },
  );
  const entry = object(
    strict,
    {
      manager: { type: "string", maxLength: 128 },
      operation: { type: "string", enum: ["Apply", "Update"] },
      apiVersion: text,
      time,
      fieldsType: { type: "string", enum: ["", "FieldsV1"] },
      fieldsV1: {},
      subresource: { type: "string", maxLength: 256 },
    },
    { required: ["operation"] },
  );
  return object(strict, {
    name: text,
    generateName: text,
    namespace: { type: "string", maxLength: 63, pattern: `^(?:${label})?$` },
    labels: {
      type: "object",
      propertyNames: { maxLength: 317, pattern: `^(?:${subdomain}/)?${name}$` },
      additionalProperties: {
        type: "string",
        maxLength: 63,
        pattern: "^(?:(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$",
      },
    },
    annotations: {
      type: "object",
      propertyNames: { maxLength: 317, pattern: `^(?:${anyCaseLabel}(?:\\.${anyCaseLabel})*/)?${name}$` },
      additionalProperties: text,
    },
    finalizers: { type: "array", items: { type: "string", maxLength: 317, pattern: `^(?:${subdomain}/)?${name}$` } },
    ownerReferences: { type: "array", items: owner },
    managedFields: { type: "array", items: entry },
    uid: text,
    resourceVersion: text,
    generation: { type: "integer", minimum: 0 },
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: integer,
    selfLink: text,
  });
}

/** Returns the additional rules for the metadata of a custom resource. */
export function nameRules(namespaced: boolean): Draft07 {
  return {
    properties: {
      name: { maxLength: 253, pattern: `^(?:${subdomain})?$` },
      generateName: { maxLength: 253, pattern: `^(?:${subdomain}-*)?$` },
      ...(namespaced ? {} : { namespace: { maxLength: 0 } }),
    },
    anyOf: [
      { required: ["name"], properties: { name: { minLength: 1 } } },
      { required: ["generateName"], properties: { generateName: { minLength: 1 } } },
    ],
  };
}

/** Returns the schema of the fields that each resource inside another object has. */
export function embeddedResource(): Draft07 {
  return {
    properties: {
      apiVersion: { type: "string", minLength: 1, pattern: "^[^/]*(?:/[^/]*)?$" },
      kind: { type: "string", maxLength: 63, pattern: "^[A-Za-z](?:[-A-Za-z0-9]*[A-Za-z0-9])?$" },
      metadata: {
        allOf: [
          { $ref: "#/definitions/ObjectMeta" },
          { properties: { name: { pattern: "^[^/%]*$", not: { enum: [".", ".."] } } } },
        ],
      },
    },
    required: ["apiVersion", "kind"],
  };
}
