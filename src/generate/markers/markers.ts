import { crdMarkers } from "./catalogue/crd.ts";
import { defineMarkers, type EntryArguments } from "./catalogue/define.ts";
import { fieldMarkers } from "./catalogue/field.ts";
import { goOnlyMarkers } from "./catalogue/go-only.ts";
import { identityMarkers } from "./catalogue/identity.ts";
import { limitMarkers } from "./catalogue/limits.ts";
import { optionMarkers } from "./catalogue/options.ts";
import { processingMarkers } from "./catalogue/processing.ts";
import { rbacMarkers } from "./catalogue/rbac.ts";
import { ruleMarkers } from "./catalogue/validation-rules.ts";
import { valueMarkers } from "./catalogue/validation-values.ts";
import { webhookMarkers } from "./catalogue/webhook.ts";
import type { MarkerValue } from "./marker-value.ts";
import { createRegistry, type Registry } from "./registry.ts";

/** All markers and options. To add a marker, add an entry in one of the files of `catalogue/`. */
const entries = [
  ...identityMarkers,
  ...crdMarkers,
  ...limitMarkers,
  ...valueMarkers,
  ...ruleMarkers,
  ...fieldMarkers,
  ...processingMarkers,
  ...rbacMarkers,
  ...webhookMarkers,
  ...goOnlyMarkers,
  ...optionMarkers,
] as const;

/** The registry of all markers and options. */
export const markerRegistry: Registry = createRegistry(defineMarkers(entries));

type WithLiteralName<Entry> = Entry extends { readonly name: string }
  ? string extends Entry["name"]
    ? never
    : Entry
  : never;
type Entry = WithLiteralName<(typeof entries)[number]>;

/** The names of markers whose arguments have static types. */
export type KnownMarker = Entry["name"];

/** The named arguments of a marker. */
export type MarkerArguments<Name extends KnownMarker> = EntryArguments<Extract<Entry, { readonly name: Name }>>;

/**
 * Returns the named arguments of a marker. The parser guarantees their types.
 *
 * @param _name - name of the marker, which determines the types
 * @param value - value of the marker
 */
export function argumentsOf<Name extends KnownMarker>(_name: Name, value: MarkerValue): MarkerArguments<Name> {
  return value as MarkerArguments<Name>;
}
