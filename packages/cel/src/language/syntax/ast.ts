import type { Value } from "../values/value.ts";

/** A node of an expression. Its id is unique in the expression; positions of ids are in {@link ParsedExpression}. */
export type Expr = Literal | Ident | Select | Call | ListExpr | MapExpr | StructExpr | Comprehension;

/** A constant. */
export interface Literal {
  kind: "literal";
  id: number;
  value: Value;
}

/** A name. */
export interface Ident {
  kind: "ident";
  id: number;
  name: string;
}

/** The selection of a field; `test` if it comes from `has()`. */
export interface Select {
  kind: "select";
  id: number;
  operand: Expr;
  field: string;
  test: boolean;
}

/** A call of a function, an operator, or a method of `target`. */
export interface Call {
  kind: "call";
  id: number;
  target: Expr | undefined;
  fn: string;
  args: Expr[];
}

/** A list; `optional` has the indexes of elements with a leading `?`. */
export interface ListExpr {
  kind: "list";
  id: number;
  elements: Expr[];
  optional: ReadonlySet<number>;
}

/** A map. */
export interface MapExpr {
  kind: "map";
  id: number;
  entries: { id: number; key: Expr; value: Expr; optional: boolean }[];
}

/** An object of a named type. */
export interface StructExpr {
  kind: "struct";
  id: number;
  name: string;
  fields: { id: number; name: string; value: Expr; optional: boolean }[];
}

/** A fold over a list or a map, the expansion of macros such as `all`. */
export interface Comprehension {
  kind: "comprehension";
  id: number;
  range: Expr;
  iterVar: string;
  iterVar2: string | undefined;
  accuVar: string;
  accuInit: Expr;
  condition: Expr;
  step: Expr;
  result: Expr;
}

/** The result of parsing. */
export interface ParsedExpression {
  source: string;
  expr: Expr;
  /** Offsets in code points, by id. */
  positions: number[];
}

/** The name of the accumulator of macros, which no expression can contain. */
export const accumulator = "@result";
