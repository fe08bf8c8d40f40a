import { defineMarkers } from "./define.ts";

/** Which values, types and shapes are allowed. */
export const valueMarkers = defineMarkers([
  {
    name: "kubebuilder:validation:Pattern",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "string",
    forItems: true,
    summary: "A regular expression (RE2) that a string must match.",
    details: "Example: ``+kubebuilder:validation:Pattern=`^[a-z]+$` ``. Backticks spare the escaping.",
  },
  {
    name: "kubebuilder:validation:Enum",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "[]any",
    forItems: true,
    summary: "The values that are allowed, and no others.",
    details:
      "Example: `+kubebuilder:validation:Enum=Allow;Forbid;Replace`. Don't put blanks around the semicolons: a word before one is lost.",
  },
  {
    name: "k8s:enum",
    targets: ["type"],
    category: "CRD",
    summary: "Makes this string type an enumeration of the constants that are declared with it.",
  },
  {
    // Known on fields only to say that it belongs on the type; the lists of help leave it out.
    name: "k8s:enum",
    targets: ["field"],
    category: "",
    summary: "Has its place on a type, not on a field.",
  },
  {
    name: "kubebuilder:validation:Format",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "string",
    forItems: true,
    summary: "An OpenAPI format that values must have, such as `date-time`, `uuid` or `cidr`.",
    details: "Formats that the API server doesn't know are not checked.",
  },
  {
    name: "kubebuilder:validation:Type",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "string",
    forItems: true,
    summary: "Replaces the type that the schema would get from the TypeScript type.",
    details: "Example: `+kubebuilder:validation:Type=string`",
  },
  {
    name: "kubebuilder:validation:XIntOrString",
    targets: ["field", "type"],
    category: "CRD validation",
    forItems: true,
    summary: "Allows an integer or a string.",
    details: "Limits of strings, patterns and enums on an `IntOrString` need it.",
  },
  {
    name: "kubebuilder:validation:XEmbeddedResource",
    targets: ["field", "type"],
    category: "CRD validation",
    forItems: true,
    summary: "Says that the value is a complete Kubernetes object with apiVersion, kind and metadata.",
  },
  {
    name: "kubebuilder:validation:EmbeddedResource",
    targets: ["field"],
    category: "CRD validation",
    summary: "Says that the field is a complete Kubernetes object with apiVersion, kind and metadata.",
  },
  {
    name: "kubebuilder:validation:Schemaless",
    targets: ["field"],
    category: "CRD validation",
    summary: "Leaves the field's type out of the schema: only the field's own markers count.",
    details:
      "Combine it with `+kubebuilder:pruning:PreserveUnknownFields`, else the API server drops what is in the field.",
  },
]);
