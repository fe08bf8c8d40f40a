import type { ts } from "ts-morph";
import type { Position, TypeExpr } from "../model.ts";
import type { Printed } from "../print.ts";
import type { Tags } from "./tags.ts";

/** What an expression comes to; its names are still names where that is possible. Or why it comes to nothing. */
export type Checked = { readonly expr: TypeExpr } | { readonly problem: string };

/** What a question was printed from. */
export interface Origin {
  /** The file that it stands beside. */
  readonly home: ts.SourceFile;
  /** Where the printed expression begins. */
  readonly start: number;
  readonly expr: TypeExpr;
  readonly printed: Printed;
}

/** What is needed to turn a type of the checker into an expression. */
export interface ConvertContext {
  readonly compiler: typeof ts;
  readonly checker: ts.TypeChecker;
  readonly tags: Tags;
  readonly origins: ReadonlyMap<ts.SourceFile, Origin>;
  /** Called for each expression of the answer; throws when there are too many. */
  readonly count: () => void;
  /** Where the question stands; so do all parts of the answer. */
  readonly at: Position;
}
