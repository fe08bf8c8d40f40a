import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { allowed } from "../admission/response.ts";
import { begin, closeServers, kibi, post, reviewOf, webhook } from "./body.fixture.ts";
import { MemoryLimiter } from "./memory-limiter.ts";

afterEach(closeServers);

describe("incomplete bodies", () => {
  it.each([
    ["80 bodies with one byte", 80, "Content-Length: 65000", "{"],
    ["3 chunked bodies", 3, "Transfer-Encoding: chunked", "1\r\n{\r\n"],
    ["500 bodies with one byte", 500, "Content-Length: 6500000", "{"],
  ])("don't delay other requests: %s", async (_what, count, header, part) => {
    const memory = new MemoryLimiter(256 * kibi);
    const port = await webhook(async () => allowed(), { memory });
    const idle = Array.from({ length: count }, () => begin(port, header, part));
    await Promise.all(idle.map((socket) => once(socket, "connect")));
    await expect.poll(() => memory.held).toBe(count);
    const answers = await Promise.all([1, 100, 500].map((size) => post(port, reviewOf(size * kibi))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const socket of idle) socket.destroy();
    await expect.poll(() => memory.held).toBe(0);
  });

  it("that hold all memory and stall are evicted if others wait", async () => {
    const memory = new MemoryLimiter(1024 * kibi);
    const port = await webhook(async () => allowed(), { memory });
    const stalled = Array.from({ length: 4 }, () => begin(port, "Content-Length: 900000", "x".repeat(800_000)));
    await expect.poll(() => memory.held).toBeGreaterThan(700_000);
    let answers = "";
    for (const socket of stalled) {
      socket.on("data", (chunk: Buffer) => {
        answers += chunk;
      });
    }
    expect((await post(port, reviewOf(500 * kibi))).status).toBe(200);
    // A body that blocks no other one is rejected with 408 later.
    await expect.poll(() => answers).toContain("the request was received too slowly while others waited for memory");
    for (const socket of stalled) socket.destroy();
  });

  it("that trickle are rejected with 408 after ten seconds at most", async () => {
    const port = await webhook(async () => allowed(), {});
    const socket = begin(port, "Content-Length: 1000", "{");
    const trickle = setInterval(() => socket.write(" "), 100);
    const [answer] = (await once(socket, "data")) as [Buffer];
    clearInterval(trickle);
    expect(answer.toString()).toContain("the request's body was received with less than 16384 bytes per second");
    socket.destroy();
  });
});

describe("compressed bodies", () => {
  it("are rejected with 415 before they are read, and their connection is closed", async () => {
    const port = await webhook(async () => allowed(), {});
    const socket = begin(port, "Content-Encoding: gzip\r\nContent-Length: 5000000", "x".repeat(100_000));
    const closed = once(socket, "close");
    const flood = setInterval(() => socket.write("x".repeat(10_000)), 5);
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toContain('"code":415');
    socket.resume();
    await closed;
    clearInterval(flood);
    // The system's buffers accept some of the bytes.
    expect(socket.bytesWritten).toBeLessThan(5_000_000);
  });
});
