import { deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import type { Config } from "../config/config.ts";
import { createTransport } from "./create-transport.ts";
import { type LoopbackServer, type Respond, startLoopbackServer } from "./loopback-server.ts";
import type { Transport } from "./transport.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(
  respond: Respond,
  config: Partial<Config> = {},
): Promise<{ server: LoopbackServer; transport: Transport }> {
  const server = await startLoopbackServer(respond);
  const transport = createTransport({ host: server.url, ...config });
  cleanups.push(
    () => server.close(),
    () => transport.close(),
  );
  return { server, transport };
}

const gzipHead = { "content-type": "application/json", "content-encoding": "gzip" };
const get = { method: "GET", path: "/x" } as const;
const watch = { method: "GET", path: "/x", query: { watch: true } } as const;
const list = { kind: "List", items: Array.from({ length: 20_000 }, (_, index) => ({ name: `ünit-${index}` })) };

describe("compressed responses", () => {
  it("are accepted and decompressed, like those that client-go receives", async () => {
    const { server, transport } = await start((_request, response) => {
      const body = gzipSync(JSON.stringify(list));
      response.writeHead(200, { ...gzipHead, "content-length": body.length }).end(body);
    });
    expect((await transport.request(get)).body).toEqual(list);
    expect(server.requests[0]!.headers["accept-encoding"]).toBe("gzip");
  });

  it("can be errors", async () => {
    const status = {
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      code: 404,
      reason: "NotFound",
      message: "gone",
    };
    const { transport } = await start((_request, response) => {
      response.writeHead(404, gzipHead).end(gzipSync(JSON.stringify(status)));
    });
    await expect(transport.request(get)).rejects.toThrow("gone");
  });

  it("keep the connection for further requests", async () => {
    const { server, transport } = await start((_request, response) => {
      response.writeHead(200, gzipHead).end(gzipSync(JSON.stringify(list)));
    });
    for (let time = 0; time < 3; time++) await transport.request(get);
    expect(server.connections).toBe(1);
  });

  it("aren't accepted for watches, whose events would be delayed", async () => {
    const { server, transport } = await start((_request, response) => {
      response.writeHead(200, gzipHead).end(gzipSync('{"type":"ADDED"}\n'));
    });
    await expect(transport.stream(watch)).rejects.toThrow("which was not requested");
    expect(server.requests[0]!.headers["accept-encoding"]).toBeUndefined();
  });

  it.each([
    ["isn't gzip", Buffer.from("no gzip at all"), "isn't valid gzip"],
    ["is cut off", gzipSync(JSON.stringify(list)).subarray(0, 1000), "isn't valid gzip"],
  ])("are an error with one line if the body %s", async (_, body, message) => {
    const { transport } = await start((_request, response) => void response.writeHead(200, gzipHead).end(body));
    const error = await transport.request(get).catch((cause: Error) => cause);
    expect(error).toMatchObject({ code: "EBADANSWER", message: expect.stringMatching(/^GET http:\S+\/x: [^\n]*$/) });
    expect((error as Error).message).toContain(message);
  });

  it("aren't accepted with disableCompression", async () => {
    const { server, transport } = await start(
      (_request, response) => void response.writeHead(200, gzipHead).end(gzipSync("{}")),
      { disableCompression: true },
    );
    await expect(transport.request(get)).rejects.toThrow('the content encoding "gzip", which was not requested');
    expect(server.requests[0]!.headers["accept-encoding"]).toBeUndefined();
  });

  it("are refused in another encoding", async () => {
    const head = { ...gzipHead, "content-encoding": "deflate" };
    const { transport } = await start(
      (_request, response) => void response.writeHead(200, head).end(deflateSync("{}")),
    );
    await expect(transport.request(get)).rejects.toThrow("which was not requested");
  });
});
