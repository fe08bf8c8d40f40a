import type { Severity } from "./definitions/entry.ts";
import type { DiagnosticId } from "./definitions/index.ts";

export type { Severity };

/**
 * A problem with the user's input. It is data and never thrown. Lines and columns count from 1; 0 means the whole file.
 * The generator uses the defined ids; commands have additional ones.
 */
export interface Diagnostic<Id extends string = DiagnosticId> {
  /** Stable and documented, such as `unknown-marker`. */
  readonly id: Id;
  readonly severity: Severity;
  readonly message: string;
  /** Absolute path. It is printed relative to the working directory with `/`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly hint?: string;
}
