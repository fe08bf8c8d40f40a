import type { ErrorId } from "../diagnostics/errors/index.ts";

/** The ids without a row in the reference: of wrong calls, of Ctrl-C, of what the system refuses, and of bugs the message says all. */
const plainIds = ["usage", "interrupted", "system", "internal"] as const;

/** Ends a command with a message on stderr. The only errors a command throws on purpose. */
export class CliError extends Error {
  /** Stable, such as `bad-flag`; the diagnostic's id with `--json`. */
  readonly id: ErrorId | (typeof plainIds)[number];
  readonly exitCode: 1 | 2 | 130;
  /** What to do about it, printed below the message. */
  readonly hint?: string;

  constructor(exitCode: 1 | 2 | 130, id: CliError["id"], message: string, hint?: string) {
    super(message);
    this.name = "CliError";
    this.exitCode = exitCode;
    this.id = id;
    this.hint = hint;
  }

  /** Whether the reference of errors explains it. */
  get isExplained(): boolean {
    return !plainIds.some((id) => id === this.id);
  }
}

/** The command was called wrongly: exit code 2. */
export function usageError(message: string, hint?: string): CliError {
  return new CliError(2, "usage", message, hint);
}

/** The state of things refuses the work, or the work failed: exit code 1. */
export function workError(id: ErrorId, message: string, hint?: string): CliError {
  return new CliError(1, id, message, hint);
}

/** Ctrl-C or SIGTERM: exit code 130. */
export function interrupted(): CliError {
  return new CliError(130, "interrupted", "interrupted, nothing was changed");
}
