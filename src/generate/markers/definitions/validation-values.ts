import { markerEntries } from "./define.ts";

/** Markers for allowed values, types and formats. */
export const valueMarkers = markerEntries([
  {
    name: "kubebuilder:validation:Pattern",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "string",
    forItems: true,
    summary: "Sets a regular expression (RE2 syntax) that strings must match.",
    details: "Example: ``+kubebuilder:validation:Pattern=`^[a-z]+$` ``. In backticks nothing needs to be escaped.",
  },
  {
    name: "kubebuilder:validation:Enum",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "[]any",
    forItems: true,
    summary: "Sets the allowed values.",
    details:
      "Example: `+kubebuilder:validation:Enum=Allow;Forbid;Replace`. Don't put spaces around the semicolons: a word before a space is lost.",
  },
  {
    name: "k8s:enum",
    targets: ["type"],
    category: "CRD",
    summary: "Makes this string type an enum of the constants that are declared with it.",
  },
  {
    // Registered for fields only to report that it belongs on the type; the help doesn't list it.
    name: "k8s:enum",
    targets: ["field"],
    category: "",
    summary: "Belongs on a type, not on a field.",
  },
  {
    name: "kubebuilder:validation:Format",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "string",
    forItems: true,
    summary: "Sets the OpenAPI format of the value, such as `date-time`, `uuid` or `cidr`.",
    details: "The API server doesn't validate unknown formats.",
  },
  {
    name: "kubebuilder:validation:Type",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "string",
    forItems: true,
    summary: "Overrides the schema type that is derived from the TypeScript type.",
    details: "Example: `+kubebuilder:validation:Type=string`",
  },
  {
    name: "kubebuilder:validation:XIntOrString",
    targets: ["field", "type"],
    category: "CRD validation",
    forItems: true,
    summary: "Allows an integer or a string.",
    details: "Required for string limits, patterns and enums on an `IntOrString`.",
  },
  {
    name: "kubebuilder:validation:XEmbeddedResource",
    targets: ["field", "type"],
    category: "CRD validation",
    forItems: true,
    summary: "Declares that the value is a complete Kubernetes object with apiVersion, kind and metadata.",
  },
  {
    name: "kubebuilder:validation:EmbeddedResource",
    targets: ["field"],
    category: "CRD validation",
    summary: "Declares that the field is a complete Kubernetes object with apiVersion, kind and metadata.",
  },
  {
    name: "kubebuilder:validation:Schemaless",
    targets: ["field"],
    category: "CRD validation",
    summary: "Omits the schema of the field's type: only the field's own markers apply.",
    details:
      "Combine it with `+kubebuilder:pruning:PreserveUnknownFields`, otherwise the API server drops the content of the field.",
  },
]);
