import { markerEntries } from "./define.ts";

/** Markers for rules that the API server evaluates as CEL. */
export const ruleMarkers = markerEntries([
  {
    name: "kubebuilder:validation:XValidation",
    targets: ["field", "type"],
    category: "CRD validation",
    forItems: true,
    summary: "Adds a CEL expression that must be true for the value. Can be repeated.",
    details:
      'Example: `+kubebuilder:validation:XValidation:rule="self.min <= self.max",message="min must not exceed max"`',
    fields: {
      rule: {
        type: "string",
        summary: "The CEL expression; `self` is the value, `oldSelf` the value before the update.",
      },
      message: { type: "string", optional: true, summary: "The error message if the rule fails." },
      messageExpression: {
        type: "string",
        optional: true,
        summary: "A CEL expression that returns the message; takes precedence over `message`.",
      },
      reason: {
        type: "string",
        optional: true,
        summary:
          "`FieldValueInvalid` (the default), `FieldValueForbidden`, `FieldValueRequired` or `FieldValueDuplicate`.",
      },
      fieldPath: {
        type: "string",
        optional: true,
        summary: "The field in the error message, such as `.min`.",
      },
      optionalOldSelf: {
        type: "bool",
        optional: true,
        nullable: true,
        summary: "With `true` the rule also runs without an old value, and `oldSelf` is an optional value.",
      },
    },
  },
  {
    name: "kubebuilder:validation:ExactlyOneOf",
    targets: ["type"],
    category: "CRD validation",
    value: "[]string",
    summary: "Requires exactly one of these fields. Can be repeated.",
    details: "Example: `+kubebuilder:validation:ExactlyOneOf=configMap;secret`. Use the names in JSON.",
  },
  {
    name: "kubebuilder:validation:AtMostOneOf",
    targets: ["type"],
    category: "CRD validation",
    value: "[]string",
    summary: "Allows at most one of these fields. Can be repeated.",
    details: "Example: `+kubebuilder:validation:AtMostOneOf=configMap;secret`. Use the names in JSON.",
  },
  {
    name: "kubebuilder:validation:AtLeastOneOf",
    targets: ["type"],
    category: "CRD validation",
    value: "[]string",
    summary: "Requires at least one of these fields. Can be repeated.",
    details: "Example: `+kubebuilder:validation:AtLeastOneOf=configMap;secret`. Use the names in JSON.",
  },
  {
    name: "k8s:immutable",
    targets: ["field"],
    category: "CRD validation",
    summary: "Makes the field immutable once it is set.",
  },
]);
