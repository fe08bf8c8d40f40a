import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { exampleHint, type Marker, type SchemaContext, turns } from "../../markers/index.ts";
import type { JSONSchema } from "../model/json-schema.ts";
import { belongsOn } from "./belongs.ts";

/**
 * Applies the markers of a type or field to its schema, which is modified. Markers for the items of a list come last. Markers
 * that can't be applied are reported at their position.
 */
export function applyMarkers(
  schema: JSONSchema,
  markers: readonly Marker[],
  context: SchemaContext,
  report: (diagnostic: Diagnostic) => void,
): void {
  const effective = markers.filter(({ definition }) => definition.schema);
  // Array.sort is stable: markers of the same turn keep their source order.
  for (const marker of effective.sort((a, b) => turnOf(a) - turnOf(b))) {
    const message = applyMarker(schema, marker, context);
    if (message === undefined) continue;
    const hint = belongsOn(marker, schema, context) ?? exampleHint(marker.definition);
    report(misapplied(marker, message, hint));
  }
}

function turnOf({ definition: { turn = turns.usual, plainName } }: Marker): number {
  return plainName === undefined ? turn : turns.items + turn;
}

function applyMarker(schema: JSONSchema, marker: Marker, context: SchemaContext): string | undefined {
  const { definition, value } = marker;
  if (definition.plainName === undefined) return definition.schema?.(schema, value, context);
  if (schema.type !== "array" || !schema.items) {
    return `must apply ${marker.name} to an array value, found ${schema.type ?? "no type"}`;
  }
  schema.items = { ...schema.items };
  return definition.schema?.(schema.items, value, context);
}

function misapplied({ name, line }: Marker, problem: string, hint: string | undefined): Diagnostic {
  const { file, line: row, column } = line;
  const message = `+${name}: ${problem}`;
  return { id: "marker-not-applicable", severity: "error", message, file, line: row, column, hint };
}
