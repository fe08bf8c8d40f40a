import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { limits } from "./limits.ts";

it("servers keep idle connections longer than API servers, which must be the first to close them", async () => {
  const server = createServer(limits, (_request, response) => void response.end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const { headers } = await fetch(`http://127.0.0.1:${port}/`);
    const seconds = Number(/^timeout=(\d+)$/.exec(headers.get("keep-alive") ?? "")?.[1]);
    // The IdleConnTimeout of Go's http.DefaultTransport is 90 seconds.
    expect(seconds).toBeGreaterThanOrEqual(90 + 30);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
