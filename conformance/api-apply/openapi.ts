// Reads the OpenAPI models of a server and replaces their references.
import type { JsonObject } from "@kubewright/cel/json";
import type { Schema } from "@kubewright/cel/schema";

type Referring = Schema & { $ref?: string };

/** @returns a function that finds models by group, version and kind */
export function modelsOf(document: JsonObject): (group: string, version: string, kind: string) => Schema {
  const models = (document.components as JsonObject).schemas as unknown as Record<string, Referring>;
  for (const model of Object.values(models)) resolveParts(model, models);
  return (group, version, kind) => {
    const match = Object.values(models).find((model) =>
      model["x-kubernetes-group-version-kind"]?.some(
        (gvk) => gvk.group === group && gvk.version === version && gvk.kind === kind,
      ),
    );
    if (match === undefined) throw new Error(`no model of ${kind}`);
    return match;
  };
}

function resolveParts(schema: Referring, models: Record<string, Referring>): void {
  const part = (value: Referring, put: (resolved: Schema) => void) => {
    const ref = value.$ref ?? (value.allOf?.[0] as Referring | undefined)?.$ref;
    if (ref === undefined) {
      resolveParts(value, models);
      return;
    }
    const { $ref: _, allOf: __, ...own } = value;
    const model = models[ref.split("/").at(-1) as string] as Schema;
    // The model is read when it's complete; own properties such as defaults take precedence.
    put(Object.keys(own).length === 0 ? model : lazy(model, own));
  };
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    part(property, (resolved) => {
      (schema.properties as Record<string, Schema>)[name] = resolved;
    });
  }
  if (schema.items) {
    part(schema.items, (resolved) => {
      schema.items = resolved;
    });
  }
  if (typeof schema.additionalProperties === "object") {
    part(schema.additionalProperties, (resolved) => {
      schema.additionalProperties = resolved;
    });
  }
}

function lazy(model: Schema, own: Schema): Schema {
  return Object.create(model, Object.getOwnPropertyDescriptors(own)) as Schema;
}
