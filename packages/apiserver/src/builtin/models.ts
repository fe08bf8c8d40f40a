import type { JsonObject } from "@kubewright/cel/json";
import type { Schema } from "@kubewright/cel/schema";
import { dataFile } from "../data/data.ts";

interface Models {
  shared: Record<string, JsonObject>;
  /** By path of a document: the names of its models, and those that differ from the shared ones. */
  documents: Record<string, { names: string[]; own: Record<string, JsonObject> }>;
}

const models = dataFile<Models>("models.json");
const rawExtension = "io.k8s.apimachinery.pkg.runtime.RawExtension";
const prefix = "#/components/schemas/";
const schemas = new Map<string, Schema>();
let namesByKind: Map<string, string> | undefined;

/** Returns the models of a document, such as `apis/apps/v1`, by their names; undefined if it doesn't exist. */
export function modelsOf(path: string): Record<string, JsonObject> | undefined {
  const document = models().documents[path];
  if (document === undefined) return undefined;
  return Object.fromEntries(
    document.names.map((name) => [name, document.own[name] ?? (models().shared[name] as JsonObject)]),
  );
}

/** Returns the paths of all documents with models. */
export function modelPaths(): string[] {
  return Object.keys(models().documents);
}

/** Returns the name of the model of a kind; undefined for kinds without one. */
export function modelName(group: string, version: string, kind: string): string | undefined {
  if (namesByKind === undefined) {
    namesByKind = new Map();
    for (const [name, model] of Object.entries(models().shared)) {
      const kinds = (model["x-kubernetes-group-version-kind"] ?? []) as {
        group: string;
        version: string;
        kind: string;
      }[];
      // Options and events of watches belong to all groups; they aren't kinds with objects of their own.
      if (kinds.length === 1)
        for (const target of kinds) namesByKind.set(`${target.group}/${target.version}/${target.kind}`, name);
    }
  }
  return namesByKind.get(`${group}/${version}/${kind}`);
}

/** Returns the schema of a kind; undefined for kinds without a model. */
export function schemaOfKind(group: string, version: string, kind: string): Schema | undefined {
  const name = modelName(group, version, kind);
  return name === undefined ? undefined : schemaOfModel(name);
}

/**
 * Converts a model to a schema. References are followed when they are read, because models contain themselves.
 *
 * @param name - the name of the model
 * @returns the schema, the same object for each call
 */
export function schemaOfModel(name: string): Schema {
  let schema = schemas.get(name);
  if (schema === undefined) {
    // Raw objects are values of any kind, and replaced as a whole.
    schema =
      name === rawExtension ? { "x-kubernetes-map-type": "atomic" } : resolve(models().shared[name] as JsonObject);
    schemas.set(name, schema);
  }
  return schema;
}

function resolve(model: JsonObject): Schema {
  const reference = referenceOf(model);
  if (reference !== undefined) {
    const { allOf: _allOf, $ref: _ref, description: _description, ...own } = model;
    // The keywords beside a reference, such as a default, belong to the field and not to the model.
    return Object.assign(Object.create(schemaOfModel(reference)) as Schema, own);
  }
  const schema = { ...model } as Schema;
  if (model.properties !== undefined) schema.properties = lazy(model.properties as Record<string, JsonObject>);
  for (const key of ["items", "additionalProperties"] as const) {
    const value = model[key];
    if (typeof value !== "object" || value === null) continue;
    Object.defineProperty(schema, key, lazyValue(value as JsonObject));
  }
  return schema;
}

function referenceOf(model: JsonObject): string | undefined {
  const all = model.allOf as JsonObject[] | undefined;
  const text = (model.$ref ?? (all?.length === 1 ? all[0]?.$ref : undefined)) as string | undefined;
  return text?.slice(prefix.length);
}

function lazyValue(model: JsonObject): PropertyDescriptor {
  let schema: Schema | undefined;
  return {
    enumerable: true,
    configurable: true,
    get: () => {
      schema ??= resolve(model);
      return schema;
    },
  };
}

function lazy(properties: Record<string, JsonObject>): Record<string, Schema> {
  const result = {};
  for (const [name, model] of Object.entries(properties)) Object.defineProperty(result, name, lazyValue(model));
  return result as Record<string, Schema>;
}
