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

// A chain that bites its own tail ends after a bounded number of steps.
const maxDepth = 32;

/** Whether an error, or one of its causes, is terminal. */
export function isTerminal(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < maxDepth && current instanceof Error; depth++) {
    if (current instanceof TerminalError) return true;
    current = current.cause;
  }
  return false;
}
