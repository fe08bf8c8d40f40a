import { type Effect, effect, turns } from "./effect.ts";

export const listType: Effect = effect((schema, value) => {
  if (schema.type !== "array") return `must apply listType to an array, found ${schema.type ?? ""}`;
  if (value !== "map" && value !== "set" && value !== "atomic") {
    return 'ListType must be either "map", "set" or "atomic"';
  }
  schema["x-kubernetes-list-type"] = value;
  return undefined;
}, turns.early);

export const listMapKey: Effect = effect((schema, value) => {
  if (schema.type !== "array") return `must apply listMapKey to an array, found ${schema.type ?? ""}`;
  if (schema["x-kubernetes-list-type"] !== "map") return "must apply listMapKey to an associative-list";
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  if (!keys.includes(String(value))) schema["x-kubernetes-list-map-keys"] = [...keys, String(value)];
  return undefined;
});

export const mapType: Effect = effect((schema, value) => {
  if (schema.type !== "object") return "must apply mapType to an object";
  if (value !== "atomic" && value !== "granular") return 'MapType must be either "granular" or "atomic"';
  schema["x-kubernetes-map-type"] = value;
  return undefined;
});

export const structType: Effect = effect((schema, value) => {
  // controller-gen doesn't resolve the type of a reference to a built-in type, and accepts it.
  const isForeign = schema.$ref?.startsWith("#/definitions/k8s.io~1") === true;
  if (schema.type !== "object" && schema.type !== undefined && !isForeign) {
    return "must apply structType to an object; either explicitly set or defaulted through an empty schema type";
  }
  if (value !== "atomic" && value !== "granular") return 'StructType must be either "granular" or "atomic"';
  schema["x-kubernetes-map-type"] = value;
  return undefined;
});
