import { defineMarkers } from "./define.ts";

/** Markers of Go's code generators: known, so that API files can be moved over, but plain data needs no generated code. */
export const goOnlyMarkers = defineMarkers([
  {
    name: "kubebuilder:object:generate",
    targets: ["package", "type"],
    category: "object",
    value: "bool",
    summary: "Switches deep-copy code on or off in Go; it has no effect here.",
  },
  {
    name: "kubebuilder:object:root",
    targets: ["type"],
    category: "object",
    value: "bool",
    summary: "Says that this type is a kind with its own API objects.",
    details: "Kinds are found without it; it guards against a type that isn't one by mistake.",
  },
  {
    name: "k8s:deepcopy-gen",
    targets: ["package", "type"],
    category: "object",
    value: "raw",
    deprecated: "kubebuilder:object:generate",
    summary: "Switches deep-copy code on or off in Go; it has no effect here.",
  },
  {
    name: "k8s:deepcopy-gen:interfaces",
    targets: ["type"],
    category: "object",
    value: "string",
    deprecated: "kubebuilder:object:root",
    summary: "Names the interfaces that Go's deep-copy code implements; it has no effect here.",
  },
  {
    name: "kubebuilder:ac:generate",
    targets: ["package", "type"],
    category: "apply",
    value: "bool",
    summary: "Switches apply configurations on or off in Go; it has no effect here.",
  },
  {
    name: "kubebuilder:ac:output:package",
    targets: ["package"],
    category: "apply",
    value: "string",
    summary: "Names the package of Go's apply configurations; it has no effect here.",
  },
]);
