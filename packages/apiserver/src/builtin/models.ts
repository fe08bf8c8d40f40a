import type { JsonObject } from "@kubewright/cel/json";
import type { Schema } from "@kubewright/cel/schema";
import { dataFile, perVersion } from "../data/data.ts";
import { type KubernetesVersion, newestVersion } from "../data/versions.ts";

interface Models {
  shared: Record<string, JsonObject>;
  /** By path of a document: the names of its models, and those that differ from the shared ones. */
  documents: Record<string, { names: string[]; own: Record<string, JsonObject> }>;
}

const models = dataFile<Models>("models.json");
const rawExtension = "io.k8s.apimachinery.pkg.runtime.RawExtension";
const prefix = "#/components/schemas/";
/** Returns the models of a document, such as `apis/apps/v1`, by their names; undefined if it doesn't exist. */
export function modelsOf(
  path: string,
  kubernetes: KubernetesVersion = newestVersion,
): Record<string, JsonObject> | undefined {
  const { documents, shared } = models(kubernetes);
  const document = documents[path];
  if (document === undefined) return undefined;
  return Object.fromEntries(document.names.map((name) => [name, document.own[name] ?? (shared[name] as JsonObject)]));
}

const namesByKind = perVersion((version) => {
  const names = new Map<string, string>();
  for (const [name, model] of Object.entries(models(version).shared)) {
    const kinds = (model["x-kubernetes-group-version-kind"] ?? []) as {
      group: string;
      version: string;
      kind: string;
    }[];
    // Options and events of watches belong to all groups; they aren't kinds with objects of their own.
    if (kinds.length === 1)
      for (const target of kinds) names.set(`${target.group}/${target.version}/${target.kind}`, name);
  }
  return names;
});

/** Returns the schema of a kind; undefined for kinds without a model. */
export function schemaOfKind(
  group: string,
  version: string,
  kind: string,
  kubernetes: KubernetesVersion = newestVersion,
): Schema | undefined {
  const name = namesByKind(kubernetes).get(`${group}/${version}/${kind}`);
  return name === undefined ? undefined : schemas(kubernetes).ofModel(name);
}

/** Converts models to schemas. References are followed when they are read, because models contain themselves. */
class ModelSchemas {
  readonly #models: Record<string, JsonObject>;
  readonly #schemas = new Map<string, Schema>();

  constructor(models: Record<string, JsonObject>) {
    this.#models = models;
  }

  /** Returns the schema of a model, the same object for each call. */
  ofModel(name: string): Schema {
    let schema = this.#schemas.get(name);
    if (schema === undefined) {
      // Raw objects are values of any kind, and replaced as a whole.
      schema =
        name === rawExtension ? { "x-kubernetes-map-type": "atomic" } : this.#resolve(this.#models[name] as JsonObject);
      this.#schemas.set(name, schema);
    }
    return schema;
  }

  #resolve(model: JsonObject): Schema {
    const reference = referenceOf(model);
    if (reference !== undefined) {
      const { allOf: _allOf, $ref: _ref, description: _description, ...own } = model;
      // The keywords beside a reference, such as a default, belong to the field and not to the model.
      return Object.assign(Object.create(this.ofModel(reference)) as Schema, own);
    }
    const schema = { ...model } as Schema;
    if (model.properties !== undefined) schema.properties = this.#lazy(model.properties as Record<string, JsonObject>);
    for (const key of ["items", "additionalProperties"] as const) {
      const value = model[key];
      if (typeof value !== "object" || value === null) continue;
      Object.defineProperty(schema, key, this.#lazyValue(value as JsonObject));
    }
    return schema;
  }

  #lazyValue(model: JsonObject): PropertyDescriptor {
    let schema: Schema | undefined;
    return {
      enumerable: true,
      configurable: true,
      get: () => {
        schema ??= this.#resolve(model);
        return schema;
      },
    };
  }

  #lazy(properties: Record<string, JsonObject>): Record<string, Schema> {
    const result = {};
    for (const [name, model] of Object.entries(properties)) Object.defineProperty(result, name, this.#lazyValue(model));
    return result as Record<string, Schema>;
  }
}

const schemas = perVersion((version) => new ModelSchemas(models(version).shared));

function referenceOf(model: JsonObject): string | undefined {
  const all = model.allOf as JsonObject[] | undefined;
  const text = (model.$ref ?? (all?.length === 1 ? all[0]?.$ref : undefined)) as string | undefined;
  return text?.slice(prefix.length);
}
