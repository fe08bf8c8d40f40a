import type { Severity } from "./definitions/entry.ts";
import type { DiagnosticId } from "./definitions/index.ts";

export type { Severity };

/** A replacement of text in a file. Lines and columns count from 1, and the end is exclusive. */
export interface TextEdit {
  /** As in the diagnostic. */
  readonly file: string;
  readonly line: number;
  /** In UTF-16 code units. */
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly text: string;
}

/** A change of the user's code that fixes a problem. */
export interface Fix {
  /** Such as `Replace Minimun with Minimum`. */
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** A problem, as commands print it with `--json`. */
export interface ReportedDiagnostic {
  /** Stable and documented, such as `unknown-marker`. */
  readonly id: string;
  readonly severity: Severity;
  readonly message: string;
  /** Path, which commands print relative to the working directory, with `/`. Empty without a file. */
  readonly file: string;
  /** From 1; 0 means the whole file. */
  readonly line: number;
  /** From 1, in UTF-16 code units; 0 means the whole line. */
  readonly column: number;
  readonly hint?: string;
  /** Changes of the code that fix the problem. `scaffold generate --fix` applies the only one of a diagnostic. */
  readonly fixes?: readonly Fix[];
}

/**
 * A problem with the user's input. It is data and never thrown. The generator uses the defined ids; commands have additional ones.
 */
export interface Diagnostic<Id extends string = DiagnosticId> extends ReportedDiagnostic {
  readonly id: Id;
}
