import { argumentsOf, type KnownMarker, type MarkerArguments, type MarkerValue } from "../markers/index.ts";
import type { CrdVersion, CustomResourceDefinition, PrinterColumn } from "./document.ts";

/** Applies a marker on a kind to the CRD and to the version of the kind. Returns a message if it fails. */
type CrdEffect<Name extends KnownMarker> = (
  crd: CustomResourceDefinition,
  version: CrdVersion,
  args: MarkerArguments<Name>,
) => string | undefined;

/** The effect of `kubebuilder:printcolumn`. As in controller-gen, it also adds `subresources: {}`. */
const printColumn: CrdEffect<"kubebuilder:printcolumn"> = (_crd, version, args) => {
  version.subresources ??= {};
  const { name, type, JSONPath: jsonPath, description, format, priority } = args;
  const column: PrinterColumn = { name, type, jsonPath };
  if (description !== "") column.description = description;
  if (format !== "") column.format = format;
  if (priority !== 0) column.priority = priority;
  version.additionalPrinterColumns = [...(version.additionalPrinterColumns ?? []), column];
  return undefined;
};

const selectableField: CrdEffect<"kubebuilder:selectablefield"> = (_crd, version, args) => {
  version.selectableFields = [...(version.selectableFields ?? []), { jsonPath: args.JSONPath }];
  return undefined;
};

/** The effect of `kubebuilder:metadata`: annotations and labels of the CRD itself. */
const metadata: CrdEffect<"kubebuilder:metadata"> = (crd, _version, args) => {
  for (const [kind, singular] of [
    ["annotations", "annotation"],
    ["labels", "label"],
  ] as const) {
    for (const text of args[kind] ?? []) {
      const equals = text.indexOf("=");
      if (equals < 0) return `${singular} ${text} is not in 'xxx=xxx' format`;
      crd.metadata[kind] = { ...crd.metadata[kind], [text.slice(0, equals)]: text.slice(equals + 1) };
    }
  }
  return undefined;
};

/** The effect of `kubebuilder:resource`: names and scope. A later marker replaces the lists of an earlier one. */
const resource: CrdEffect<"kubebuilder:resource"> = (crd, _version, args) => {
  const { names } = crd.spec;
  if (args.path !== "") names.plural = args.path;
  if (args.singular !== "") names.singular = args.singular;
  delete names.shortNames;
  delete names.categories;
  if (args.shortName?.length) names.shortNames = args.shortName;
  if (args.categories?.length) names.categories = args.categories;
  crd.spec.scope = args.scope || "Namespaced";
  return undefined;
};

const statusSubresource: CrdEffect<"kubebuilder:subresource:status"> = (_crd, version) => {
  version.subresources = { ...version.subresources, status: {} };
  return undefined;
};

const scaleSubresource: CrdEffect<"kubebuilder:subresource:scale"> = (_crd, version, args) => {
  const { specpath, statuspath, selectorpath } = args;
  version.subresources = {
    ...version.subresources,
    scale: {
      specReplicasPath: specpath,
      statusReplicasPath: statuspath,
      ...(selectorpath === null ? {} : { labelSelectorPath: selectorpath }),
    },
  };
  return undefined;
};

const storageVersion: CrdEffect<"kubebuilder:storageversion"> = (_crd, version) => {
  version.storage = true;
  return undefined;
};

const unservedVersion: CrdEffect<"kubebuilder:unservedversion"> = (_crd, version) => {
  version.served = false;
  return undefined;
};

const deprecatedVersion: CrdEffect<"kubebuilder:deprecatedversion"> = (_crd, version, args) => {
  version.deprecated = true;
  const { warning } = args;
  if (warning === null) delete version.deprecationWarning;
  else version.deprecationWarning = warning;
  return undefined;
};

/** Applies a marker, with its unparsed value, to the CRD and to the version of the kind. Returns a message if it fails. */
type ApplyMarker = (crd: CustomResourceDefinition, version: CrdVersion, value: MarkerValue) => string | undefined;

function on<Name extends KnownMarker>(name: Name, effect: CrdEffect<Name>): readonly [Name, ApplyMarker] {
  return [name, (crd, version, value) => effect(crd, version, argumentsOf(name, value))];
}

/** The effect of each marker on the CRD of its kind, by the registry's name. */
export const crdEffects: ReadonlyMap<string, ApplyMarker> = new Map<string, ApplyMarker>([
  on("kubebuilder:resource", resource),
  on("kubebuilder:subresource:status", statusSubresource),
  on("kubebuilder:subresource:scale", scaleSubresource),
  on("kubebuilder:printcolumn", printColumn),
  on("kubebuilder:selectablefield", selectableField),
  on("kubebuilder:storageversion", storageVersion),
  on("kubebuilder:unservedversion", unservedVersion),
  on("kubebuilder:deprecatedversion", deprecatedVersion),
  on("kubebuilder:metadata", metadata),
]);

/** Removes a version from its CRD; applied last, because the version's other markers need it. */
export const skipVersionMarker = "kubebuilder:skipversion";
