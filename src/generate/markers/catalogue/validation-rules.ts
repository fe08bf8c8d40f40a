import { defineMarkers } from "./define.ts";

/** Rules that the API server evaluates as CEL. */
export const ruleMarkers = defineMarkers([
  {
    name: "kubebuilder:validation:XValidation",
    targets: ["field", "type"],
    category: "CRD validation",
    forItems: true,
    summary: "A CEL expression that must hold for the value; may be given more than once.",
    details:
      'Example: `+kubebuilder:validation:XValidation:rule="self.min <= self.max",message="min must not exceed max"`',
    fields: {
      rule: { type: "string", summary: "The CEL expression; `self` is the value, `oldSelf` what it was before." },
      message: { type: "string", optional: true, summary: "What the user reads when the rule fails." },
      messageExpression: {
        type: "string",
        optional: true,
        summary: "A CEL expression that gives the message; it wins over `message`.",
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
        summary: "The field that the failure is reported for, such as `.min`.",
      },
      optionalOldSelf: {
        type: "bool",
        optional: true,
        nullable: true,
        summary: "With `true` the rule also runs when there is no old value; `oldSelf` is an optional then.",
      },
    },
  },
  {
    name: "kubebuilder:validation:ExactlyOneOf",
    targets: ["type"],
    category: "CRD validation",
    value: "[]string",
    summary: "Exactly one of these fields must be set; may be given more than once.",
    details: "Example: `+kubebuilder:validation:ExactlyOneOf=configMap;secret`. The names are those of the JSON.",
  },
  {
    name: "kubebuilder:validation:AtMostOneOf",
    targets: ["type"],
    category: "CRD validation",
    value: "[]string",
    summary: "No more than one of these fields may be set; may be given more than once.",
    details: "Example: `+kubebuilder:validation:AtMostOneOf=configMap;secret`. The names are those of the JSON.",
  },
  {
    name: "kubebuilder:validation:AtLeastOneOf",
    targets: ["type"],
    category: "CRD validation",
    value: "[]string",
    summary: "One or more of these fields must be set; may be given more than once.",
    details: "Example: `+kubebuilder:validation:AtLeastOneOf=configMap;secret`. The names are those of the JSON.",
  },
  {
    name: "k8s:immutable",
    targets: ["field"],
    category: "CRD validation",
    summary: "The field can't change any more once it is set.",
  },
]);
