import { TransportError } from "../../errors/transport-error.ts";

/** An error of a connection or of the received data. The sender adds the request to the message. */
export class WireError extends Error {
  override readonly name = "WireError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Converts an error of a connection to a `TransportError` with one line that contains the request. Other values are returned
 * unchanged.
 */
export function toTransportError(error: unknown, what: string): unknown {
  if (error instanceof TransportError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  if (code === undefined) return error;
  const text = messageOf(error);
  return new TransportError(code, `${what}: ${text}`, { cause: error });
}

function codeOf(error: Error): string | undefined {
  const { code } = error as { code?: unknown };
  if (typeof code === "string") return code;
  // Several addresses were tried at once, and none responded.
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return codeOf(error.errors[0]);
  return undefined;
}

function messageOf(error: Error): string {
  if (error.message !== "") return error.message.replaceAll(/\s+/g, " ");
  if (error instanceof AggregateError) {
    return error.errors.map((inner: unknown) => (inner instanceof Error ? inner.message : String(inner))).join("; ");
  }
  return error.name;
}
