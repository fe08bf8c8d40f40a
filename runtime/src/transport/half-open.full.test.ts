import { expect, it } from "vitest";
import type { TransportError } from "../errors/transport-error.ts";
import { createTransport } from "./create-transport.ts";
import { startLoopbackServer } from "./loopback-server.ts";

it("the transport detects that a server is silent, for requests and for watches", async () => {
  // The TCP connection stays open, as behind a load balancer whose back end is gone. It can only be detected by the silence.
  const server = await startLoopbackServer((request, response) => {
    if (!request.url.startsWith("/watch")) return;
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"type":"BOOKMARK","object":{}}\n');
  });
  const transport = createTransport({ host: server.url });
  try {
    const started = performance.now();
    const watch = async (): Promise<void> => {
      const query = { watch: true, allowWatchBookmarks: true };
      for await (const _line of await transport.stream({ method: "GET", path: "/watch", query }));
    };
    const endings = [watch(), transport.request({ method: "GET", path: "/silent" })].map((one) =>
      one.then(
        () => "answered",
        (error: TransportError) => error.code,
      ),
    );
    expect(await Promise.all(endings)).toEqual(["ETIMEDOUT", "ETIMEDOUT"]);
    const took = performance.now() - started;
    expect(took).toBeGreaterThan(60_000);
  } finally {
    await transport.close();
    await server.close();
  }
});
