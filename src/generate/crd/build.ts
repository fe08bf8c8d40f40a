import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { CrdVersion, CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { pluralize } from "../../kubernetes/plural.ts";
import { byBytes } from "../../text/byte-order.ts";
import { exampleHint, type Marker } from "../markers/index.ts";
import { kindName } from "../packages/kind-name.ts";
import type { TypeNode } from "../packages/nodes.ts";
import type { JSONSchema } from "../schema/model/json-schema.ts";
import type { Position } from "../source/model.ts";

type Report = (diagnostic: Diagnostic) => void;

/**
 * Builds the CRD of a group-kind from the types that are its versions. Undefined if no version is left.
 *
 * @param schemaOf returns the complete schema of a version
 */
export function buildCrd(
  group: string,
  types: readonly TypeNode[],
  schemaOf: (type: TypeNode) => JSONSchema,
  report: Report,
): CustomResourceDefinition | undefined {
  const kind = types[0] === undefined ? "" : kindName(types[0]);
  const plural = pluralize(kind);
  const crd: CustomResourceDefinition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "" },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      scope: "Namespaced",
      versions: [],
    },
  };
  const versions = types.map((type) => ({ type, version: newVersion(type, schemaOf(type)) }));
  for (const { type, version } of versions) applyMarkers(crd, version, type.markers.all, report);
  const kept = versions.filter(({ type }) => !type.markers.all.some(({ definition }) => definition.skipsVersion));
  if (kept.length === 0) return undefined;
  crd.metadata.name = `${crd.spec.names.plural}.${group}`;
  crd.spec.versions = kept.map(({ version }) => version).sort((a, b) => byBytes(a.name, b.name));
  const first = kept[0]?.type.at;
  if (first) checkVersions(crd, first, report);
  return crd;
}

function newVersion(type: TypeNode, schema: JSONSchema): CrdVersion {
  return {
    name: type.package.version,
    served: true,
    storage: false,
    schema: { openAPIV3Schema: schema },
  };
}

function applyMarkers(
  crd: CustomResourceDefinition,
  version: CrdVersion,
  markers: readonly Marker[],
  report: Report,
): void {
  for (const marker of markers) {
    const message = marker.definition.crd?.(crd, version, marker.value);
    if (!message) continue;
    const { file, line, column } = marker.line;
    const [text, hint] = [`+${marker.name}: ${message}`, exampleHint(marker.definition)];
    report({ id: "marker-not-applicable", severity: "error", message: text, file, line, column, hint });
  }
}

function checkVersions(crd: CustomResourceDefinition, at: Position, report: Report): void {
  const { versions, names, group } = crd.spec;
  const [only, ...others] = versions;
  if (only && others.length === 0) only.storage = true;
  const label = group === "" ? names.kind : `${names.kind}.${group}`;
  const fail = (id: Diagnostic["id"], message: string, hint: string) =>
    report({ id, severity: "error", message, hint, ...at });
  const listed = versions.map((version) => version.name).join(", ");
  if (!versions.some((version) => version.storage)) {
    const message = `CRD for ${label} has no storage version`;
    fail("no-storage-version", message, `add +kubebuilder:storageversion to one of the versions ${listed}`);
  }
  if (!versions.some((version) => version.served)) {
    const message = `CRD for ${label} with version(s) ${listed} does not serve any version`;
    fail("no-served-version", message, "remove +kubebuilder:unservedversion from one of them");
  }
}
