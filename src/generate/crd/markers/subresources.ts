import type { CrdEffect } from "./effect.ts";

/** `kubebuilder:subresource:status`. */
export const statusSubresource: CrdEffect = (_crd, version) => {
  version.subresources = { ...version.subresources, status: {} };
  return undefined;
};

/** `kubebuilder:subresource:scale`. */
export const scaleSubresource: CrdEffect = (_crd, version, args) => {
  const labelSelectorPath = args.optionalText("selectorpath");
  version.subresources = {
    ...version.subresources,
    scale: {
      specReplicasPath: args.text("specpath"),
      statusReplicasPath: args.text("statuspath"),
      ...(labelSelectorPath === undefined ? {} : { labelSelectorPath }),
    },
  };
  return undefined;
};
