import type { CrdEffect } from "./effect.ts";

/** `kubebuilder:storageversion`. */
export const storageVersion: CrdEffect = (_crd, version) => {
  version.storage = true;
  return undefined;
};

/** `kubebuilder:unservedversion`. */
export const unservedVersion: CrdEffect = (_crd, version) => {
  version.served = false;
  return undefined;
};

/** `kubebuilder:deprecatedversion`. */
export const deprecatedVersion: CrdEffect = (_crd, version, args) => {
  version.deprecated = true;
  const warning = args.optionalText("warning");
  if (warning === undefined) delete version.deprecationWarning;
  else version.deprecationWarning = warning;
  return undefined;
};
