import type { Random } from "../../../scripts/test-support/random.ts";
import { typesIn } from "../facets.ts";
import type { Case, Comments, Type } from "../model.ts";
import { fieldMarkers, sharedMarkers, withoutRivals } from "./field-markers.ts";

const facets = ["string", "integer", "number", "boolean", "array", "object"] as const;

/**
 * Adds markers in places where they may be invalid: both tools must accept or reject them. Skips references, because we
 * resolve more of them than the reference.
 */
export function addMisfits(random: Random, api: Case): void {
  const places: { comments: Comments; isField: boolean }[] = [];
  for (const declaration of api.packages.flatMap((each) => each.declarations)) {
    if (declaration.kind === "struct") {
      const plain = declaration.fields.filter((field) => !field.union && isPlain(field.type));
      for (const comments of plain) places.push({ comments, isField: true });
    } else if (!declaration.values && typesIn(declaration).every(isPlain)) {
      places.push({ comments: declaration, isField: false });
    }
  }
  if (places.length === 0) return;
  const place = random.pick(places);
  const facet = random.pick(facets);
  const all = sharedMarkers(random, facet, random.pick(facets));
  if (place.isField) all.push(...fieldMarkers(random, facet, false));
  if (all.length > 0) place.comments.markers = withoutRivals([...place.comments.markers, random.pick(all)]);
}

function isPlain(type: Type): boolean {
  if (type.kind === "list" || type.kind === "map") return isPlain(type.of) && type.kind !== "map";
  return type.kind === "scalar" && type.name !== "bytes";
}
