export { collectMarkers } from "./collector.ts";
export type { ArgumentType, MarkerDefinition, MarkerField, MarkerForm, MarkerTarget } from "./definition.ts";
export { argumentPlace, type Marker, type MarkerLine, type MarkerValues, markerValues } from "./marker.ts";
export type { MarkerValue } from "./marker-value.ts";
export { argumentsOf, type KnownMarker, type MarkerArguments, markerRegistry } from "./markers.ts";
export type { Registry } from "./registry.ts";
export { type UnknownMarkers, unknownMarkerLevels, withUnknownAsWarning } from "./unknown-markers.ts";
