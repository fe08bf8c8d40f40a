import { printColumn, selectableField } from "./columns.ts";
import type { CrdEffect } from "./effect.ts";
import { metadata } from "./metadata.ts";
import { resource } from "./resource.ts";
import { scaleSubresource, statusSubresource } from "./subresources.ts";
import { deprecatedVersion, storageVersion, unservedVersion } from "./versions.ts";

/** The effect of each marker on the CRD of its kind, by the registry's name. */
export const crdEffects: ReadonlyMap<string, CrdEffect> = new Map<string, CrdEffect>([
  ["kubebuilder:resource", resource],
  ["kubebuilder:subresource:status", statusSubresource],
  ["kubebuilder:subresource:scale", scaleSubresource],
  ["kubebuilder:printcolumn", printColumn],
  ["kubebuilder:selectablefield", selectableField],
  ["kubebuilder:storageversion", storageVersion],
  ["kubebuilder:unservedversion", unservedVersion],
  ["kubebuilder:deprecatedversion", deprecatedVersion],
  ["kubebuilder:metadata", metadata],
]);

/** Removes a version from its CRD; applied last, because the version's other markers need it. */
export const skipVersionMarker = "kubebuilder:skipversion";
