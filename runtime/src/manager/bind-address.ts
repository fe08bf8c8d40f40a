/** Where a server listens. */
export interface BindAddress {
  /** All interfaces without. */
  host?: string;
  /** A free one is taken for 0. */
  port: number;
}

/**
 * Reads an address such as `:8080`, `127.0.0.1:0` or `[::1]:8443`; `"0"` means that the server is switched off. Throws an `Error`
 * for anything else.
 */
export function parseBindAddress(text: string): BindAddress | undefined {
  if (text === "0") return undefined;
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (!match || port > 65_535) {
    throw new Error(`bind address ${JSON.stringify(text)} is neither ":port", "host:port" nor "0"`);
  }
  const host = match[1] ?? match[2];
  return host ? { host, port } : { port };
}
