import { markerEntries } from "./define.ts";
import { jsonDefault } from "./own-parsers.ts";

/** Markers that make a field required or optional, and those that set its default. */
export const fieldMarkers = markerEntries([
  {
    name: "optional",
    targets: ["field"],
    category: "CRD validation",
    summary: "Makes the field optional, even if its declaration has no `?`.",
  },
  {
    name: "k8s:optional",
    targets: ["field"],
    category: "CRD validation",
    summary: "Makes the field optional; declarative validation's form of `+optional`.",
  },
  {
    name: "kubebuilder:validation:Optional",
    targets: ["field"],
    category: "CRD validation",
    deprecated: "optional",
    summary: "Makes the field optional.",
  },
  {
    name: "kubebuilder:validation:Optional",
    targets: ["package"],
    category: "CRD validation",
    deprecated: true,
    summary: "Makes all fields of this package optional unless they are marked as required.",
  },
  {
    name: "required",
    targets: ["field"],
    category: "CRD validation",
    summary: "Makes the field required, even if its declaration has a `?`.",
  },
  {
    name: "k8s:required",
    targets: ["field"],
    category: "CRD validation",
    summary: "Makes the field required and non-empty.",
    details:
      "Adds `minLength: 1` to strings, `minItems: 1` to arrays, and `minProperties: 1` to structs and maps, unless you set them.",
  },
  {
    name: "kubebuilder:validation:Required",
    targets: ["field"],
    category: "CRD validation",
    deprecated: "required",
    summary: "Makes the field required.",
  },
  {
    name: "kubebuilder:validation:Required",
    targets: ["package"],
    category: "CRD validation",
    deprecated: true,
    summary: "Makes all fields of this package required unless they are marked as optional, which is also the default.",
  },
  {
    name: "nullable",
    targets: ["field"],
    category: "CRD validation",
    summary: "Allows `null`.",
  },
  {
    name: "default",
    targets: ["field"],
    category: "CRD validation",
    value: "any",
    ownParser: jsonDefault,
    summary: "The default value of the field, as JSON.",
    details: 'Example: `+default={"replicas": 1}`',
  },
  {
    name: "kubebuilder:default",
    targets: ["field"],
    category: "CRD validation",
    value: "any",
    summary: "The default value of the field; takes precedence over `+default`.",
    details:
      "Example: `+kubebuilder:default={replicas: 1}`. Mark the field as optional, too. A default inside an object requires a default of the object, such as `{}`.",
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
