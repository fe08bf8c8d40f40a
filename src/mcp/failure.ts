import type { ReportedDiagnostic } from "../diagnostics/diagnostic.ts";
import type { ErrorId } from "../diagnostics/errors/index.ts";
import { terminalText } from "../text/terminal.ts";
import { beginning } from "./limit.ts";

/** A call that failed, with the id and the hint of the error. */
export class Failure extends Error {
  readonly id: string;
  readonly hint: string | undefined;

  /**
   * @param id - the id in the reference of errors
   * @param message - the error in one line
   * @param hint - how to fix it
   */
  constructor(id: ErrorId | "usage" | "internal", message: string, hint?: string) {
    super(message);
    this.id = id;
    this.hint = hint;
  }
}

/** Creates the failure of a command from its first diagnostic. */
export function failureOf(diagnostics: readonly ReportedDiagnostic[] | undefined): Failure {
  const { id, message, hint } = diagnostics?.[0] ?? { id: "internal", message: "the command failed without a reason" };
  return new Failure(id as ErrorId, message, hint);
}

/** Both together are shorter than the longest text of a result. */
const longestMessage = 20_000;
const longestHint = 4000;

/** Returns the text of an error, as on the command line. */
export function failureText(error: unknown): string {
  const { id = "internal", hint } = error as Partial<Failure>;
  const message = error instanceof Error ? error.message : String(error);
  const shown = beginning(terminalText(message), longestMessage);
  return `error: ${shown} [${id}]${hint === undefined ? "" : `\n  hint: ${beginning(terminalText(hint), longestHint)}`}`;
}
