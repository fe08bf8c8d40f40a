import { randomInt } from "node:crypto";
import { createServer } from "node:net";

// Below the range of ephemeral ports and of the ports of test environments, so that neither clients nor their servers take a
// port while the process that uses it restarts.
const first = 15_000;
const last = 20_000;

/** Returns a port of the loopback address on which nothing listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, last);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}
