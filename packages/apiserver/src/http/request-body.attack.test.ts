import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { connect, type TLSSocket } from "node:tls";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import { type ApiServer, type ClientConfig, startApiServer } from "../server/server.ts";
import { maxBodyBytes, RequestBodies } from "./request-body.ts";

const path = "/api/v1/namespaces/default/configmaps";
let server: ApiServer | undefined;
const sockets: TLSSocket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.stop();
  server = undefined;
});

/** Opens a connection that sends a body but for its last byte. */
async function upload({ host, ca, cert, key }: Partial<ClientConfig> & { host: string }): Promise<TLSSocket> {
  const { hostname, port } = new URL(host);
  const socket = connect({ host: hostname, port: Number(port), ca, cert, key });
  sockets.push(socket);
  socket.on("error", () => {});
  await once(socket, "secureConnect");
  const fields = [
    `POST ${path} HTTP/1.1`,
    "Host: a",
    "Content-Type: application/json",
    `Content-Length: ${maxBodyBytes}`,
  ];
  socket.write(`${fields.join("\r\n")}\r\n\r\n`);
  const body = Buffer.alloc(maxBodyBytes - 1, " ");
  await new Promise<void>((resolve) => socket.write(body, () => resolve()));
  return socket;
}

const statusOf = (socket: TLSSocket): Promise<string> =>
  new Promise((resolve) => socket.once("data", (data: Buffer) => resolve(data.toString().slice(9, 12))));

describe("unfinished uploads", () => {
  it("of anonymous users are refused before their end", async ({ task }) => {
    (task.meta as { attempts?: number }).attempts = 5;
    server = await startApiServer();
    const { host, ca } = server.config;
    const anonymous = { host, ...(ca === undefined ? {} : { ca }) };
    for (let count = 0; count < 5; count++) expect(await statusOf(await upload(anonymous))).toBe("403");
  });

  fullTest(
    "of users with permissions have a limit for all together, after which the server answers again",
    async () => {
      server = await startApiServer();
      const answers: string[] = [];
      for (let count = 0; count < 34; count++) {
        const socket = await upload(server.config);
        void statusOf(socket).then((status) => answers.push(status));
      }
      await vi.waitUntil(() => answers.length >= 5, { timeout: 30_000 });
      expect(new Set(answers)).toEqual(new Set(["429"]));
      const closed = Promise.all(sockets.map((socket) => once(socket, "close")));
      for (const socket of sockets) socket.destroy();
      await closed;
      const again = await upload(server.config);
      const status = statusOf(again);
      again.write(" ");
      expect(await status).toBe("400");
    },
  );
});

describe("a body", () => {
  const request = (): PassThrough & IncomingMessage => new PassThrough() as never;
  const response = (): ServerResponse => new PassThrough() as never;

  it("that arrives byte by byte uses little more memory than its bytes", async () => {
    const bodies = new RequestBodies();
    const from = request();
    const read = bodies.read(from, response());
    for (let count = 0; count < 1000; count++) from.write(String(count % 10));
    from.end();
    const body = await read;
    expect(body?.toString()).toBe("0123456789".repeat(100));
    expect(body?.buffer.byteLength).toBeLessThan(2100);
  });

  it("that doesn't arrive in time is refused", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const from = request();
      const read = new RequestBodies().read(from, response());
      from.write("{");
      vi.advanceTimersByTime(60_000);
      await expect(read).rejects.toMatchObject({ code: 504 });
    } finally {
      vi.useRealTimers();
    }
  });

  it("that is too large is refused", async () => {
    const from = request();
    const read = new RequestBodies().read(from, response());
    from.write(Buffer.alloc(maxBodyBytes + 1));
    await expect(read).rejects.toMatchObject({ code: 413 });
  });
});
