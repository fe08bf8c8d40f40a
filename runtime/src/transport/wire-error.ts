import { TransportError } from "../errors/transport-error.ts";

const CODES: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: "ETIMEDOUT",
  UND_ERR_HEADERS_TIMEOUT: "ETIMEDOUT",
  UND_ERR_BODY_TIMEOUT: "ETIMEDOUT",
  UND_ERR_SOCKET: "ECONNRESET",
  UND_ERR_CLOSED: "ECLOSED",
  UND_ERR_DESTROYED: "ECLOSED",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "EBADANSWER",
  UND_ERR_HEADERS_OVERFLOW: "EBADANSWER",
};

/** Makes what the HTTP library throws a `TransportError` with one line that names the request. Other values pass. */
export function toTransportError(error: unknown, what: string): unknown {
  if (error instanceof TransportError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  if (code === undefined) return error;
  const text = messageOf(error);
  return new TransportError(CODES[code] ?? (code.startsWith("HPE_") ? "EBADANSWER" : code), `${what}: ${text}`, {
    cause: error,
  });
}

function codeOf(error: Error): string | undefined {
  const { code } = error as { code?: unknown };
  if (typeof code === "string") return code;
  // Several addresses were tried at once and none answered.
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
