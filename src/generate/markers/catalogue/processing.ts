import { defineMarkers } from "./define.ts";

const PRESERVE = "Keeps fields that the schema doesn't name, where the API server would drop them.";
const LIST_TYPE = {
  category: "CRD processing",
  value: "string",
  summary: "How server-side apply merges this array.",
  details:
    "`atomic`: as one value; `set`: distinct scalars; `map`: objects told apart by the keys that `listMapKey` names.",
} as const;
const LIST_MAP_KEY = {
  category: "CRD processing",
  value: "string",
  summary:
    "A field by which the elements of an array with `+listType=map` are told apart; may be given more than once.",
} as const;

/** How the API server prunes and merges values. */
export const processingMarkers = defineMarkers([
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
    details: "The older name of `+kubebuilder:pruning:PreserveUnknownFields`.",
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
    summary: "How server-side apply merges this map.",
    details: "`granular`: each key has an owner of its own, which is the default; `atomic`: as one value.",
  },
  {
    name: "structType",
    targets: ["field", "type"],
    category: "CRD processing",
    value: "string",
    summary: "How server-side apply merges this object.",
    details: "`granular`: each field has an owner of its own, which is the default; `atomic`: as one value.",
  },
]);
