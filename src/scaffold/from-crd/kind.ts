import { regularPlural } from "../../project/resource.ts";
import { stringLiteral } from "../../text/typescript.ts";
import type { Crd, CrdVersion } from "./document.ts";
import { word } from "./markers.ts";

/** Returns the markers of a kind, for the parts of its CRD outside of the schema. */
export function kindMarkers(crd: Crd, version: CrdVersion): string[] {
  const { subresources = {}, additionalPrinterColumns = [], selectableFields = [] } = version;
  const { scale } = subresources;
  return [
    "+kubebuilder:object:root=true",
    ...(version.storage && crd.spec.versions.length > 1 ? ["+kubebuilder:storageversion"] : []),
    ...(version.served ? [] : ["+kubebuilder:unservedversion"]),
    ...deprecated(version),
    ...(subresources.status === undefined ? [] : ["+kubebuilder:subresource:status"]),
    ...(scale === undefined
      ? []
      : [
          call("+kubebuilder:subresource:scale", {
            specpath: scale.specReplicasPath,
            statuspath: scale.statusReplicasPath,
            selectorpath: scale.labelSelectorPath,
          }),
        ]),
    ...resourceMarker(crd),
    ...metadataMarkers(crd),
    ...additionalPrinterColumns.map(({ name, type, jsonPath, description, format, priority }) => {
      const number = priority === undefined || priority === 0 ? "" : `,priority=${priority}`;
      return call("+kubebuilder:printcolumn", { name, type, JSONPath: jsonPath, description, format }) + number;
    }),
    ...selectableFields.map(({ jsonPath }) => call("+kubebuilder:selectablefield", { JSONPath: jsonPath })),
  ];
}

/** Describes the parts of a CRD outside of its schemas that no marker can express. */
export function kindNotes(crd: Crd): string[] {
  const { names, conversion, preserveUnknownFields } = crd.spec;
  return [
    ...(names.listKind === undefined || names.listKind === `${names.kind}List`
      ? []
      : [`spec.names.listKind is ${names.listKind}; it becomes ${names.kind}List`]),
    ...(conversion?.strategy === "Webhook"
      ? ["spec.conversion calls a webhook; scaffold create webhook --conversion makes one"]
      : []),
    ...(preserveUnknownFields === true ? ["spec.preserveUnknownFields is true; unknown fields will be dropped"] : []),
  ];
}

function deprecated({ deprecated: is, deprecationWarning }: CrdVersion): string[] {
  if (is !== true) return [];
  return deprecationWarning === undefined
    ? ["+kubebuilder:deprecatedversion"]
    : [call("+kubebuilder:deprecatedversion", { warning: deprecationWarning })];
}

function resourceMarker(crd: Crd): string[] {
  const { kind, plural, singular, shortNames = [], categories = [] } = crd.spec.names;
  const list = (name: string, values: readonly string[]) =>
    values.length === 0 ? [] : [`${name}=${values.map(word).join(";")}`];
  const parts = [
    ...(plural === regularPlural(kind) ? [] : [`path=${word(plural)}`]),
    ...(singular === undefined || singular === kind.toLowerCase() ? [] : [`singular=${word(singular)}`]),
    ...list("shortName", shortNames),
    ...list("categories", categories),
    ...(crd.spec.scope === "Cluster" ? ["scope=Cluster"] : []),
  ];
  return parts.length === 0 ? [] : [`+kubebuilder:resource:${parts.join(",")}`];
}

/** Annotations about the creation of a CRD, which aren't part of its content. */
const passing = /^(controller-gen\.kubebuilder\.io\/version|kubectl\.kubernetes\.io\/last-applied-configuration)$/;

function metadataMarkers({ metadata }: Crd): string[] {
  const list = (name: string, values: Readonly<Record<string, string>> = {}) => {
    const pairs = Object.entries(values ?? {}).filter(([key]) => !passing.test(key));
    return pairs.length === 0
      ? []
      : [`${name}=${pairs.map(([key, value]) => stringLiteral(`${key}=${value}`)).join(";")}`];
  };
  const parts = [...list("labels", metadata.labels), ...list("annotations", metadata.annotations)];
  return parts.length === 0 ? [] : [`+kubebuilder:metadata:${parts.join(",")}`];
}

function call(marker: string, values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  return `${marker}:${given.map(([name, value]) => `${name}=${stringLiteral(String(value))}`).join(",")}`;
}
