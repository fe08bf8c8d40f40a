import type { ts } from "ts-morph";
import type { Position, TypeExpr } from "../model.ts";
import type { Printed } from "../print.ts";
import type { Tags } from "./tags.ts";

/** The source of a question. */
export interface Origin {
  /** The file that the question belongs to. */
  readonly home: ts.SourceFile;
  /** The offset at which the printed expression begins. */
  readonly start: number;
  readonly expr: TypeExpr;
  readonly printed: Printed;
}

/** The context for converting a type of the checker to an expression. */
export interface ConvertContext {
  readonly checker: ts.TypeChecker;
  readonly tags: Tags;
  readonly origins: ReadonlyMap<ts.SourceFile, Origin>;
  /** Called for each expression of the result; throws if there are too many. */
  readonly count: () => void;
  /** The position of the question, and of all parts of the result. */
  readonly at: Position;
}
