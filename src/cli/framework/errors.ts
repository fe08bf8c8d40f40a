import type { ErrorId } from "../../diagnostics/errors/index.ts";

/** The ids without a row in the reference: for usage errors, interrupts, system errors and bugs, the message is sufficient. */
const plainIds = ["usage", "interrupted", "system", "internal"] as const;

/** Ends a command with a message on stderr. Commands throw no other errors on purpose. */
export class CliError extends Error {
  /** Stable, such as `bad-flag`; the diagnostic's id with `--json`. */
  readonly id: ErrorId | (typeof plainIds)[number];
  readonly exitCode: 1 | 2 | 130;
  /** How to fix the problem, printed below the message. */
  readonly hint?: string;

  constructor(exitCode: 1 | 2 | 130, id: CliError["id"], message: string, hint?: string) {
    super(exitCode === 2 ? withShortWords(message) : message);
    this.name = "CliError";
    this.exitCode = exitCode;
    this.id = id;
    this.hint = hint && exitCode === 2 ? withShortWords(hint) : hint;
  }

  /** Whether the error has a row in the reference. */
  get isExplained(): boolean {
    return !plainIds.some((id) => id === this.id);
  }
}

/** Shortens values of a call that would hide the rest of a message. */
function withShortWords(text: string): string {
  return text.replace(/(\S{57})\S{240,}?([:,]?)(?=\s|$)/g, "$1...$2");
}

/** Creates the error for a wrong call, with exit code 2. */
export function usageError(message: string, hint?: string): CliError {
  return new CliError(2, "usage", message, hint);
}

/** Creates the error for work that failed or that the project's state doesn't allow, with exit code 1. */
export function workError(id: ErrorId, message: string, hint?: string): CliError {
  return new CliError(1, id, message, hint);
}

/** Returns why a file can't be read: words for common error codes, otherwise the first line of the message. */
export function readFailure(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (code === "ENOENT") return "no such file";
  if (code === "EISDIR") return "it is a directory";
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return line === "" ? String(code ?? "unknown error") : line;
}

/** Creates the error for Ctrl-C or SIGTERM, with exit code 130. */
export function interrupted(): CliError {
  return new CliError(130, "interrupted", "interrupted, nothing was changed");
}

/** Further keys of the object that `--json` prints for an error. */
const fieldsOfErrors = new WeakMap<object, object>();

/** Adds keys to the object that `--json` prints for an error, and returns the error. */
export function withFields(error: unknown, fields: object): unknown {
  if (typeof error === "object" && error !== null) fieldsOfErrors.set(error, fields);
  return error;
}

/** Returns the added keys of an error. */
export function fieldsOf(error: unknown): object {
  return (typeof error === "object" && error !== null && fieldsOfErrors.get(error)) || {};
}
