import type { MarkerDefinition } from "./model/definition.ts";
import type { MarkerValue } from "./model/marker-value.ts";

/** A comment line (or command-line option) that may contain a marker, as the source reader found it. */
export interface MarkerLine {
  /** From the `+` to the end of the line. */
  readonly text: string;
  /** Absolute path. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** Column of the `+`, in UTF-16 code units, 1-based. */
  readonly column: number;
}

/** A well-formed marker that is registered for its target. */
export interface Marker {
  /** The registry's name, such as `kubebuilder:validation:Minimum`. */
  readonly name: string;
  readonly definition: MarkerDefinition;
  /** Anonymous markers: the value. Named markers: an object with all arguments of the definition. Empty markers: `{}`. */
  readonly value: MarkerValue;
  readonly line: MarkerLine;
  /** The offset of the value of each given argument, in code units from the `+`. */
  readonly places: ReadonlyMap<string, number>;
}

/** Returns the position of an argument's value; that of the marker if the argument is absent. */
export function argumentPlace(
  { line: { file, line, column }, places }: Marker,
  name: string,
): { readonly file: string; readonly line: number; readonly column: number } {
  return { file, line, column: column + (places.get(name) ?? 0) };
}

/** The markers of one package, type or field, in source order. */
export interface MarkerValues {
  readonly all: readonly Marker[];
  /** Returns all markers with this name, in source order. */
  get(name: string): readonly Marker[];
  /** Returns the first marker with this name. */
  first(name: string): Marker | undefined;
  has(name: string): boolean;
}

/** Indexes markers by name. */
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
