import type { ErrorId } from "../diagnostics/errors/index.ts";

/** Ends a task. The CLI converts it to a message and exit code. */
export class TaskError extends Error {
  /** Stable, such as `program-failed`. */
  readonly id: ErrorId | "interrupted";
  readonly hint?: string;
  readonly exitCode: number;

  constructor(id: TaskError["id"], message: string, { hint, exitCode = 1 }: { hint?: string; exitCode?: number } = {}) {
    super(message);
    this.name = "TaskError";
    this.id = id;
    this.hint = hint;
    this.exitCode = exitCode;
  }
}
