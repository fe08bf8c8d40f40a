import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import type { Marker } from "../../markers/index.ts";
import type { JSONSchema } from "../json-schema.ts";
import { belongsOn } from "./belongs.ts";
import type { ApplyContext, Effect } from "./effect.ts";
import { itemsPrefix, schemaEffects } from "./effects.ts";

/**
 * Applies the markers of a type or field to its schema, which is modified. Markers for the items of a list come last. Markers
 * that can't be applied are reported at their position.
 */
export function applyMarkers(
  schema: JSONSchema,
  markers: readonly Marker[],
  place: Omit<ApplyContext, "markerName">,
  report: (diagnostic: Diagnostic) => void,
): void {
  const known = markers.flatMap((marker) => {
    const effect = schemaEffects.get(marker.name);
    return effect ? [{ marker, effect, forItems: marker.name.startsWith(itemsPrefix) }] : [];
  });
  // Array.sort is stable: markers of the same turn keep their source order.
  const ordered = known.sort((a, b) => Number(a.forItems) - Number(b.forItems) || a.effect.turn - b.effect.turn);
  for (const { marker, effect, forItems } of ordered) {
    const message = forItems
      ? applyToItems(schema, marker, effect, place)
      : effect.apply(schema, marker.value, { ...place, markerName: marker.name });
    if (message !== undefined) report(misapplied(marker, message, belongsOn(marker, schema, place)));
  }
}

function applyToItems(
  schema: JSONSchema,
  marker: Marker,
  effect: Effect,
  place: Omit<ApplyContext, "markerName">,
): string | undefined {
  if (schema.type !== "array" || !schema.items) {
    return `must apply ${marker.name} to an array value, found ${schema.type ?? ""}`;
  }
  schema.items = { ...schema.items };
  return effect.apply(schema.items, marker.value, { ...place, markerName: marker.name });
}

function misapplied({ name, line }: Marker, problem: string, hint: string | undefined): Diagnostic {
  const { file, line: row, column } = line;
  const message = `+${name}: ${problem}`;
  const fixHint = hint === undefined ? {} : { hint };
  return { id: "marker-not-applicable", severity: "error", message, file, line: row, column, ...fixHint };
}
