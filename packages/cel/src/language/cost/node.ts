import type { Type } from "../declarations/type.ts";
import type { Expr } from "../syntax/ast.ts";
import type { Range } from "./range.ts";

/** Returns the largest size of the value at a path, or undefined if the path isn't bounded. */
export type SizeOfPath = (path: readonly string[]) => number | undefined;

/** A node as the estimates of functions see it. */
export interface SizedNode {
  expr: Expr | undefined;
  type: Type;
  path: readonly string[];
  /** The size if the expression shows it. */
  size: Range | undefined;
}

/** The estimate of a call without its arguments. */
export interface CallEstimate {
  cost: Range;
  size?: Range;
}
