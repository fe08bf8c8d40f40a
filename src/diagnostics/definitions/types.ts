import { entries, fixedError, warning } from "./entry.ts";

/** Problems with types, kinds and versions. */
export const typeEntries = {
  ...entries(fixedError, {
    "unknown-type": ["A type isn't declared.", "Import or declare it."],
    "unsupported-type": ["A type can't be represented in a schema.", "Follow the hint."],
    "unsupported-module": [
      "A type comes from a package that isn't installed, or that has no type declarations.",
      "Install the package, or mark the field `+kubebuilder:validation:Schemaless`.",
    ],
    "schema-too-large": [
      "The schema of a kind exceeds 3 MiB as JSON, which the API server rejects, or takes too many steps to expand. " +
        "A CRD repeats a type everywhere it is used, so nested types can multiply.",
      "Use the type in fewer places, or mark fields `+kubebuilder:validation:Schemaless`.",
    ],
    "float-type": [
      "A field is a floating-point number. The API conventions advise against them, because clients format them differently.",
      "Use `Quantity` or integers, or run with `crd:allowDangerousTypes=true`.",
    ],
    "duplicate-field": ["A type declares a field twice. TypeScript reports an error too.", "Remove one of the two."],
    "type-arguments": [
      "A generic type has missing or excess type arguments. TypeScript reports an error too.",
      "Add an argument for each parameter, or give the parameters defaults.",
    ],
    "conflicting-types": [
      "Two declarations that are merged have different types for the same field.",
      "Use the same type in both.",
    ],
    "one-of-required": [
      "A member of a one-of is required, so the other members can never be set.",
      "Make the member optional.",
    ],
    "not-a-kind": [
      "`+kubebuilder:object:root=true` is on a type that isn't a kind.",
      "Extend `KubernetesObject`, or remove the marker.",
    ],
    "bad-crd-name": [
      "The group or plural of a CRD contains a slash, so its file would be in another directory.",
      "Remove the slash.",
    ],
    "duplicate-kind": ["A version declares a kind twice.", "Rename or remove one of the two."],
    "group-version-mismatch": [
      "`groupVersion(…)` doesn't match `+groupName` or `+versionName` in the same package.",
      "Use the same values in both.",
    ],
    "no-storage-version": [
      "A kind has several versions, but none is the storage version.",
      "Mark one version `+kubebuilder:storageversion`.",
    ],
    "no-served-version": ["A kind has no served version.", "Remove `+kubebuilder:unservedversion` from one version."],
  }),
  ...entries(warning, {
    "missing-group": [
      "A kind is in a package without an API group. This is an error if markers request a CRD.",
      "Add `// +groupName=…` to a file of the package, followed by an empty line. If the CRD belongs to another project, add `// +kubebuilder:skip`.",
    ],
    "unknown-omit": [
      "`Omit` names a property that the type doesn't have. TypeScript doesn't report this, and no property is omitted.",
      "Correct or remove the name.",
    ],
    "recursive-type": [
      "A type contains itself. CRD schemas can't be recursive, so the nested occurrence has no schema, as in controller-gen.",
      "Mark the field `+kubebuilder:validation:Schemaless` and `+kubebuilder:pruning:PreserveUnknownFields`.",
    ],
  }),
};
