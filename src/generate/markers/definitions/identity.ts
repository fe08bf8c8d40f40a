import { marker } from "./define.ts";

/** Markers for the API group and version of a package. */
export const identityMarkers = [
  marker({
    name: "groupName",
    targets: ["package"],
    category: "CRD",
    value: "string",
    valueOptional: true,
    summary: "Sets the API group of all kinds in this package.",
    details: "Example: `+groupName=apps.example.com`. The default is the group in `groupVersion(…)`.",
    isPackageWide: true,
    package(settings, value) {
      settings.group ??= value;
    },
  }),
  marker({
    name: "versionName",
    targets: ["package"],
    category: "CRD",
    value: "string",
    summary: "Sets the API version of this package; by default the name of the directory.",
    details: "Example: `+versionName=v1beta1`",
    isPackageWide: true,
    package(settings, value) {
      settings.version ??= value;
    },
  }),
  marker({
    name: "kubebuilder:skip",
    targets: ["package"],
    category: "CRD",
    summary: "Excludes this package: no CRDs are generated for its kinds.",
    package(settings) {
      settings.isSkipped = true;
    },
  }),
] as const;
