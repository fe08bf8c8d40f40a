import type { Severity } from "./catalogue/entry.ts";
import type { DiagnosticId } from "./catalogue/index.ts";

export type { Severity };

/**
 * One finding about the user's input: data, never thrown. Lines and columns count from 1; 0 means the whole file.
 * The ids of the generator are those of the catalogue; commands have more.
 */
export interface Diagnostic<Id extends string = DiagnosticId> {
  /** Stable and documented, such as `unknown-marker`. */
  readonly id: Id;
  readonly severity: Severity;
  readonly message: string;
  /** Absolute while it travels; printed relative to the working directory with `/`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly hint?: string;
}
