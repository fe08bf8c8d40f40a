import { findApiError, isTransportError } from "../errors/index.ts";

/** Whether the server isn't there for anybody right now: can't be reached, has too much to do, or fails by itself. */
export function isAway(error: unknown): boolean {
  const code = findApiError(error)?.code ?? 0;
  return isTransportError(error) || code === 429 || code >= 500;
}
