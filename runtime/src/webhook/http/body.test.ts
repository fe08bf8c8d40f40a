import { once } from "node:events";
import { createServer, type RequestListener, request, type Server } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { silentLogger } from "../../log/logger.ts";
import { admissionListener } from "../admission/hook.ts";
import { allowed } from "../admission/response.ts";
import { conversionListener } from "../conversion/hook.ts";
import { ConverterRegistry } from "../conversion/registry.ts";
import { noWebhookMetrics } from "../metrics.ts";
import { json } from "../server.fixture.ts";
import type { BodyLimits } from "./body.ts";
import { Room } from "./room.ts";

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

describe("bodies", () => {
  it("of 200 maximal requests at once are taken as room for them gets free, and every one is answered", async () => {
    const size = 100 * kibi;
    const work = handlerOnDemand();
    const port = await webhook(work.handle, { size, room: new Room(4 * size) });
    const answers = Promise.all(Array.from({ length: 200 }, () => post(port, reviewOf(size))));
    // Of four parts three are for large ones.
    await expect.poll(() => work.seen().waiting, { timeout: 30_000 }).toBe(3);
    let answered = false;
    void answers.then(() => {
      answered = true;
    });
    while (!answered) {
      await new Promise(setImmediate);
      work.finishOne();
    }
    expect((await answers).every(({ status, text }) => status === 200 && JSON.parse(text).response.allowed)).toBe(true);
    expect(work.seen()).toEqual({ most: 3, all: 200, waiting: 0 });
  });

  it("that are small come through while large ones have to wait", async () => {
    const size = 256 * kibi;
    const work = handlerOnDemand();
    const port = await webhook(work.handle, { size, room: new Room(size) });
    const large = [post(port, reviewOf(size)), post(port, reviewOf(size))];
    await expect.poll(() => work.seen().waiting, { timeout: 30_000 }).toBe(1);
    const small = post(port, reviewOf(kibi));
    await expect.poll(() => work.seen().waiting, { timeout: 30_000 }).toBe(2);
    for (let count = 0; count < 2; count++) work.finishOne();
    await expect.poll(() => work.seen().all, { timeout: 30_000 }).toBe(3);
    work.finishOne();
    expect((await Promise.all([...large, small])).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("for which no room gets free are refused with 503, by which an API server heeds the failurePolicy", async () => {
    const work = handlerOnDemand();
    const room = new Room(256 * kibi);
    const held = room.take(256 * kibi, 1);
    const port = await webhook(work.handle, { room, time: 50 });
    const { status, text } = await post(port, reviewOf(100 * kibi));
    expect(status).toBe(503);
    expect(text).toBe("too many requests are being answered: there was no room for 102400 bytes within 50 ms\n");
    held.leave();
    const next = post(port, reviewOf(100 * kibi));
    await expect.poll(() => work.seen().waiting, { timeout: 30_000 }).toBe(1);
    work.finishOne();
    expect((await next).status).toBe(200);
  });

  it("of conversions have the same room", async () => {
    const room = new Room(256 * kibi);
    const port = await serve(
      conversionListener(new ConverterRegistry(), host, { size: 256 * kibi, time: 50, depth: 100, room }),
    );
    const held = room.take(256 * kibi, 1);
    expect(await post(port, "x".repeat(100 * kibi))).toMatchObject({ status: 503 });
    held.leave();
    expect(await post(port, "x".repeat(100 * kibi))).toMatchObject({ status: 400 });
  });

  it("that announce too much are refused before they come, those that announce nothing count as maximal", async () => {
    const work = handlerOnDemand();
    const room = new Room(256 * kibi);
    const port = await webhook(work.handle, { size: 128 * kibi, room });
    const [announced, chunked] = ["Content-Length: 131073", "Transfer-Encoding: chunked"].map((header) => {
      const socket = connect({ port, host: "127.0.0.1" });
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${header}\r\n\r\n`);
      return socket;
    });
    const [answer] = (await once(announced!, "data")) as [Buffer];
    expect(answer.toString()).toContain('"code":413');
    // 192 KiB are for large ones: 128 of them are taken by now.
    const second = post(port, reviewOf(100 * kibi));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(work.seen().all).toBe(0);
    chunked!.destroy();
    await expect.poll(() => work.seen().all, { timeout: 30_000 }).toBe(1);
    work.finishOne();
    expect((await second).status).toBe(200);
    announced!.destroy();
  });
});
