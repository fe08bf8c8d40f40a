import { turns } from "../model/effects.ts";
import { word } from "../model/words.ts";
import { marker } from "./define.ts";
import { notOneOf } from "./not-one-of.ts";

/** Markers for how the API server prunes and merges values. */
export const processingMarkers = [
  marker({
    name: "kubebuilder:pruning:PreserveUnknownFields",
    aliases: [
      {
        name: "kubebuilder:validation:XPreserveUnknownFields",
        forItems: true,
        details: "An older name of `+kubebuilder:pruning:PreserveUnknownFields`.",
      },
    ],
    targets: ["field", "type"],
    category: "CRD processing",
    summary: "Preserves fields that aren't in the schema; by default the API server drops them.",
    keyword: "x-kubernetes-preserve-unknown-fields",
  }),
  marker({
    name: "listType",
    aliases: [{ name: "k8s:listType" }],
    targets: ["field", "type"],
    category: "CRD processing",
    value: "string",
    summary: "Sets how server-side apply merges this array.",
    details:
      "`atomic`: as one value; `set`: as unique scalars; `map`: as objects that are identified by the `listMapKey` fields. Example: `+listType=set`.",
    keyword: "x-kubernetes-list-type",
    fromSchema: (value) => [`=${word(String(value))}`],
    check(schema, value) {
      if (schema.type !== "array") return `must apply listType to an array, found ${schema.type ?? "no type"}`;
      return notOneOf(value, ["map", "set", "atomic"], 'ListType must be either "map", "set" or "atomic"');
    },
    turn: turns.early,
  }),
  marker({
    name: "listMapKey",
    aliases: [{ name: "k8s:listMapKey" }],
    targets: ["field", "type"],
    category: "CRD processing",
    value: "string",
    summary: "Sets a field that identifies the elements of an array with `+listType=map`. Can be repeated.",
    keyword: "x-kubernetes-list-map-keys",
    fromSchema: (value) => (value as readonly unknown[]).map((name) => `=${word(String(name))}`),
    schema(schema, value) {
      if (schema.type !== "array") return `must apply listMapKey to an array, found ${schema.type ?? "no type"}`;
      if (schema["x-kubernetes-list-type"] !== "map") return "must apply listMapKey to an associative-list";
      const keys = schema["x-kubernetes-list-map-keys"] ?? [];
      if (!keys.includes(value)) schema["x-kubernetes-list-map-keys"] = [...keys, value];
      return undefined;
    },
  }),
  marker({
    name: "mapType",
    targets: ["field", "type"],
    category: "CRD processing",
    value: "string",
    summary: "Sets how server-side apply merges this map.",
    details:
      "`granular` (the default): each key has its own owner; `atomic`: as one value. Example: `+mapType=atomic`.",
    keyword: "x-kubernetes-map-type",
    fromSchema: (value, schema) =>
      schema.additionalProperties === undefined ? undefined : [`=${word(String(value))}`],
    check(schema, value) {
      if (schema.type !== "object") return "must apply mapType to an object";
      return notOneOf(value, ["granular", "atomic"], 'MapType must be either "granular" or "atomic"');
    },
  }),
  marker({
    name: "structType",
    targets: ["field", "type"],
    category: "CRD processing",
    value: "string",
    summary: "Sets how server-side apply merges this object.",
    details:
      "`granular` (the default): each field has its own owner; `atomic`: as one value. Example: `+structType=atomic`.",
    keyword: "x-kubernetes-map-type",
    fromSchema: (value) => [`=${word(String(value))}`],
    check(schema, value) {
      // controller-gen doesn't resolve the type of a reference to a built-in type, and accepts it.
      const isForeign = schema.$ref?.startsWith("#/definitions/k8s.io~1") === true;
      if (schema.type !== "object" && schema.type !== undefined && !isForeign) {
        return "must apply structType to an object; either explicitly set or defaulted through an empty schema type";
      }
      return notOneOf(value, ["granular", "atomic"], 'StructType must be either "granular" or "atomic"');
    },
  }),
] as const;
