import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createTransport } from "./create-transport.ts";
import { startLoopbackServer } from "./loopback-server.ts";

const mebibyte = 1024 * 1024;

describe("the response of a hostile server", () => {
  it.each([
    ["an endless list", "application/json", '{"kind":"ConfigMapList","items":["'],
    ["endless text", "text/plain", "text"],
    ["an endless error page", "text/html", "<html>"],
  ])("is cut off at the limit, which the error contains: %s", async (name, type, head) => {
    let sent = 0;
    const server = await startLoopbackServer((_request, response) => {
      response.writeHead(name.includes("error") ? 500 : 200, { "content-type": type });
      response.write(head);
      const chunk = Buffer.alloc(64 * 1024, "x");
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
        sent += chunk.length;
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    const transport = createTransport({ host: server.url, maxResponseBytes: 8 * mebibyte });
    const accept = type === "text/plain" ? "text/plain" : undefined;
    try {
      const error = await transport
        .request({ method: "GET", path: "/api/v1/configmaps", accept })
        .catch((caught: unknown) => caught as Error);
      expect((error as Error).message).toContain(
        name.includes("error")
          ? "500"
          : "the answer is larger than 8388608 bytes (maxResponseBytes of the configuration)",
      );
      expect((error as Error).message.length).toBeLessThan(500);
      expect(sent).toBeLessThan(20 * mebibyte);
    } finally {
      await transport.close();
      await server.close();
    }
  });

  it("is rejected before its body arrives if its length exceeds the limit", async () => {
    let sent = 0;
    const server = await startLoopbackServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": String(2 ** 40) });
      response.flushHeaders();
      sent++;
    });
    const transport = createTransport({ host: server.url });
    try {
      await expect(transport.request({ method: "GET", path: "/x" })).rejects.toThrow("larger than 268435456 bytes");
      expect(sent).toBe(1);
    } finally {
      await transport.close();
      await server.close();
    }
  });

  it.each(["deflate", "br", "gzip, gzip"])(
    "isn't decompressed if it has the unexpected encoding %s",
    async (encoding) => {
      const bomb = gzipSync(Buffer.alloc(64 * mebibyte, " "));
      const server = await startLoopbackServer((_request, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding });
        response.end(bomb);
      });
      const transport = createTransport({ host: server.url });
      const before = process.memoryUsage().rss;
      try {
        await expect(transport.request({ method: "GET", path: "/x" })).rejects.toThrow(
          `the answer has the content encoding "${encoding}", which was not requested`,
        );
        await expect(transport.stream({ method: "GET", path: "/x?watch=1" })).rejects.toThrow("content encoding");
        expect(process.memoryUsage().rss - before).toBeLessThan(48 * mebibyte);
        expect(server.requests.map(({ headers }) => headers["accept-encoding"])).toEqual(["gzip", undefined]);
      } finally {
        await transport.close();
        await server.close();
      }
    },
  );

  it("is rejected at its limit if a few bytes expand to a gigabyte", async () => {
    const part = gzipSync(Buffer.alloc(64 * mebibyte, " "));
    const server = await startLoopbackServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(Buffer.concat(Array(16).fill(part)));
    });
    const transport = createTransport({ host: server.url, maxResponseBytes: 8 * mebibyte });
    const before = process.memoryUsage().rss;
    try {
      await expect(transport.request({ method: "GET", path: "/x" })).rejects.toThrow("larger than 8388608 bytes");
      expect(process.memoryUsage().rss - before).toBeLessThan(200 * mebibyte);
    } finally {
      await transport.close();
      await server.close();
    }
  });

  it("is accepted by default if it is a list of 20,000 ConfigMaps", async () => {
    const item = JSON.stringify({ metadata: { name: "a", namespace: "b" }, data: { a: "x".repeat(4000) } });
    const body = `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{},"items":[${Array(20_000).fill(item).join(",")}]}`;
    const server = await startLoopbackServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(body);
    });
    const transport = createTransport({ host: server.url });
    try {
      const { body: list } = await transport.request({ method: "GET", path: "/api/v1/configmaps" });
      expect((list as { items: unknown[] }).items).toHaveLength(20_000);
    } finally {
      await transport.close();
      await server.close();
    }
  });

  it.each([0, -1, Number.NaN])("can't be limited to %d bytes", (maxResponseBytes) => {
    expect(() => createTransport({ host: "https://x", maxResponseBytes })).toThrow("must be greater than 0");
  });
});
