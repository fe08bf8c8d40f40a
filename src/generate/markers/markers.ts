import { crdMarkers } from "./definitions/crd.ts";
import { defineMarkers, type EntryArguments } from "./definitions/define.ts";
import { fieldMarkers } from "./definitions/field.ts";
import { goOnlyMarkers } from "./definitions/go-only.ts";
import { identityMarkers } from "./definitions/identity.ts";
import { limitMarkers } from "./definitions/limits.ts";
import { policyMarkers } from "./definitions/policy.ts";
import { processingMarkers } from "./definitions/processing.ts";
import { rbacMarkers } from "./definitions/rbac.ts";
import { ruleMarkers } from "./definitions/validation-rules.ts";
import { valueMarkers } from "./definitions/validation-values.ts";
import { webhookMarkers } from "./definitions/webhook.ts";
import type { MarkerValue } from "./model/marker-value.ts";
import { createRegistry, type Registry } from "./registry.ts";

/** All markers. To add a marker, add an entry in one of the files of `definitions/`. */
const entries = [
  ...identityMarkers,
  ...goOnlyMarkers,
  ...crdMarkers,
  ...limitMarkers,
  ...valueMarkers,
  ...ruleMarkers,
  ...fieldMarkers,
  ...processingMarkers,
  ...policyMarkers,
  ...rbacMarkers,
  ...webhookMarkers,
] as const;

/** The registry of all markers. */
export const markerRegistry: Registry = createRegistry(defineMarkers(entries));

type WithLiteralName<Entry> = Entry extends { readonly name: infer Name }
  ? string extends Name
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
