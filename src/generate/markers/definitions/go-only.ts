import { marker } from "./define.ts";

/** Markers of Go's code generators. They are accepted so that API files can be migrated, but have no effect. */
export const goOnlyMarkers = [
  marker({
    name: "kubebuilder:object:generate",
    targets: ["package", "type"],
    category: "object",
    value: "bool",
    summary: "Enables or disables deep-copy code in Go; has no effect here.",
    isAcceptedAnywhere: true,
  }),
  marker({
    name: "kubebuilder:object:root",
    targets: ["type"],
    category: "object",
    value: "bool",
    summary: "Declares that this type is a kind.",
    details: "Kinds are detected without it; with it, a type that isn't a kind is an error.",
    isAcceptedAnywhere: true,
    declaresKind: true,
    fromCrd: () => ["=true"],
  }),
  marker({
    name: "k8s:deepcopy-gen",
    targets: ["package", "type"],
    category: "object",
    value: "raw",
    deprecated: "kubebuilder:object:generate",
    summary: "Enables or disables deep-copy code in Go; has no effect here.",
    isAcceptedAnywhere: true,
  }),
  marker({
    name: "k8s:deepcopy-gen:interfaces",
    targets: ["type"],
    category: "object",
    value: "string",
    deprecated: "kubebuilder:object:root",
    summary: "Sets the interfaces of Go's deep-copy code; has no effect here.",
    isAcceptedAnywhere: true,
  }),
  marker({
    name: "kubebuilder:ac:generate",
    targets: ["package", "type"],
    category: "apply",
    value: "bool",
    summary: "Enables or disables apply configurations in Go; has no effect here.",
  }),
  marker({
    name: "kubebuilder:ac:output:package",
    targets: ["package"],
    category: "apply",
    value: "string",
    summary: "Sets the package of Go's apply configurations; has no effect here.",
  }),
] as const;
