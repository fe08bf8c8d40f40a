import { randomBytes } from "node:crypto";
import { type AttackOptions, onEachConnection, repeat, write } from "../../../packages/runtime/tests/attacks/attack.ts";

/** Bytes of each token: just below Go's limit for request headers. */
const size = 1_000_000;

/** Requests `/metrics` with a different bearer token of 1 MB each time, which exhausts the memory if tokens are cached. */
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
