import { findCause } from "../errors/cause.ts";

/**
 * An error that trying again can't cure: it is logged and counted, and the object isn't reconciled again until something changes.
 * It may be anywhere in the chain of causes.
 *
 * @example
 * throw new TerminalError("spec.image is no image reference");
 */
export class TerminalError extends Error {
  override readonly name = "TerminalError";

  constructor(message: string | Error, options?: ErrorOptions) {
    if (message instanceof Error) super(message.message, { cause: message, ...options });
    else super(message, options);
  }
}

/** Whether an error, or one of its causes, is terminal. */
export function isTerminal(error: unknown): boolean {
  return findCause(error, TerminalError) !== undefined;
}
