import { findCause } from "../errors/cause.ts";

/**
 * An error that isn't retried: it is logged and counted, and the object is reconciled again only when something
 * changes. It can be anywhere in the chain of causes.
 *
 * @example
 * throw new TerminalError("spec.image isn't a valid image reference");
 */
export class TerminalError extends Error {
  /** Always `TerminalError`. */
  override readonly name = "TerminalError";

  /**
   * Creates a terminal error.
   *
   * @param message - the message, or the error to wrap
   * @param options - the cause
   */
  constructor(message: string | Error, options?: ErrorOptions) {
    if (message instanceof Error) super(message.message, { cause: message, ...options });
    else super(message, options);
  }
}

/**
 * Returns whether an error, or one of its causes, is a {@link TerminalError}.
 *
 * @param error - any thrown value
 * @returns whether it is terminal
 */
export function isTerminal(error: unknown): boolean {
  return findCause(error, TerminalError) !== undefined;
}
