import { entries, fixedError, warning } from "./entry.ts";

/** Types, kinds and versions. */
export const typeEntries = {
  ...entries(fixedError, {
    "unknown-type": ["A type is named that nobody declares.", "Import or declare it."],
    "unsupported-type": ["A type describes no data that a schema can.", "Write what the hint says instead."],
    "unsupported-module": [
      "A type comes from a package that isn't installed, or that has no declarations.",
      "Install the package, or mark the field `+kubebuilder:validation:Schemaless`.",
    ],
    "schema-too-large": [
      "The schema of a kind has more than 3 MiB as JSON, which the API server refuses, or takes too many steps to expand. " +
        "A CRD repeats a type in every place that uses it, so nested types can multiply.",
      "Use the type in fewer places, or mark fields `+kubebuilder:validation:Schemaless`.",
    ],
    "float-type": [
      "A floating-point number. Clients don't agree on how to write them, so the API conventions advise against them.",
      "Use `Quantity` or whole numbers, or run with `crd:allowDangerousTypes=true`.",
    ],
    "duplicate-field": ["A type declares a field twice. TypeScript refuses it, too.", "Leave one of the two."],
    "type-arguments": [
      "A generic type is used without its arguments, or with too many of them. TypeScript refuses it, too.",
      "Write an argument for each parameter, or give the parameters defaults.",
    ],
    "conflicting-types": [
      "Two declarations that are merged say different types of one field.",
      "Make them say the same.",
    ],
    "one-of-required": [
      "A member of a one-of is required, so the others could never be set.",
      "Make the member optional.",
    ],
    "not-a-kind": [
      "`+kubebuilder:object:root=true` stands on a type that is no kind.",
      "Let the type extend `KubernetesObject`, or take the marker away.",
    ],
    "bad-crd-name": [
      "The group or plural of a CRD has a slash, so that the file would be elsewhere.",
      "Take the slash out.",
    ],
    "duplicate-kind": ["A kind is declared twice in one version.", "Rename or remove one of the two."],
    "group-version-mismatch": [
      "`groupVersion(…)` and `+groupName` or `+versionName` of one package say different things.",
      "Make both say the same.",
    ],
    "no-storage-version": [
      "None of several versions is the one in which objects are stored.",
      "Put `+kubebuilder:storageversion` on one.",
    ],
    "no-served-version": ["No version is served.", "Take `+kubebuilder:unservedversion` away from one."],
  }),
  ...entries(warning, {
    "missing-group": [
      "A kind is in a package without an API group. It is an error where markers show that a CRD is wanted.",
      "Write `// +groupName=…` into a file of the package, with a blank line below it. If the CRD belongs to another project, write `// +kubebuilder:skip`.",
    ],
    "unknown-omit": [
      "`Omit` names a property that the type doesn't have. TypeScript takes it without a word, and nothing is left out.",
      "Correct the name, or take it away.",
    ],
    "recursive-type": [
      "A type contains itself. Schemas of CRDs can't refer to one another, so the second one is left open, as by controller-gen.",
      "Mark the field `+kubebuilder:validation:Schemaless` and `+kubebuilder:pruning:PreserveUnknownFields`.",
    ],
  }),
};
