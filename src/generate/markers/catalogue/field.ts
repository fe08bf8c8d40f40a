import { defineMarkers } from "./define.ts";
import { jsonDefault } from "./own-parsers.ts";

/** Whether a field must be there, and what it is when it isn't. */
export const fieldMarkers = defineMarkers([
  {
    name: "optional",
    targets: ["field"],
    category: "CRD validation",
    summary: "The field may be left out, even if its declaration has no `?`.",
  },
  {
    name: "k8s:optional",
    targets: ["field"],
    category: "CRD validation",
    summary: "The field may be left out: `+optional` in the spelling of declarative validation.",
  },
  {
    name: "kubebuilder:validation:Optional",
    targets: ["field"],
    category: "CRD validation",
    deprecated: "optional",
    summary: "The field may be left out.",
  },
  {
    name: "kubebuilder:validation:Optional",
    targets: ["package"],
    category: "CRD validation",
    deprecated: true,
    summary: "All fields of this package may be left out unless they are marked as required.",
  },
  {
    name: "required",
    targets: ["field"],
    category: "CRD validation",
    summary: "The field must be there, even if its declaration has a `?`.",
  },
  {
    name: "k8s:required",
    targets: ["field"],
    category: "CRD validation",
    summary: "The field must be there and must not be empty.",
    details:
      "Strings get `minLength: 1`, arrays `minItems: 1`, structs and maps `minProperties: 1`, unless you set them.",
  },
  {
    name: "kubebuilder:validation:Required",
    targets: ["field"],
    category: "CRD validation",
    deprecated: "required",
    summary: "The field must be there.",
  },
  {
    name: "kubebuilder:validation:Required",
    targets: ["package"],
    category: "CRD validation",
    deprecated: true,
    summary: "Fields must be there unless they say otherwise; that is so without this marker, too.",
  },
  {
    name: "nullable",
    targets: ["field"],
    category: "CRD validation",
    summary: "The field may be `null`.",
  },
  {
    name: "default",
    targets: ["field"],
    category: "CRD validation",
    value: "any",
    ownParser: jsonDefault,
    summary: "The value that the API server fills in for a field that is left out, written as JSON.",
    details: 'Example: `+default={"replicas": 1}`',
  },
  {
    name: "kubebuilder:default",
    targets: ["field"],
    category: "CRD validation",
    value: "any",
    summary: "The value that the API server fills in for a field that is left out; it wins over `+default`.",
    details:
      "Example: `+kubebuilder:default={replicas: 1}`. Mark the field as optional too. A default inside an object needs one on the object, such as `{}`.",
  },
  {
    name: "kubebuilder:example",
    targets: ["field"],
    category: "CRD validation",
    value: "any",
    summary: "An example value for the documentation.",
  },
  {
    name: "kubebuilder:title",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "any",
    summary: "A title for the documentation; it must be a string.",
  },
]);
