import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { fullTest } from "../../../../../scripts/test-support/full-test.ts";
import { allowed } from "../admission/response.ts";
import { conversionListener } from "../conversion/hook.ts";
import { ConverterRegistry } from "../conversion/registry.ts";
import { begin, closeServers, host, kibi, post, reviewOf, serve, webhook } from "./body.fixture.ts";
import { MemoryLimiter } from "./memory-limiter.ts";

afterEach(closeServers);

/** Returns a handler that responds on request, and counts its calls. */
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

describe("the bodies of requests", () => {
  fullTest("are read when memory is available, and each of 200 simultaneous large requests is answered", async () => {
    const size = 100 * kibi;
    const work = handlerOnDemand();
    const memory = new MemoryLimiter(4 * size);
    const port = await webhook(work.handle, { size, memory });
    const answers = Promise.all(Array.from({ length: 200 }, () => post(port, reviewOf(size))));
    await expect.poll(() => work.seen().waiting).toBeGreaterThan(0);
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

  it("are read immediately if they are small, even if large ones wait", async () => {
    const size = 1024 * kibi;
    const work = handlerOnDemand();
    const port = await webhook(work.handle, { size, memory: new MemoryLimiter(size) });
    const large = [post(port, reviewOf(size)), post(port, reviewOf(size))];
    await expect.poll(() => work.seen().waiting).toBe(1);
    const small = post(port, reviewOf(kibi));
    await expect.poll(() => work.seen().waiting).toBe(2);
    for (let count = 0; count < 2; count++) work.finishOne();
    await expect.poll(() => work.seen().all).toBe(3);
    work.finishOne();
    expect((await Promise.all([...large, small])).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("are rejected with 503 if no memory becomes available, so that the failurePolicy applies", async () => {
    const work = handlerOnDemand();
    const memory = new MemoryLimiter(256 * kibi);
    const held = fill(memory);
    const port = await webhook(work.handle, { memory, time: 50 });
    const { status, text } = await post(port, reviewOf(1000 * kibi));
    expect(status).toBe(503);
    expect(text).toBe("too many requests are in progress: no memory for the body was available within 50 ms\n");
    held.release();
    const next = post(port, reviewOf(100 * kibi));
    await expect.poll(() => work.seen().waiting).toBe(1);
    work.finishOne();
    expect((await next).status).toBe(200);
  });

  it("share their memory with those of conversions", async () => {
    const memory = new MemoryLimiter(256 * kibi);
    const port = await serve(
      conversionListener(new ConverterRegistry(), host, { size: 1024 * kibi, time: 50, depth: 100, memory }),
    );
    const held = fill(memory);
    expect(await post(port, "x".repeat(1000 * kibi))).toMatchObject({ status: 503 });
    held.release();
    expect(await post(port, "x".repeat(100 * kibi))).toMatchObject({ status: 400 });
  });

  it("are rejected before they arrive if their length is too large", async () => {
    const work = handlerOnDemand();
    const port = await webhook(work.handle, { size: 128 * kibi });
    const socket = begin(port, "Content-Length: 131073");
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toContain('"code":413');
    socket.destroy();
  });
});

/** Uses all memory for a complete body. */
function fill(memory: MemoryLimiter): { release(): void } {
  const permit = memory.admit({ address: "", hasArrived: () => true, pause() {}, resume() {}, evict() {} });
  permit.charge(1024 * kibi);
  permit.complete();
  return permit;
}
