import { markerEntries } from "./define.ts";

const PRESERVE = "Preserves fields that aren't in the schema; by default the API server drops them.";
const LIST_TYPE = {
  category: "CRD processing",
  value: "string",
  summary: "Sets how server-side apply merges this array.",
  details:
    "`atomic`: as one value; `set`: as unique scalars; `map`: as objects that are identified by the `listMapKey` fields.",
} as const;
const LIST_MAP_KEY = {
  category: "CRD processing",
  value: "string",
  summary: "Sets a field that identifies the elements of an array with `+listType=map`. Can be repeated.",
} as const;

/** Markers for how the API server prunes and merges values. */
export const processingMarkers = markerEntries([
  {
    name: "kubebuilder:pruning:PreserveUnknownFields",
    targets: ["field", "type"],
    category: "CRD processing",
    summary: PRESERVE,
  },
  {
    name: "kubebuilder:validation:XPreserveUnknownFields",
    targets: ["field", "type"],
    category: "CRD processing",
    forItems: true,
    summary: PRESERVE,
    details: "An older name of `+kubebuilder:pruning:PreserveUnknownFields`.",
  },
  { name: "listType", targets: ["field", "type"], ...LIST_TYPE },
  { name: "k8s:listType", targets: ["field", "type"], ...LIST_TYPE },
  { name: "listMapKey", targets: ["field", "type"], ...LIST_MAP_KEY },
  { name: "k8s:listMapKey", targets: ["field", "type"], ...LIST_MAP_KEY },
  {
    name: "mapType",
    targets: ["field", "type"],
    category: "CRD processing",
    value: "string",
    summary: "Sets how server-side apply merges this map.",
    details: "`granular` (the default): each key has its own owner; `atomic`: as one value.",
  },
  {
    name: "structType",
    targets: ["field", "type"],
    category: "CRD processing",
    value: "string",
    summary: "Sets how server-side apply merges this object.",
    details: "`granular` (the default): each field has its own owner; `atomic`: as one value.",
  },
]);
