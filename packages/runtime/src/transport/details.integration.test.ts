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
  const calls: string[] = [];
  const times: number[] = [];
  const details: RequestDetails = {
    rateLimited: (method, _host, duration) => {
      times.push(duration);
      calls.push(`limited ${method}`);
    },
    sent: (method, _host, bytes) => void calls.push(`sent ${method} ${bytes}`),
    received: (method, _host, bytes) => void calls.push(`received ${method} ${bytes}`),
    retried: (method, _host, code) => void calls.push(`retried ${method} ${code}`),
    resolved: (host) => void calls.push(`resolved ${host}`),
  };
  // The host is a name, so that a DNS lookup is necessary.
  const host = server.url.replace("127.0.0.1", "localhost");
  transport = createTransport({ host, ...config }, { details: () => details });
  return { calls, times, host: new URL(host).host };
}

describe("the details of requests", () => {
  it("contain lookups, sizes and retries", async () => {
    let answers = 0;
    const { calls, host } = await setUp((_request, response) => {
      if (++answers === 1) json(response, 429, {}, { "retry-after": "0" });
      else json(response, 200, { a: "é" });
    });
    await transport.request({ method: "POST", path: "/x", body: { b: "é" } });
    expect(calls).toEqual(["sent POST 10", `resolved ${host}`, "retried POST 429", "received POST 10"]);
  });

  it("contain retries after broken connections", async () => {
    let answers = 0;
    const { calls } = await setUp((_request, response, incoming) => {
      if (++answers === 1) incoming.socket.destroy();
      else json(response, 200, {});
    });
    await transport.request({ method: "GET", path: "/x" });
    expect(calls).toContain("retried GET <error>");
  });

  it("contain the time that requests waited for the client's rate limit", async () => {
    const { calls, times } = await setUp((_request, response) => json(response, 200, {}), { qps: 2, burst: 1 });
    // The requests start together, because on a busy machine a later one might not have to wait.
    const request = () => transport.request({ method: "GET", path: "/x" });
    await Promise.all([request(), request()]);
    expect(calls.filter((entry) => entry === "limited GET")).toHaveLength(2);
    expect(Math.max(...times)).toBeGreaterThan(100);
  });
});
