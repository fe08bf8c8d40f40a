import { printColumn, selectableField } from "./columns.ts";
import type { CrdEffect } from "./effect.ts";
import { metadata } from "./metadata.ts";
import { resource } from "./resource.ts";
import { scaleSubresource, statusSubresource } from "./subresources.ts";
import { deprecatedVersion, storageVersion, unservedVersion } from "./versions.ts";

/** What each marker on a kind does to its CRD, by the registry's name. Adding one is adding an entry. */
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

/** Takes a version out of its CRD; done last, so that the version's other markers still find it. */
export const skipVersionMarker = "kubebuilder:skipversion";
