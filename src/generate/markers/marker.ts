import type { MarkerDefinition } from "./definition.ts";
import type { MarkerValue } from "./marker-value.ts";

/** One comment line (or option of the command line) that may hold a marker, as the source reader found it. */
export interface MarkerLine {
  /** From the `+` on, to the end of the line. */
  readonly text: string;
  /** Absolute path. */
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  /** Column of the `+`, in UTF-16 code units, from 1. */
  readonly column: number;
}

/** A marker that was found, known for its target, and well-formed. */
export interface Marker {
  /** The registry's name, such as `kubebuilder:validation:Minimum`. */
  readonly name: string;
  readonly definition: MarkerDefinition;
  /** Anonymous markers: the value. Named ones: an object with every argument of the definition. Empty ones: `{}`. */
  readonly value: MarkerValue;
  readonly line: MarkerLine;
  /** Where the value of each argument that was given begins, in code units from the `+`. */
  readonly places: ReadonlyMap<string, number>;
}

/** The place of an argument's value, for a finding about it; of the marker if the argument was not given. */
export function argumentPlace(
  { line: { file, line, column }, places }: Marker,
  name: string,
): { readonly file: string; readonly line: number; readonly column: number } {
  return { file, line, column: column + (places.get(name) ?? 0) };
}

/** The markers of one package, type or field, in source order. */
export interface MarkerValues {
  readonly all: readonly Marker[];
  /** Every marker of this name, in source order. */
  get(name: string): readonly Marker[];
  /** The first of its name: what readers of single values take. */
  first(name: string): Marker | undefined;
  has(name: string): boolean;
}

/** Arranges markers for look-ups by name. */
export function markerValues(all: readonly Marker[]): MarkerValues {
  const byName = new Map<string, Marker[]>();
  for (const marker of all) {
    const same = byName.get(marker.name);
    if (same) same.push(marker);
    else byName.set(marker.name, [marker]);
  }
  return {
    all,
    get: (name) => byName.get(name) ?? [],
    first: (name) => byName.get(name)?.[0],
    has: (name) => byName.has(name),
  };
}
