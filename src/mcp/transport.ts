import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

/** Codes of the error for an unknown resource: since 2026-07-28, and before. */
const unknownResource = { current: -32602, before: -32002 } as const;

/** Sends and receives messages on stdout and stdin. */
export class Transport extends StdioServerTransport {
  /** Whether the connection began with the handshake of the revisions before 2026-07-28. */
  hasHandshake = false;

  override send(message: JSONRPCMessage): Promise<void> {
    return super.send(this.hasHandshake ? withFormerCode(message) : message);
  }
}

/** Replaces the code of the error for an unknown resource, because the SDK sends the current one in all revisions. */
function withFormerCode(message: JSONRPCMessage): JSONRPCMessage {
  if (!("error" in message) || message.error.code !== unknownResource.current) return message;
  const { data } = message.error as { readonly data?: { readonly uri?: unknown } };
  if (data?.uri === undefined) return message;
  return { ...message, error: { ...message.error, code: unknownResource.before } };
}
