import { afterEach, describe, expect, it } from "vitest";
import { createTransport } from "./create-transport.ts";
import { json, type LoopbackServer, type Respond, startLoopbackServer } from "./loopback-server.ts";
import type { RequestDetails } from "./options.ts";
import type { Transport } from "./transport.ts";

let server: LoopbackServer;
let transport: Transport;

afterEach(async () => {
  await transport.close();
  await server.close();
});

async function setUp(respond: Respond, config: { qps?: number; burst?: number } = {}) {
  server = await startLoopbackServer(respond);
  const told: string[] = [];
  const times: number[] = [];
  const details: RequestDetails = {
    rateLimited: (method, _host, duration) => {
      times.push(duration);
      told.push(`limited ${method}`);
    },
    sent: (method, _host, bytes) => void told.push(`sent ${method} ${bytes}`),
    received: (method, _host, bytes) => void told.push(`received ${method} ${bytes}`),
    retried: (method, _host, code) => void told.push(`retried ${method} ${code}`),
    resolved: (host) => void told.push(`resolved ${host}`),
  };
  // A name, so that there is something to look up.
  const host = server.url.replace("127.0.0.1", "localhost");
  transport = createTransport({ host, ...config }, { details: () => details });
  return { told, times, host: new URL(host).host };
}

describe("details of requests", () => {
  it("tell of look-ups, sizes and retries", async () => {
    let answers = 0;
    const { told, host } = await setUp((_request, response) => {
      if (++answers === 1) json(response, 429, {}, { "retry-after": "0" });
      else json(response, 200, { a: "é" });
    });
    await transport.request({ method: "POST", path: "/x", body: { b: "é" } });
    expect(told).toEqual(["sent POST 10", `resolved ${host}`, "retried POST 429", "received POST 10"]);
  });

  it("tell of connections that broke", async () => {
    let answers = 0;
    const { told } = await setUp((_request, response, incoming) => {
      if (++answers === 1) incoming.socket.destroy();
      else json(response, 200, {});
    });
    await transport.request({ method: "GET", path: "/x" });
    expect(told).toContain("retried GET <error>");
  });

  it("tell how long requests waited for the limit of this side", async () => {
    const { told, times } = await setUp((_request, response) => json(response, 200, {}), { qps: 2, burst: 1 });
    // At once: on a busy machine the second would come when the limit has passed by itself.
    const request = () => transport.request({ method: "GET", path: "/x" });
    await Promise.all([request(), request()]);
    expect(told.filter((entry) => entry === "limited GET")).toHaveLength(2);
    expect(Math.max(...times)).toBeGreaterThan(100);
  });
});
