import { argumentsOf } from "../../markers/index.ts";
import type { JSONSchema, JSONValue } from "../json-schema.ts";
import { type Effect, effect, turns } from "./effect.ts";

function setText(schema: JSONSchema, key: "format" | "type" | "title", text: string): void {
  if (text === "") delete schema[key];
  else schema[key] = text;
}

/** Effects of markers for any schema, by name without `kubebuilder:validation:`. */
export const generalValidationEffects: ReadonlyMap<string, Effect> = new Map([
  [
    "Enum",
    effect((schema, value) => {
      if (Array.isArray(value) && value.length > 0) schema.enum = value as readonly JSONValue[];
      else delete schema.enum;
      return undefined;
    }),
  ],
  [
    "Format",
    effect((schema, value) => {
      setText(schema, "format", String(value));
      return undefined;
    }),
  ],
  [
    "Type",
    effect((schema, value) => {
      setText(schema, "type", String(value));
      return undefined;
    }, turns.type),
  ],
  [
    "XIntOrString",
    effect((schema) => {
      schema["x-kubernetes-int-or-string"] = true;
      return undefined;
    }, turns.early),
  ],
]);

export const preserveUnknownFields: Effect = effect((schema) => {
  schema["x-kubernetes-preserve-unknown-fields"] = true;
  return undefined;
});

export const embeddedResource: Effect = effect((schema) => {
  schema["x-kubernetes-embedded-resource"] = true;
  return undefined;
});

export const nullable: Effect = effect((schema) => {
  schema.nullable = true;
  return undefined;
});

export const title: Effect = effect((schema, value) => {
  if (value === null) return undefined;
  if (typeof value !== "string") return `expected string, got ${kindOf(value)}`;
  setText(schema, "title", value);
  return undefined;
});

export const externalDocs: Effect = effect((schema, value) => {
  const { url, description } = argumentsOf("kubebuilder:externalDocs", value);
  if (!/^(\/|[A-Za-z][A-Za-z0-9+.-]*:)\S*$/.test(url)) {
    return `invalid url ${JSON.stringify(url)} in kubebuilder:externalDocs marker`;
  }
  schema.externalDocs = { url, ...(description === "" ? {} : { description }) };
  return undefined;
});

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "list";
  if (typeof value === "number" || typeof value === "bigint") return Number.isInteger(Number(value)) ? "int" : "number";
  return typeof value === "object" ? "map" : typeof value === "boolean" ? "bool" : typeof value;
}
