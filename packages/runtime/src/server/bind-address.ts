/** Address that a server listens on. */
export interface BindAddress {
  /**
   * Host name or IP address.
   *
   * @defaultValue all interfaces
   */
  host?: string;
  /** Port. `0` selects a free one. */
  port: number;
}

/**
 * Parses a bind address.
 *
 * @param text - an address such as `:8080`, `127.0.0.1:0` or `[::1]:8443`; `"0"` disables the server
 * @returns the address, `undefined` for `"0"`
 * @throws Error for any other text
 */
export function parseBindAddress(text: string): BindAddress | undefined {
  if (text === "0") return undefined;
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (!match || port > 65_535) {
    throw new Error(`invalid bind address ${JSON.stringify(text)}: it must be ":port", "host:port" or "0"`);
  }
  const host = match[1] ?? match[2];
  return host ? { host, port } : { port };
}
