import type { DeclType, Kind } from "./decl-type.ts";

/** What is known of a part of an expression. Costs and sizes are never more than what the API server counts. */
export interface CelValue {
  /** What the API server counts for working it out, at most. */
  readonly cost: number;
  /** The most characters, bytes or elements that the API server expects; Infinity where it has no idea. */
  readonly size: number;
  /** Undefined where the type isn't certain. */
  readonly type?: DeclType;
  /**
   * How the API server finds sizes below: as the schema says, not at all (it expects the worst then), or in ways that aren't
   * followed here.
   */
  readonly below: "declared" | "lost" | "unclear";
}

const scalars: readonly Kind[] = ["bool", "double", "duration", "int", "timestamp"];

/** Reports whether all values of a kind count as one unit. */
export function isScalar(type: DeclType | undefined): boolean {
  return type !== undefined && scalars.includes(type.kind);
}

/** Something of which only the cost is known. */
export function unclear(cost: number): CelValue {
  return { cost, size: 0, below: "unclear" };
}

/** The result of an operation that has its type, but no place in the schema. */
export function computed(cost: number, kind: Kind, size: number): CelValue {
  return { cost, size, type: { kind, max: 0, least: 0 }, below: "unclear" };
}

/** A part of a value, such as a field. `declared` is undefined where its type isn't certain. */
export function partOf(whole: CelValue, cost: number, declared: DeclType | undefined, isFollowed = true): CelValue {
  if (!declared) return unclear(cost);
  const below = whole.below === "declared" && !isFollowed ? "lost" : whole.below;
  const size = { declared: declared.max, lost: isScalar(declared) ? 1 : Number.POSITIVE_INFINITY, unclear: 0 }[below];
  return { cost, size, type: declared, below };
}

/** Multiplies; what happens never costs nothing, however much it were. */
export function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

/** The units for going through a text, which counts a tenth of its length. */
export function traversal(size: number, rounds = 1): number {
  return Math.ceil(times(size, rounds * 0.1));
}
