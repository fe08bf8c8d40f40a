import { once } from "node:events";
import { createServer, type RequestListener, request, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { silentLogger } from "../../log/logger.ts";
import { admissionListener } from "../admission/hook.ts";
import { allowed } from "../admission/response.ts";
import { conversionListener } from "../conversion/hook.ts";
import { ConverterRegistry } from "../conversion/registry.ts";
import { noWebhookMetrics } from "../metrics.ts";
import { json } from "../server.fixture.ts";
import type { BodyLimits } from "./body.ts";
import { MemoryLimiter } from "./memory-limiter.ts";

const kibi = 1024;
const host = { log: silentLogger, metrics: noWebhookMetrics, fail() {} };
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return (server.address() as { port: number }).port;
}

/** A handler that answers when it is told to, and what it has to do. */
function handlerOnDemand() {
  const waiting: (() => void)[] = [];
  let most = 0;
  let all = 0;
  const handle = () =>
    new Promise<ReturnType<typeof allowed>>((resolve) => {
      all++;
      waiting.push(() => resolve(allowed()));
      most = Math.max(most, waiting.length);
    });
  return { handle, finishOne: () => waiting.shift()?.(), seen: () => ({ most, all, waiting: waiting.length }) };
}

const webhook = (handle: () => Promise<ReturnType<typeof allowed>>, limits: Partial<BodyLimits>): Promise<number> =>
  serve(admissionListener({ handler: { handle }, limits }, host));

const reviewOf = (bytes: number): string => {
  const text = (filler: string) =>
    JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request: { uid: "u", filler } });
  return text("x".repeat(bytes - text("").length));
};

function post(port: number, body: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: "127.0.0.1", method: "POST", headers: json, agent: false }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, text });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Begins a request by hand, and gives its connection. */
function begin(port: number, header: string, part = ""): Socket {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => {});
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${header}\r\n\r\n${part}`);
  return socket;
}

describe("bodies", () => {
  it("of 200 maximal requests at once are taken as memory for them gets free, and every one is answered", async () => {
    const size = 100 * kibi;
    const work = handlerOnDemand();
    const memory = new MemoryLimiter(4 * size);
    const port = await webhook(work.handle, { size, memory });
    const answers = Promise.all(Array.from({ length: 200 }, () => post(port, reviewOf(size))));
    await expect.poll(() => work.seen().waiting, { timeout: 30_000 }).toBeGreaterThan(0);
    let answered = false;
    void answers.then(() => {
      answered = true;
    });
    while (!answered) {
      await new Promise(setImmediate);
      work.finishOne();
    }
    expect((await answers).every(({ status, text }) => status === 200 && JSON.parse(text).response.allowed)).toBe(true);
    expect(work.seen()).toMatchObject({ all: 200, waiting: 0 });
    expect(memory.held).toBe(0);
  });

  it("that are small come through while large ones have to wait", async () => {
    const size = 1024 * kibi;
    const work = handlerOnDemand();
    const port = await webhook(work.handle, { size, memory: new MemoryLimiter(size) });
    const large = [post(port, reviewOf(size)), post(port, reviewOf(size))];
    await expect.poll(() => work.seen().waiting, { timeout: 30_000 }).toBe(1);
    const small = post(port, reviewOf(kibi));
    await expect.poll(() => work.seen().waiting, { timeout: 30_000 }).toBe(2);
    for (let count = 0; count < 2; count++) work.finishOne();
    await expect.poll(() => work.seen().all, { timeout: 30_000 }).toBe(3);
    work.finishOne();
    expect((await Promise.all([...large, small])).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("for which no memory gets free are refused with 503, by which an API server heeds the failurePolicy", async () => {
    const work = handlerOnDemand();
    const memory = new MemoryLimiter(256 * kibi);
    const held = fill(memory);
    const port = await webhook(work.handle, { memory, time: 50 });
    const { status, text } = await post(port, reviewOf(1000 * kibi));
    expect(status).toBe(503);
    expect(text).toBe("too many requests are being answered: there was no room for the body within 50 ms\n");
    held.release();
    const next = post(port, reviewOf(100 * kibi));
    await expect.poll(() => work.seen().waiting, { timeout: 30_000 }).toBe(1);
    work.finishOne();
    expect((await next).status).toBe(200);
  });

  it("of conversions have the same memory", async () => {
    const memory = new MemoryLimiter(256 * kibi);
    const port = await serve(
      conversionListener(new ConverterRegistry(), host, { size: 1024 * kibi, time: 50, depth: 100, memory }),
    );
    const held = fill(memory);
    expect(await post(port, "x".repeat(1000 * kibi))).toMatchObject({ status: 503 });
    held.release();
    expect(await post(port, "x".repeat(100 * kibi))).toMatchObject({ status: 400 });
  });

  it("that announce too much are refused before they come", async () => {
    const work = handlerOnDemand();
    const port = await webhook(work.handle, { size: 128 * kibi });
    const socket = begin(port, "Content-Length: 131073");
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toContain('"code":413');
    socket.destroy();
  });

  it.each([
    ["80 bodies of which one byte came", 80, "Content-Length: 65000", "{"],
    ["3 bodies in chunks", 3, "Transfer-Encoding: chunked", "1\r\n{\r\n"],
    ["500 bodies of which one byte came", 500, "Content-Length: 6500000", "{"],
  ])("%s keep no others from being answered at once", async (_what, count, header, part) => {
    const memory = new MemoryLimiter(256 * kibi);
    const port = await webhook(async () => allowed(), { memory });
    const idle = Array.from({ length: count }, () => begin(port, header, part));
    await Promise.all(idle.map((socket) => once(socket, "connect")));
    await expect.poll(() => memory.held, { timeout: 10_000 }).toBe(count);
    const answers = await Promise.all([1, 100, 500].map((size) => post(port, reviewOf(size * kibi))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const socket of idle) socket.destroy();
    await expect.poll(() => memory.held, { timeout: 10_000 }).toBe(0);
  });

  it("that hold all memory and stand still make way for others within a second", async () => {
    const memory = new MemoryLimiter(1024 * kibi);
    const port = await webhook(async () => allowed(), { memory });
    const stalled = Array.from({ length: 4 }, () => begin(port, "Content-Length: 900000", "x".repeat(800_000)));
    await expect.poll(() => memory.held, { timeout: 10_000 }).toBeGreaterThan(700_000);
    const begun = performance.now();
    expect((await post(port, reviewOf(500 * kibi))).status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(5000);
    for (const socket of stalled) socket.destroy();
  });

  it("that gain a byte now and then are refused with 408 after ten seconds at most", async () => {
    const port = await webhook(async () => allowed(), {});
    const socket = begin(port, "Content-Length: 1000", "{");
    const trickle = setInterval(() => socket.write(" "), 100);
    const [answer] = (await once(socket, "data")) as [Buffer];
    clearInterval(trickle);
    expect(answer.toString()).toContain("the request's body came with less than 16384 bytes per second");
    socket.destroy();
  }, 20_000);
});

/** Uses up the memory with a body that is being answered. */
function fill(memory: MemoryLimiter): { release(): void } {
  const permit = memory.admit({ address: "", hasArrived: () => true, pause() {}, resume() {}, evict() {} });
  permit.charge(1024 * kibi);
  permit.complete();
  return permit;
}
