import { findCause } from "./cause.ts";

/**
 * No answer came, or none that can be trusted. `code` tells which:
 * the system's own code (`ECONNREFUSED`, `ECONNRESET`, `ENOTFOUND`, a TLS code such as `DEPTH_ZERO_SELF_SIGNED_CERT`),
 * `ETIMEDOUT` for a silent peer, `EBADANSWER` for an answer that isn't what an API server says, `ECLOSED` after close().
 */
export class TransportError extends Error {
  override readonly name: string = "TransportError";
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

function findTransportError(error: unknown): TransportError | undefined {
  return findCause(error, TransportError);
}

/** Nobody listens at the server's address. */
export function isConnectionRefused(error: unknown): boolean {
  return findTransportError(error)?.code === "ECONNREFUSED";
}

/** The connection broke while it was used. */
export function isConnectionReset(error: unknown): boolean {
  const code = findTransportError(error)?.code;
  return code === "ECONNRESET" || code === "EPIPE";
}

/** No answer came at all: refused, reset, unknown host, silent. Says nothing about whether a write took place. */
export function isTransportError(error: unknown): boolean {
  return findTransportError(error) !== undefined;
}
