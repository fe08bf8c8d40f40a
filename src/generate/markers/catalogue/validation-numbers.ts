import { defineMarkers } from "./define.ts";
import { wholeLineNumber } from "./own-parsers.ts";

/** Limits of numeric values. */
export const numberMarkers = defineMarkers([
  {
    name: "kubebuilder:validation:Maximum",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "number",
    ownParser: wholeLineNumber("maximum"),
    forItems: true,
    summary: "The largest number that is allowed.",
    details: "Example: `+kubebuilder:validation:Maximum=100`",
  },
  {
    name: "k8s:maximum",
    targets: ["field"],
    category: "CRD validation",
    value: "number",
    ownParser: wholeLineNumber("maximum"),
    summary: "The largest number that is allowed, in the spelling of declarative validation.",
    details: "Example: `+k8s:maximum=100 # a percentage`. From `#` on, the line is a comment.",
  },
  {
    name: "kubebuilder:validation:Minimum",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "number",
    ownParser: wholeLineNumber("minimum"),
    forItems: true,
    summary: "The smallest number that is allowed; it may be negative.",
    details: "Example: `+kubebuilder:validation:Minimum=-5`",
  },
  {
    name: "k8s:minimum",
    targets: ["field"],
    category: "CRD validation",
    value: "number",
    ownParser: wholeLineNumber("minimum"),
    summary: "The smallest number that is allowed, in the spelling of declarative validation.",
    details: "Example: `+k8s:minimum=1`. From `#` on, the line is a comment.",
  },
  {
    name: "kubebuilder:validation:ExclusiveMaximum",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "bool",
    forItems: true,
    summary: "With `true`, values must stay below the maximum and not reach it.",
  },
  {
    name: "kubebuilder:validation:ExclusiveMinimum",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "bool",
    forItems: true,
    summary: "With `true`, values must stay above the minimum and not reach it.",
  },
  {
    name: "kubebuilder:validation:MultipleOf",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "number",
    forItems: true,
    summary: "Values must be whole multiples of this number.",
    details: "Example: `+kubebuilder:validation:MultipleOf=8`",
  },
]);
