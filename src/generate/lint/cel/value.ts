import type { DeclType, Kind } from "./decl-type.ts";

/** A part of an expression. Costs and sizes are never higher than the API server's. */
export interface CelValue {
  /** The maximum cost that the API server assumes for evaluating it. */
  readonly cost: number;
  /** The maximum number of characters, bytes or elements that the API server assumes; Infinity if it can't bound them. */
  readonly size: number;
  /** Undefined if the type isn't certain. */
  readonly type?: DeclType;
  /**
   * How the API server determines sizes inside the value. "declared": from the schema. "lost": not at all, so it assumes the
   * maximum. "unclear": in ways that aren't modeled here.
   */
  readonly below: "declared" | "lost" | "unclear";
}

const scalars: readonly Kind[] = ["bool", "double", "duration", "int", "timestamp"];

/** Returns whether all values of a kind count as one unit. */
export function isScalar(type: DeclType | undefined): boolean {
  return type !== undefined && scalars.includes(type.kind);
}

/** Returns a value with only a known cost. */
export function unclear(cost: number): CelValue {
  return { cost, size: 0, below: "unclear" };
}

/** Returns the result of an operation: it has a type, but no schema. */
export function computed(cost: number, kind: Kind, size: number): CelValue {
  return { cost, size, type: { kind, max: 0, least: 0 }, below: "unclear" };
}

/** Returns a part of a value, such as a field. `declared` is undefined if its type isn't certain. */
export function partOf(whole: CelValue, cost: number, declared: DeclType | undefined, isFollowed = true): CelValue {
  if (!declared) return unclear(cost);
  const below = whole.below === "declared" && !isFollowed ? "lost" : whole.below;
  const size = { declared: declared.max, lost: isScalar(declared) ? 1 : Number.POSITIVE_INFINITY, unclear: 0 }[below];
  return { cost, size, type: declared, below };
}

/** Multiplies; 0 times an infinite value is 0. */
export function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

/** Returns the cost of reading a string: a tenth of its length. */
export function traversal(size: number, rounds = 1): number {
  return Math.ceil(times(size, rounds * 0.1));
}
