import { findApiError, isTransportError } from "../errors/index.ts";

/** Whether the server is unavailable for everyone: it can't be reached, is overloaded, or has an internal error. */
export function isAway(error: unknown): boolean {
  const code = findApiError(error)?.code ?? 0;
  return isTransportError(error) || code === 429 || code >= 500;
}
