import { definitions } from "../../diagnostics/definitions/index.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { argumentPlace, type Marker } from "../markers/index.ts";
import type { TypeNode } from "../packages/nodes.ts";
import type { Position } from "../source/model.ts";
import { findMatchingMarker } from "./find-marker.ts";
import type { Finding } from "./model/finding.ts";
import { pathOf, pathText, type Site } from "./model/site.ts";
import { findSource, type SchemaSource, type SourceMapInput } from "./source-map.ts";

/** Converts a finding in a schema to a diagnostic; undefined if it concerns a type that isn't the user's. */
export function locateInSchema(finding: Finding, site: Site, input: SourceMapInput): Diagnostic | undefined {
  const path = pathOf(site);
  const place = findSource(site.kind.type, path, input);
  const marker = findMarker(finding, place);
  if (marker) return diagnostic(finding, argumentPlace(marker, finding.argument ?? ""));
  if (place.foreign) return undefined;
  const at = place.field?.at ?? place.types[0]?.at ?? site.kind.type.at;
  const message = place.exact ? finding.message : `${finding.message} (at ${pathText(path)} of ${site.kind.type.name})`;
  return diagnostic({ ...finding, message }, at);
}

/**
 * Converts a finding about a whole kind to a diagnostic. Undefined if its marker is on another version of the kind, which has the
 * finding too.
 */
export function locateOnKind(
  finding: Finding,
  type: TypeNode,
  versions: readonly TypeNode[] = [],
): Diagnostic | undefined {
  const markerOn = (typeNode: TypeNode) =>
    findMarker(finding, { types: [typeNode], ofItems: false, exact: true, foreign: false });
  const marker = markerOn(type);
  if (!marker && versions.some((version) => version !== type && markerOn(version))) return undefined;
  return diagnostic(finding, marker ? argumentPlace(marker, finding.argument ?? "") : type.at);
}

function diagnostic({ id, message, hint }: Finding, { file, line, column }: Position): Diagnostic {
  return { id, severity: definitions[id].severity, message, file, line, column, hint };
}

function findMarker(finding: Finding, { field, types, ofItems }: SchemaSource): Marker | undefined {
  for (const forItems of ofItems ? [true, false] : [false]) {
    for (const { markers } of field ? [field, ...types] : types) {
      const marker = findMatchingMarker(markers, finding, forItems);
      if (marker) return marker;
    }
  }
  return undefined;
}
