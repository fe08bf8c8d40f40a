import type { PrinterColumn } from "../document.ts";
import type { CrdEffect } from "./effect.ts";

/** The effect of `kubebuilder:printcolumn`. As in controller-gen, it also adds `subresources: {}`. */
const printColumn: CrdEffect = (_crd, version, args) => {
  version.subresources ??= {};
  const column: PrinterColumn = { name: args.text("name"), type: args.text("type"), jsonPath: args.text("JSONPath") };
  if (args.text("description") !== "") column.description = args.text("description");
  if (args.text("format") !== "") column.format = args.text("format");
  if (Number(args.number("priority")) !== 0) column.priority = args.number("priority");
  version.additionalPrinterColumns = [...(version.additionalPrinterColumns ?? []), column];
  return undefined;
};

const selectableField: CrdEffect = (_crd, version, args) => {
  version.selectableFields = [...(version.selectableFields ?? []), { jsonPath: args.text("JSONPath") }];
  return undefined;
};

/** The effect of `kubebuilder:metadata`: annotations and labels of the CRD itself. */
const metadata: CrdEffect = (crd, _version, args) => {
  for (const [kind, singular] of [
    ["annotations", "annotation"],
    ["labels", "label"],
  ] as const) {
    for (const text of args.list(kind)) {
      const equals = text.indexOf("=");
      if (equals < 0) return `${singular} ${text} is not in 'xxx=xxx' format`;
      crd.metadata[kind] = { ...crd.metadata[kind], [text.slice(0, equals)]: text.slice(equals + 1) };
    }
  }
  return undefined;
};

/** The effect of `kubebuilder:resource`: names and scope. A later marker replaces the lists of an earlier one. */
const resource: CrdEffect = (crd, _version, args) => {
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

const statusSubresource: CrdEffect = (_crd, version) => {
  version.subresources = { ...version.subresources, status: {} };
  return undefined;
};

const scaleSubresource: CrdEffect = (_crd, version, args) => {
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

const storageVersion: CrdEffect = (_crd, version) => {
  version.storage = true;
  return undefined;
};

const unservedVersion: CrdEffect = (_crd, version) => {
  version.served = false;
  return undefined;
};

const deprecatedVersion: CrdEffect = (_crd, version, args) => {
  version.deprecated = true;
  const warning = args.optionalText("warning");
  if (warning === undefined) delete version.deprecationWarning;
  else version.deprecationWarning = warning;
  return undefined;
};

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
