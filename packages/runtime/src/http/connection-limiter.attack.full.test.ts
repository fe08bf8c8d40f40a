import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import http2 from "node:http2";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConnectionLimiter } from "./connection-limiter.ts";

const max = 20;
let server: Server;
let limiter: ConnectionLimiter;
let answer: (() => void)[];
const sockets: Socket[] = [];

beforeEach(async () => {
  answer = [];
  limiter = new ConnectionLimiter(max);
  server = createServer(
    limiter.listener((request, response) => {
      if (request.url === "/slow") answer.push(() => response.end("slow"));
      else request.resume().once("end", () => response.end("ok"));
    }),
  );
  // Node.js would close idle connections after five seconds, which a test can take on a busy machine.
  server.keepAliveTimeout = 0;
  limiter.watch(server);
  await once(server.listen(0), "listening");
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  const closed = once(server, "close");
  server.close().closeAllConnections();
  await closed;
});

async function open(text = "", localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", localAddress });
  socket.on("error", () => {});
  sockets.push(socket);
  // A socket that is destroyed before it is connected only emits `close`.
  await Promise.race([once(socket, "connect"), once(socket, "close")]);
  if (text) socket.write(text);
  return socket;
}

/** Returns the received text when the connection ends or a response is complete. */
function received(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve("");
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk;
      if (/\r\n\r\n\S*(ok|slow)/.test(text)) resolve(text);
    });
    socket.once("close", () => resolve(text));
  });
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

describe("ConnectionLimiter", () => {
  it("closes the oldest idle connection first, and serves the next caller", async ({ task }) => {
    (task.meta as { attempts?: number }).attempts = 200;
    const first = await open();
    const closed = once(first, "close");
    for (let count = 1; count < 200; count++) await open();
    await closed;
    expect(await received(await open(get("/")))).toContain("ok");
    await expect.poll(() => limiter.size).toBeLessThanOrEqual(max);
  });

  it("closes connections that trickle a head or a body before connections that were served", async ({ task }) => {
    (task.meta as { attempts?: number }).attempts = 100;
    const served = await open(get("/"));
    await received(served);
    for (let count = 0; count < 50; count++) {
      await open("GET / HTTP/1.1\r\nX: ");
      await open("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx");
    }
    served.removeAllListeners("data");
    served.write(get("/"));
    expect(await received(served)).toContain("ok");
  });

  it("doesn't close a connection whose request is being processed", async ({ task }) => {
    (task.meta as { attempts?: number }).attempts = 100;
    const asked = await open(get("/slow"));
    await expect.poll(() => answer.length).toBe(1);
    for (let count = 0; count < 100; count++) await open();
    answer[0]!();
    expect(await received(asked)).toContain("slow");
  });

  it("closes the connections of the address with the most connections first", async ({ task }) => {
    (task.meta as { attempts?: number }).attempts = 100;
    const other = await open("", "127.0.0.2");
    for (let count = 0; count < 100; count++) await open(get("/"));
    other.write(get("/"));
    expect(await received(other)).toContain("ok");
  });

  it("processes pipelined requests one at a time", async () => {
    const socket = await open(get("/slow").repeat(2));
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk;
    });
    for (let count = 1; count <= 2; count++) {
      await expect.poll(() => answer.length, { interval: 1 }).toBe(count);
      answer.at(-1)!();
    }
    await expect.poll(() => text.split("HTTP/1.1 200").length - 1).toBe(2);
  });

  it("answers callers while attackers reconnect immediately", async ({ task }) => {
    let isOver = false;
    let attempts = 0;
    const attackers = Array.from({ length: max - 5 }, async () => {
      while (!isOver) {
        await received(await open(get("/slow").repeat(100)));
        attempts++;
      }
    });
    // Each call gets its answer although the attackers never stop.
    for (let calls = 0; calls < 100; calls++) {
      const caller = await open(get("/"), "127.0.0.2");
      expect(await received(caller)).toContain("ok");
      caller.destroy();
    }
    isOver = true;
    for (const socket of sockets) socket.destroy();
    await Promise.all(attackers);
    (task.meta as { attempts?: number }).attempts = attempts;
  });

  it("closes connections with too many pipelined requests", async ({ task }) => {
    (task.meta as { attempts?: number }).attempts = 1000;
    let parsed = 0;
    server.on("request", () => parsed++);
    const socket = await open(get("/slow").repeat(1000));
    expect(await received(socket)).toBe("");
    expect(answer.length).toBeLessThanOrEqual(1);
    // Node.js would parse all 1,000 requests before it closes the connection.
    expect(parsed).toBeLessThan(10);
    expect(await received(await open(get("/")))).toContain("ok");
  });
});

describe("a flood of cancelled HTTP/2 requests", () => {
  it("doesn't increase the number of accepted connections, because only responses do", async ({ task }) => {
    (task.meta as { attempts?: number }).attempts = 40;
    const limiter = new ConnectionLimiter();
    let [requests, accepted] = [0, 0];
    const server = http2.createServer(limiter.listener((() => requests++) as RequestListener) as never);
    server.on("connection", () => accepted++);
    limiter.watch(server);
    await once(server.listen(0), "listening");
    const { port } = server.address() as AddressInfo;
    const session = http2.connect(`http://127.0.0.1:${port}`);
    await once(session, "connect");
    for (let count = 1; count <= 40; count++) {
      const stream = session.request({ ":method": "POST", ":path": "/" });
      await vi.waitFor(() => expect(requests).toBe(count), { timeout: 60_000 });
      stream.close(http2.constants.NGHTTP2_CANCEL);
      await once(stream, "close");
    }
    for (let count = 0; count < 100; count++) sockets.push(connect(port, "127.0.0.1"));
    await sleep(300);
    expect(accepted).toBeLessThan(40);
    session.destroy();
    for (const socket of sockets.splice(0)) socket.destroy();
    await once(server.close(), "close");
  });
});
