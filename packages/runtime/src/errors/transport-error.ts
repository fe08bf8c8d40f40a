import { findCause } from "./cause.ts";

/**
 * Reports that the server didn't respond, or that the response can't be trusted. `code` is the code of the system or of
 * TLS (`ECONNREFUSED`, `ECONNRESET`, `ENOTFOUND`, `DEPTH_ZERO_SELF_SIGNED_CERT`), `ETIMEDOUT` for a silent peer,
 * `EBADANSWER` for a response that no API server sends, or `ECLOSED` after `close()`.
 */
export class TransportError extends Error {
  /** Always `TransportError`. */
  override readonly name: string = "TransportError";
  /** Code of the failure. */
  readonly code: string;

  /**
   * Creates an error.
   *
   * @param code - code of the failure
   * @param message - human-readable message
   * @param options - the cause
   */
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

function findTransportError(error: unknown): TransportError | undefined {
  return findCause(error, TransportError);
}

/**
 * Returns whether the server refused the connection.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isConnectionRefused(error: unknown): boolean {
  return findTransportError(error)?.code === "ECONNREFUSED";
}

/**
 * Returns whether the connection was lost while it was used.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isConnectionReset(error: unknown): boolean {
  const code = findTransportError(error)?.code;
  return code === "ECONNRESET" || code === "EPIPE";
}

/**
 * Returns whether there was no response: the connection was refused or reset, or the host was unknown or silent. A write may
 * have been performed nevertheless.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is a {@link TransportError}
 */
export function isTransportError(error: unknown): boolean {
  return findTransportError(error) !== undefined;
}
