import { schemaOf, textOf } from "@kubewright/cel/crd";
import { cloneJson, equalJson, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { type Schema, structuralProblem, validateStructural } from "@kubewright/cel/schema";
import { versionsOf } from "../crd/definition.ts";

const conventions = "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";
const metaPackage = "io.k8s.apimachinery.pkg.apis.meta.v1";
const apiVersion = {
  description: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${conventions}#resources`,
  type: "string",
};
const kind = {
  description: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${conventions}#types-kinds`,
  type: "string",
};
const embeddedApiVersion = {
  description: `apiVersion defines the versioned schema of this representation of an object. More info: ${conventions}#resources`,
  type: "string",
};
const embeddedKind = {
  description: `kind is a string value representing the type of this object. In CamelCase. More info: ${conventions}#types-kinds`,
  type: "string",
};
const objectMetaText = `Standard object's metadata. More info: ${conventions}#metadata`;
const listMetaText = `Standard list metadata. More info: ${conventions}#types-kinds`;

/** The edition of OpenAPI: 2 lacks junctors and nullable values. */
export type OpenApiEdition = "v2" | "v3";

/** The models of a version of a definition, by their names. */
export interface PublishedModels {
  kindName: string;
  listName: string;
  models: Record<string, JsonObject>;
}

/**
 * Returns the models that OpenAPI publishes for a version of a definition.
 *
 * @param definition - the definition
 * @param versionName - the name of the version
 * @param edition - the edition of OpenAPI
 * @returns the models of the kind and of its list
 */
export function publishedModels(definition: JsonObject, versionName: string, edition: OpenApiEdition): PublishedModels {
  const spec = isObject(definition.spec) ? definition.spec : {};
  const names = isObject(spec.names) ? spec.names : {};
  const group = textOf(spec.group);
  const prefix = `${group.split(".").reverse().join(".")}.${versionName}`;
  const kindName = `${prefix}.${textOf(names.kind)}`;
  const listName = `${prefix}.${textOf(names.listKind)}`;
  const version = versionsOf(definition).find((one) => one.name === versionName) ?? {};
  const selectable = Array.isArray(version.selectableFields) ? version.selectableFields.filter(isObject) : [];
  const extensions = (kindOfModel: string): JsonObject => ({
    "x-kubernetes-group-version-kind": [{ group, kind: kindOfModel, version: versionName }],
    ...(selectable.length === 0
      ? {}
      : {
          "x-kubernetes-selectable-fields": selectable.map((field) => ({
            fieldPath: textOf(field.jsonPath).replace(/^\./, ""),
          })),
        }),
  });
  const preserve = spec.preserveUnknownFields === true;
  const model = modelOfKind(schemaOf(version.schema), edition, preserve);
  const list: JsonObject = {
    description: `${textOf(names.listKind)} is a list of ${textOf(names.kind)}`,
    type: "object",
    required: ["items"],
    properties: {
      apiVersion: { ...apiVersion },
      items: {
        description: `List of ${textOf(names.plural)}. More info: ${conventions}`,
        type: "array",
        items: { $ref: refTo(kindName, edition) },
      },
      kind: { ...kind },
      metadata: metadataProperty("ListMeta", listMetaText, edition),
    },
  };
  return {
    kindName,
    listName,
    models: {
      [kindName]: { ...model, ...extensions(textOf(names.kind)) },
      [listName]: { ...list, ...extensions(textOf(names.listKind)) },
    },
  };
}

function refTo(name: string, edition: OpenApiEdition): string {
  return `${edition === "v2" ? "#/definitions/" : "#/components/schemas/"}${name}`;
}

function metadataProperty(type: string, description: string, edition: OpenApiEdition): JsonObject {
  const $ref = refTo(`${metaPackage}.${type}`, edition);
  // Version 3 doesn't allow a description beside a reference.
  return edition === "v2" ? { description, $ref } : { description, allOf: [{ $ref }] };
}

function modelOfKind(schema: Schema | undefined, edition: OpenApiEdition, preserve: boolean): JsonObject {
  const usable =
    schema !== undefined && structuralProblem(schema) === undefined && validateStructural(schema, "").length === 0;
  if (!usable) return { type: "object" };
  if (edition === "v2" && (preserve || schema["x-kubernetes-preserve-unknown-fields"] === true)) {
    return { type: "object" };
  }
  const copy = cloneJson(schema as unknown as Json) as unknown as Schema;
  unfold(copy);
  if (edition === "v2") reduce(copy);
  const model = copy as unknown as JsonObject;
  setProperties(model, {
    apiVersion: { ...apiVersion },
    kind: { ...kind },
    metadata: metadataProperty("ObjectMeta", objectMetaText, edition),
  });
  addEmbedded(model, edition);
  return model;
}

function setProperties(model: JsonObject, properties: JsonObject): void {
  model.properties = { ...(isObject(model.properties) ? model.properties : {}), ...properties };
}

/** Visits a schema and the schemas of its values, without junctors. */
function visit(schema: Schema, change: (schema: Schema) => void): void {
  change(schema);
  if (schema.items !== undefined) visit(schema.items, change);
  for (const nested of Object.values(schema.properties ?? {})) visit(nested, change);
  if (typeof schema.additionalProperties === "object") visit(schema.additionalProperties, change);
}

const intOrString = (): Schema[] => [{ type: "integer" }, { type: "string" }];

/** Adds the types of values that are integers or texts, which the extension implies. */
function unfold(root: Schema): void {
  visit(root, (schema) => {
    if (schema["x-kubernetes-int-or-string"] !== true) return;
    const pattern = intOrString() as unknown as Json;
    if (equalJson(schema.anyOf as unknown as Json, pattern)) return;
    if (equalJson(schema.allOf?.[0]?.anyOf as unknown as Json, pattern)) return;
    if (schema.anyOf === undefined) schema.anyOf = intOrString();
    else schema.allOf = [{ anyOf: intOrString() }, ...(schema.allOf ?? [])];
  });
}

/** Removes what version 2 of OpenAPI or its clients can't express. */
function reduce(root: Schema): void {
  const nullable = new Set<Schema>();
  visit(root, (schema) => {
    if (schema.nullable === true) nullable.add(schema);
  });
  visit(root, (schema) => {
    for (const junctor of ["allOf", "oneOf", "anyOf", "not"] as const) delete schema[junctor];
    const names = Object.entries(schema.properties ?? {}).filter(([, nested]) => nullable.has(nested));
    const others = schema.additionalProperties;
    if (schema.nullable === true) {
      delete schema.type;
      delete schema.nullable;
      delete schema.items;
      delete schema.properties;
    }
    const preserve = schema["x-kubernetes-preserve-unknown-fields"] === true;
    if (preserve) {
      delete schema.items;
      delete schema.properties;
    }
    if (schema.items === undefined && schema.type === "array") delete schema.type;
    if (preserve && schema.type === "object") delete schema.type;
    const optional = new Set(schema.properties === undefined ? [] : names.map(([name]) => name));
    if (schema.required !== undefined && optional.size > 0) {
      schema.required = schema.required.filter((name) => !optional.has(name));
      if (schema.required.length === 0) delete schema.required;
    }
    if (typeof others === "object" && nullable.has(others)) delete schema.required;
  });
}

function addEmbedded(model: JsonObject, edition: OpenApiEdition): void {
  const nested = [
    model.items,
    model.additionalProperties,
    ...Object.values(isObject(model.properties) ? model.properties : {}),
  ];
  for (const inner of nested) if (isObject(inner)) addEmbedded(inner, edition);
  if (edition === "v2" && model["x-kubernetes-preserve-unknown-fields"] === true) return;
  if (model["x-kubernetes-embedded-resource"] !== true) return;
  setProperties(model, {
    apiVersion: { ...embeddedApiVersion },
    kind: { ...embeddedKind },
    metadata: metadataProperty("ObjectMeta", objectMetaText, edition),
  });
  const required = Array.isArray(model.required) ? model.required : [];
  model.required = [...required, ...["kind", "apiVersion"].filter((name) => !required.includes(name))];
}
