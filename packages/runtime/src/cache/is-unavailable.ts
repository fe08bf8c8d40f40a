import { findApiError } from "../errors/predicates.ts";
import { isTransportError } from "../errors/transport-error.ts";

/** Checks whether the server is unavailable to all clients: unreachable, overloaded, or with an internal error. */
export function isUnavailable(error: unknown): boolean {
  const code = findApiError(error)?.code ?? 0;
  return isTransportError(error) || code === 429 || code >= 500;
}
