import { afterEach, describe, expect, it } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import type { Config } from "../config/config.ts";
import type { ApiError } from "../errors/api-error.ts";
import type { TransportError } from "../errors/transport-error.ts";
import { createTransport } from "./create-transport.ts";
import { json, type LoopbackServer, type Respond, startLoopbackServer } from "./loopback-server.ts";
import type { Transport, TransportStream } from "./transport.ts";

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

const watch = { method: "GET" as const, path: "/watch", query: { watch: true } };
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function collect(stream: TransportStream): Promise<unknown[]> {
  const lines: unknown[] = [];
  for await (const line of stream) lines.push(line);
  return lines;
}

/** Returns a listener that responds with these chunks, one after the other. */
function pieces(...parts: (string | Buffer)[]): Respond {
  return async (_request, response) => {
    response.writeHead(200, { "content-type": "application/json;stream=watch" });
    for (const part of parts) {
      response.write(part);
      await pause(5);
    }
    response.end();
  };
}

describe("a stream", () => {
  const answered: Respond = (request, response) => {
    if (request.url.startsWith("/watch")) response.writeHead(200, { "content-type": "application/json" }).write("{}\n");
    else json(response, 200, {});
  };

  it("takes over a connection that a request has just used", async () => {
    const { server, transport } = await start(answered);
    await transport.request({ method: "GET", path: "/apis" });
    await transport.stream(watch);
    expect(server.connections).toBe(1);
    // The stream now owns the connection.
    await transport.request({ method: "GET", path: "/apis" });
    await transport.stream(watch);
    expect(server.connections).toBe(2);
  });

  it("opens a new connection if the others have been idle for a while", async () => {
    const { server, transport } = await start(answered);
    await transport.request({ method: "GET", path: "/apis" });
    await pause(1100);
    await transport.stream(watch);
    expect(server.connections).toBe(2);
  });

  it("splits lines wherever chunks end, even inside of characters", async () => {
    const text = Buffer.from('{"name":"Zürich €"}\n{"n":9007199254740993}\n\n{"last":true}');
    const parts = Array.from(text, (_byte, index) => text.subarray(index, index + 1));
    const { transport } = await start(pieces(...parts));
    expect(await collect(await transport.stream(watch))).toEqual([
      { name: "Zürich €" },
      { n: 9007199254740993n },
      { last: true },
    ]);
  });

  it("reads many lines from one chunk and one line from many chunks", async () => {
    const huge = JSON.stringify({ data: "x".repeat(3_000_000) });
    const many = Array.from({ length: 500 }, (_value, n) => `{"n":${n}}\n`).join("");
    const { transport } = await start(pieces(many, huge, "\n"));
    const lines = await collect(await transport.stream(watch));
    expect(lines).toHaveLength(501);
    expect(lines[499]).toEqual({ n: 499 });
    expect((lines[500] as { data: string }).data).toHaveLength(3_000_000);
  });

  it("opens after the status line has arrived", async () => {
    const { transport } = await start((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.flushHeaders();
    });
    const stream = await transport.stream({ ...watch, timeout: 60_000 });
    await stream.close();
  });

  fullTest("isn't ended by the timeout after it has opened", async () => {
    const { transport } = await start(async (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.flushHeaders();
      await pause(5500);
      response.end('{"late":true}\n');
    });
    expect(await collect(await transport.stream({ ...watch, timeout: 5000 }))).toEqual([{ late: true }]);
  });

  it("rejects if it can't be opened", async () => {
    const { transport } = await start((request, response) => {
      if (request.url.startsWith("/html"))
        response.writeHead(200, { "content-type": "text/html" }).end("<html>login</html>");
      else json(response, 410, { kind: "Status", apiVersion: "v1", status: "Failure", reason: "Expired", code: 410 });
    });
    const gone = (await transport.stream(watch).catch((error: unknown) => error)) as ApiError;
    expect(gone.code).toBe(410);
    const page = (await transport
      .stream({ ...watch, path: "/html" })
      .catch((error: unknown) => error)) as TransportError;
    expect(page.code).toBe("EBADANSWER");
  });

  it("throws for a line that isn't JSON", async () => {
    const { transport } = await start(pieces('{"ok":true}\n', "garbage\n"));
    await expect(collect(await transport.stream(watch))).rejects.toThrow("isn't JSON: garbage");
  });

  it("throws for an endless line before it uses all memory", async () => {
    let sent = 0;
    const { transport } = await start((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = (): void => {
        while (!response.destroyed) {
          sent++;
          if (!response.write("x".repeat(2 ** 20))) return void response.once("drain", more);
        }
      };
      more();
    });
    await expect(collect(await transport.stream(watch))).rejects.toThrow("a line of more than 33554432 bytes");
    expect(sent).toBeGreaterThan(31);
    expect(sent).toBeLessThan(64);
  });

  it("throws if the connection breaks, after it has yielded all complete lines", async () => {
    const { transport } = await start(async (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"n":1}\n{"n":');
      await pause(20);
      response.socket?.destroy();
    });
    const lines: unknown[] = [];
    const error = await (async () => {
      for await (const line of await transport.stream(watch)) lines.push(line);
    })().catch((caught: unknown) => caught as TransportError);
    expect(lines).toEqual([{ n: 1 }]);
    expect((error as TransportError).code).toBe("ECONNRESET");
  });

  it("ends without an error on its signal, close(), break and the close of the transport", async () => {
    let open = 0;
    const { transport } = await start((_request, response) => {
      open++;
      response.on("close", () => open--);
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"n":1}\n');
    });
    const controller = new AbortController();
    const bySignal = await transport.stream({ ...watch, signal: controller.signal });
    const byClose = await transport.stream(watch);
    const byBreak = await transport.stream(watch);
    const byTransport = await transport.stream(watch);
    const running = [collect(bySignal), collect(byClose), collect(byTransport)];
    for await (const _line of byBreak) break;
    await expect.poll(() => open).toBe(3);
    controller.abort();
    await byClose.close();
    await expect.poll(() => open).toBe(1);
    await transport.close();
    expect(await Promise.all(running)).toEqual([[{ n: 1 }], [{ n: 1 }], [{ n: 1 }]]);
    await expect.poll(() => open).toBe(0);
  });

  it("yields nothing more after its signal, even if more lines have arrived", async () => {
    const { transport } = await start(pieces('{"n":1}\n{"n":2}\n{"n":3}\n'));
    const controller = new AbortController();
    const lines: unknown[] = [];
    for await (const line of await transport.stream({ ...watch, signal: controller.signal })) {
      lines.push(line);
      controller.abort();
    }
    expect(lines).toEqual([{ n: 1 }]);
  });

  it("applies back pressure to the server while its lines aren't read", async () => {
    let sent = 0;
    const line = Buffer.from(`${JSON.stringify({ data: "x".repeat(65_500) })}\n`);
    const total = 400;
    const { transport } = await start(async (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      for (; sent < total; sent++) {
        if (!response.write(line)) await new Promise((resolve) => response.once("drain", resolve));
      }
      response.end();
    });
    const stream = await transport.stream(watch);
    await pause(200);
    const held = sent;
    expect(held).toBeLessThan(total);
    expect(await collect(stream)).toHaveLength(total);
  });

  it("throws if it is silent for longer than the idle timeout", async () => {
    const { transport } = await start((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"n":1}\n');
    });
    const error = (await collect(await transport.stream({ ...watch, idleTimeout: 1000 })).catch(
      (caught: unknown) => caught,
    )) as TransportError;
    expect(error.code).toBe("ETIMEDOUT");
  });
});
