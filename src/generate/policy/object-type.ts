// The types of custom resources in expressions of admission. The API server reads objects as JSON without types there, so that
// names aren't escaped, and times and bytes are strings, unlike in the rules of a CRD.
import {
  boolType,
  doubleType,
  dynType,
  intType,
  listType,
  mapType,
  type StructDeclaration,
  stringType,
  structType,
  type Type,
} from "@kubewright/cel/language";
import type { JSONSchema } from "../schema/model/json-schema.ts";

const text: JSONSchema = { type: "string" };
const texts: JSONSchema = { type: "object", additionalProperties: text };

/** The fields of metadata. */
const metadata: JSONSchema = {
  type: "object",
  properties: {
    ...Object.fromEntries(
      [
        "name",
        "generateName",
        "namespace",
        "selfLink",
        "uid",
        "resourceVersion",
        "creationTimestamp",
        "deletionTimestamp",
      ].map((name) => [name, text]),
    ),
    generation: { type: "integer" },
    deletionGracePeriodSeconds: { type: "integer" },
    labels: texts,
    annotations: texts,
    finalizers: { type: "array", items: text },
    ownerReferences: {
      type: "array",
      items: {
        type: "object",
        properties: {
          apiVersion: text,
          kind: text,
          name: text,
          uid: text,
          controller: { type: "boolean" },
          blockOwnerDeletion: { type: "boolean" },
        },
      },
    },
    managedFields: { type: "array", items: { "x-kubernetes-preserve-unknown-fields": true } },
  },
};

/** Returns the type of an object of a kind. `structs` receives the types of its parts, by name. */
export function objectType(schema: JSONSchema, name: string, structs: Map<string, StructDeclaration>): Type {
  const { properties = {} } = schema;
  return typeOf({ ...schema, properties: { ...properties, apiVersion: text, kind: text, metadata } }, name, structs);
}

function typeOf(schema: JSONSchema, name: string, structs: Map<string, StructDeclaration>): Type {
  const { properties, items, additionalProperties, type } = schema;
  // The value can be of another type, or null, which the expression has to handle.
  if (schema["x-kubernetes-int-or-string"] === true || schema.nullable === true) return dynType;
  if (type === "object" && schema["x-kubernetes-preserve-unknown-fields"] !== true) {
    if (schema["x-kubernetes-embedded-resource"] === true) return dynType;
    if (typeof additionalProperties === "object")
      return mapType(stringType, typeOf(additionalProperties, name, structs));
    if (properties === undefined) return dynType;
    const fields = Object.entries(properties).map(
      ([field, property]) => [field, typeOf(property, `${name}.${field}`, structs)] as const,
    );
    structs.set(name, { fields: new Map(fields) });
    return structType(name);
  }
  if (type === "array") return items === undefined ? dynType : listType(typeOf(items, `${name}[]`, structs));
  if (type === "string") return stringType;
  if (type === "boolean") return boolType;
  if (type === "integer") return intType;
  return type === "number" ? doubleType : dynType;
}
