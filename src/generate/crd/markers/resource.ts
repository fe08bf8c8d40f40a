import type { CrdEffect } from "./effect.ts";

/** `kubebuilder:resource`: names and scope. A later marker replaces the lists of an earlier one. */
export const resource: CrdEffect = (crd, _version, args) => {
  const { names } = crd.spec;
  if (args.text("path") !== "") names.plural = args.text("path");
  if (args.text("singular") !== "") names.singular = args.text("singular");
  delete names.shortNames;
  delete names.categories;
  if (args.list("shortName").length > 0) names.shortNames = args.list("shortName");
  if (args.list("categories").length > 0) names.categories = args.list("categories");
  crd.spec.scope = args.text("scope") || "Namespaced";
  return undefined;
};
