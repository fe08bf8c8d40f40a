import type { MarkerEffects } from "./effects.ts";
import type { MarkerValue } from "./marker-value.ts";

/**
 * The target of a marker. `value` is a constant or a function, which no marker applies to; `option` is an option of
 * `scaffold generate`, which has the same grammar.
 */
export type MarkerTarget = "package" | "type" | "field" | "value" | "option";

/** The type of an argument; the same types as in controller-gen. */
export type ArgumentType =
  | { readonly kind: "string" | "number" | "bool" | "any" | "raw" }
  /** 64 bits by default; values that don't fit into 32 wrap around, as in controller-gen. */
  | { readonly kind: "int"; readonly bits?: 32 }
  | { readonly kind: "slice" | "map"; readonly item: ArgumentType };

/** One argument of a marker. The anonymous argument has the name `""`. */
export interface MarkerField {
  readonly name: string;
  readonly type: ArgumentType;
  readonly optional: boolean;
  /** If absent, the value is null instead of the zero value of the type. */
  readonly nullable: boolean;
  /** Exists in kubewright only, not in controller-gen. If absent, it has no value. */
  readonly extension?: true;
  readonly summary: string;
  readonly details?: string;
}

/** A parse error: `offset` counts code units from the start of the arguments. */
export interface MarkerProblem {
  readonly message: string;
  readonly offset: number;
}

export type ParseResult = { readonly value: MarkerValue } | { readonly problem: MarkerProblem };

/** Parses everything after the `=`, for markers with a grammar of their own. */
export type OwnParser = (args: string) => ParseResult;

export type MarkerForm = "empty" | "anonymous" | "named";

/** A registered marker, for one target. Immutable data. */
export interface MarkerDefinition extends MarkerEffects<MarkerValue> {
  readonly name: string;
  readonly target: MarkerTarget;
  readonly form: MarkerForm;
  readonly fields: readonly MarkerField[];
  readonly ownParser?: OwnParser;
  /** Whether `#` starts a comment. */
  readonly hasComments?: true;
  /** The name of the form for the elements of an array. */
  readonly itemsName?: string;
  /** For the elements of an array: the name of the form for the value itself. */
  readonly plainName?: string;
  /** Exists in kubewright only, not in controller-gen. */
  readonly extension?: true;
  /** Heading in the help; empty if the help doesn't list the marker. */
  readonly category: string;
  readonly summary: string;
  readonly details?: string;
  readonly deprecated: boolean;
  readonly replacedBy?: string;
}

/**
 * The maximum nesting of lists and maps in one argument. Each level costs stack and a look-ahead; real values have a few
 * levels.
 */
export const deepestArgument = 100;
