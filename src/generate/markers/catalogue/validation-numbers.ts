import { defineMarkers } from "./define.ts";
import { wholeLineNumber } from "./own-parsers.ts";

/** Markers that limit numeric values. */
export const numberMarkers = defineMarkers([
  {
    name: "kubebuilder:validation:Maximum",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "number",
    ownParser: wholeLineNumber("maximum"),
    forItems: true,
    summary: "Sets the maximum value.",
    details: "Example: `+kubebuilder:validation:Maximum=100`",
  },
  {
    name: "k8s:maximum",
    targets: ["field"],
    category: "CRD validation",
    value: "number",
    ownParser: wholeLineNumber("maximum"),
    summary: "Sets the maximum value; declarative validation's form.",
    details: "Example: `+k8s:maximum=100 # a percentage`. `#` starts a comment.",
  },
  {
    name: "kubebuilder:validation:Minimum",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "number",
    ownParser: wholeLineNumber("minimum"),
    forItems: true,
    summary: "Sets the minimum value, which may be negative.",
    details: "Example: `+kubebuilder:validation:Minimum=-5`",
  },
  {
    name: "k8s:minimum",
    targets: ["field"],
    category: "CRD validation",
    value: "number",
    ownParser: wholeLineNumber("minimum"),
    summary: "Sets the minimum value; declarative validation's form.",
    details: "Example: `+k8s:minimum=1`. `#` starts a comment.",
  },
  {
    name: "kubebuilder:validation:ExclusiveMaximum",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "bool",
    forItems: true,
    summary: "With `true`, values must be less than the maximum.",
  },
  {
    name: "kubebuilder:validation:ExclusiveMinimum",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "bool",
    forItems: true,
    summary: "With `true`, values must be greater than the minimum.",
  },
  {
    name: "kubebuilder:validation:MultipleOf",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "number",
    forItems: true,
    summary: "Requires values to be integer multiples of this number.",
    details: "Example: `+kubebuilder:validation:MultipleOf=8`",
  },
]);
