import type { MarkerValue } from "./marker-value.ts";

/**
 * What a marker can stand on. `value` is a constant or a function, which no marker is made for; `option` is the
 * generator's command line, which speaks the same grammar.
 */
export type MarkerTarget = "package" | "type" | "field" | "value" | "option";

/** The type of an argument; controller-gen's own set. */
export type ArgumentType =
  | { readonly kind: "string" | "number" | "bool" | "any" | "raw" }
  /** 64 bits unless it says 32; what doesn't fit into 32 wraps around, as in the reference. */
  | { readonly kind: "int"; readonly bits?: 32 }
  | { readonly kind: "slice" | "map"; readonly item: ArgumentType };

/** One argument of a marker. The anonymous argument has the name `""`. */
export interface MarkerField {
  readonly name: string;
  readonly type: ArgumentType;
  readonly optional: boolean;
  /** Absent is null, not the zero value of the type. */
  readonly nullable: boolean;
  /** Ours: controller-gen doesn't know it. Absent has no value at all, so that the rest reads as there. */
  readonly extension?: true;
  readonly summary: string;
  readonly details?: string;
}

/** Where a parse went wrong: `offset` counts code units from the start of the arguments. */
export interface MarkerProblem {
  readonly message: string;
  readonly offset: number;
}

export type ParseResult = { readonly value: MarkerValue } | { readonly problem: MarkerProblem };

/** Reads everything after the `=` for markers that don't follow the common grammar. */
export type OwnParser = (args: string, writtenName: string) => ParseResult;

export type MarkerForm = "empty" | "anonymous" | "named";

/** A marker as the registry knows it, for one target. Plain and frozen: what it does to a schema is not here. */
export interface MarkerDefinition {
  readonly name: string;
  readonly target: MarkerTarget;
  readonly form: MarkerForm;
  readonly fields: readonly MarkerField[];
  readonly ownParser?: OwnParser;
  /** Heading under which help lists it; empty: known, but left out of the lists. */
  readonly category: string;
  readonly summary: string;
  readonly details?: string;
  readonly deprecated: boolean;
  readonly replacedBy?: string;
}

/** Levels of lists and maps in one argument. Values that people write have a few; each level costs stack and a look ahead. */
export const deepestArgument = 100;
