import type { KnownTypes } from "./known-types.ts";
import type { Bindings, SourceFile, Target, TypeExpr } from "./model.ts";
import type { Resolved } from "./resolve.ts";

/** The interface to a TypeScript compiler, with everything that the generator needs. */
export interface SourceReader {
  /** Reads `text` as the file `path`. */
  parse(path: string, text: string): SourceFile;
  /** Creates the type checker of a run. It is loaded for the first expression. */
  createChecker(input: CheckerInput): Checker;
}

/** Resolves types that syntax alone can't resolve. */
export interface Checker {
  check(expr: TypeExpr, scope: Bindings): Checked;
}

/** The type checker's result for an expression, in which names are kept if possible; or the reason why there is none. */
export type Checked = { readonly expr: TypeExpr } | { readonly problem: string };

/** The run that a type checker works for. */
export interface CheckerInput {
  /** The paths of all files that the run has read so far. */
  readonly known: () => Iterable<string>;
  readonly file: (path: string) => SourceFile | undefined;
  readonly textOf: (path: string) => string | undefined;
  readonly resolve: (target: Target, space?: "type" | "value") => Resolved;
  readonly locate: (from: string, specifier: string) => string | undefined;
  readonly types: KnownTypes;
}
