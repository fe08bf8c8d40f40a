import { defineMarkers } from "./define.ts";

/** Markers that say which API a package is. */
export const identityMarkers = defineMarkers([
  {
    name: "groupName",
    targets: ["package"],
    category: "CRD",
    value: "string",
    valueOptional: true,
    summary: "Gives the API group of all kinds in this package.",
    details: "Example: `+groupName=apps.example.com`. Without it, the group that `groupVersion(…)` names is taken.",
  },
  {
    name: "versionName",
    targets: ["package"],
    category: "CRD",
    value: "string",
    summary: "Gives the API version of this package; without it, the directory's name is the version.",
    details: "Example: `+versionName=v1beta1`",
  },
  {
    name: "kubebuilder:skip",
    targets: ["package"],
    category: "CRD",
    summary: "Says that this package is no API version: its kinds get no CRD.",
  },
]);
