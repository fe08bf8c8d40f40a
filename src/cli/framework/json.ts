import type { ReportedDiagnostic } from "../../diagnostics/diagnostic.ts";

/** A file of a generator, and its change. */
export interface FileAction {
  /** Relative to the working directory, with `/`. */
  readonly path: string;
  readonly action: "create" | "update" | "delete" | "unchanged";
}

/** A change of a file. */
export interface OperationSummary {
  readonly op: "create" | "update" | "delete";
  /** Relative to the project, with `/`. */
  readonly path: string;
}

/** A command that failed. */
export interface Failed {
  /** The reasons. Paths are relative to the working directory. */
  readonly diagnostics: readonly ReportedDiagnostic[];
}

/** The changes of a command that scaffolds. */
export interface Changes {
  /** Changed files; with `--dry-run`, those that would be changed. */
  readonly operations: readonly OperationSummary[];
  /** Remaining steps, and files of the user that were kept. */
  readonly notes?: readonly string[];
  /** Conflicts between the templates and your edits. */
  readonly diagnostics?: readonly ReportedDiagnostic[];
}

/** A dry run of a command that runs programs. */
export interface Calls {
  readonly operations: readonly OperationSummary[];
  /** The programs that would run, as lines for a shell. */
  readonly calls: readonly string[];
}

/** The result of a generator. */
export interface Generated {
  readonly diagnostics: readonly ReportedDiagnostic[];
  readonly files: readonly FileAction[];
  /** With `--dry-run`: the files that would be changed. */
  readonly operations?: readonly OperationSummary[];
}
