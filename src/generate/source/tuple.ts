import type { Position, TupleMode, TupleType, TypeExpr } from "./model.ts";

/** An element of a tuple and its form. */
export interface TupleElement {
  readonly type: TypeExpr;
  readonly mode: TupleMode;
}

/** Creates a tuple. */
export function tupleOf(elements: readonly TupleElement[], at: Position): TupleType {
  const modes = elements.map(({ mode }) => mode);
  return {
    kind: "tuple",
    elements: elements.map(({ type }) => type),
    ...(modes.some((mode) => mode !== "required") ? { modes } : {}),
    at,
  };
}
