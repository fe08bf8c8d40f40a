import { expect, it } from "vitest";
import type { TransportError } from "../errors/transport-error.ts";
import { createTransport } from "./create-transport.ts";
import { startLoopbackServer } from "./loopback-server.ts";

it("the transport detects that a server is silent, for requests and for watches with bookmarks or a time limit", async () => {
  // The TCP connection stays open, as behind a load balancer whose back end is gone. It can only be detected by the silence.
  const server = await startLoopbackServer((request, response) => {
    if (!request.url.startsWith("/watch")) return;
    response.writeHead(200, { "content-type": "application/json" });
    const annotations = request.url.startsWith("/watch-idle") ? { "k8s.io/initial-events-end": "true" } : {};
    response.write(`${JSON.stringify({ type: "BOOKMARK", object: { metadata: { annotations } } })}\n`);
  });
  const transport = createTransport({ host: server.url });
  try {
    const started = performance.now();
    const watch = async (path: string, timeoutSeconds?: number): Promise<void> => {
      const query = { watch: true, allowWatchBookmarks: true, timeoutSeconds };
      for await (const _line of await transport.stream({ method: "GET", path, query }));
    };
    const ending = (running: Promise<unknown>): Promise<string> =>
      running.then(
        () => "answered",
        (error: TransportError) => error.code,
      );
    let idle = "open";
    void ending(watch("/watch-idle")).then((code) => (idle = code));
    const lost = [watch("/watch"), watch("/watch-idle", 55), transport.request({ method: "GET", path: "/silent" })];
    expect(await Promise.all(lost.map(ending))).toEqual(["ETIMEDOUT", "ETIMEDOUT", "ETIMEDOUT"]);
    const took = performance.now() - started;
    expect(took).toBeGreaterThan(60_000);
    // Without a bookmark or a time limit, the silence means nothing.
    expect(idle).toBe("open");
  } finally {
    await transport.close();
    await server.close();
  }
});
