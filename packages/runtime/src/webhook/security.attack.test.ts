import type { TLSSocket } from "node:tls";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import { defaulterHandler } from "./admission/defaulting.ts";
import { handshake, json, review, send, startServer, type TestServer } from "./server.fixture.ts";
import { Ticket, TicketDefaulter, TicketV1beta1, ticket, ticketConverter } from "./ticket.fixture.ts";

const path = "/mutate";
let t: TestServer;

beforeAll(async () => {
  t = await startServer((server) => {
    server.register(path, defaulterHandler(Ticket, new TicketDefaulter()));
    server.registerConverter(Ticket, ticketConverter as never);
  });
});
afterAll(() => t.stop());

/** Sends a valid review, which the server must allow. */
async function isAlive(): Promise<void> {
  const { response } = await review(t.port, path, {
    operation: "CREATE",
    object: ticket("a", { title: "x" }),
  } as never);
  expect(response.allowed).toBe(true);
}

const post = async (body: string | Buffer, headers: Record<string, string> = json, more: object = {}) => {
  const { status, text } = await send(t.port, { path, headers, ...more }, body);
  const verdict = text.startsWith("{") ? JSON.parse(text).response : undefined;
  return { status, allowed: verdict?.allowed, code: verdict?.status.code, message: verdict?.status.message, text };
};
const reviewOf = (object: string) =>
  `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u","operation":"CREATE","object":${object}}}`;
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

describe("the webhook server", () => {
  it.each([
    ["a wrong content type", () => post("{}", { "Content-Type": "text/html" }), 400],
    ["no content type", () => post("{}", {}), 400],
    ["a wrong method", () => post("{}", json, { method: "PUT" }), 405],
    ["a method without a body", () => post("", {}, { method: "GET" }), 400],
    ["garbage", () => post("\u0000\u0001garbage"), 400],
    ["bytes that aren't text", () => post(Buffer.from([0xff, 0xfe, 0x00, 0x80])), 400],
    ["an incomplete review", () => post(reviewOf("{").slice(0, -3)), 400],
    ["deep nesting", () => post(reviewOf(deep(100_000))), 400],
    ["a million brackets", () => post("[".repeat(1_000_000)), 400],
    ["an oversized body", () => post("x".repeat(7 * 1024 * 1024 + 1)), 413],
    ["a much larger body", () => post(Buffer.alloc(30 * 1024 * 1024, 32)), 413],
  ])("denies %s, and continues", async (_name, request, code) => {
    expect(await request()).toMatchObject({ status: 200, allowed: false, code });
    await isAlive();
  });

  it.each([
    "/",
    "/absent",
    "/mutate/",
    "/mutate/x",
    "/Mutate",
    "/%6dutate",
    "/x/../mutate",
    "/..%2fmutate",
    "/../../etc/passwd",
    "/mutate;x",
    "/__proto__",
    "/constructor",
  ])("rejects the unknown path %s, and continues", async (unknown) => {
    const { status } = await send(t.port, { path: unknown, headers: json }, "{}");
    expect(status).toBe(404);
    await isAlive();
  });

  it("rejects an endless chunked body, and continues", async () => {
    const socket = await open();
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const answer = received(socket);
    for (let count = 0; count < 120 && socket.writable; count++) socket.write(chunk);
    expect(await answer).toContain('"code":413');
    socket.destroy();
    await isAlive();
  });

  it("rejects requests that aren't HTTP, and continues", async () => {
    const socket = await open();
    const answer = received(socket);
    socket.write("hello\r\n\r\n");
    expect(await answer).toMatch(/^HTTP\/1\.1 400/);
    socket.destroy();
    await isAlive();
  });

  it("continues after a client disconnects during a request", async () => {
    const socket = await open();
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a":`,
    );
    socket.destroy();
    await isAlive();
  });

  it.each(["TLSv1", "TLSv1.1"] as const)("rejects the old protocol %s, and continues", async (version) => {
    await expect(open({ minVersion: version, maxVersion: version, ciphers: "DEFAULT@SECLEVEL=0" })).rejects.toThrow();
    await isAlive();
  });

  it("rejects connections without TLS, and continues", async () => {
    await expect(fetch(`http://127.0.0.1:${t.port}${path}`, { method: "POST", body: "{}" })).rejects.toThrow();
    await isAlive();
  });
});

describe("data in a review", () => {
  it("can contain __proto__ and constructor in an object", async () => {
    const object = JSON.stringify(ticket("a", { title: "x" })).replace(
      '"title":"x"',
      '"title":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toJSON":1',
    );
    const { allowed, text } = await post(reviewOf(object));
    expect(allowed).toBe(true);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    const patch = Buffer.from(JSON.parse(text).response.patch, "base64").toString();
    expect(patch).toBe('[{"op":"add","path":"/spec/seats","value":1}]');
  });

  it("is rejected with __proto__ instead of a review or request", async () => {
    expect(await post('{"__proto__":{"request":{}},"kind":"AdmissionReview"}')).toMatchObject({
      allowed: false,
      code: 400,
    });
    expect(({} as { request?: unknown }).request).toBeUndefined();
    await isAlive();
  });

  it("can contain __proto__ in a converted object", async () => {
    const object = JSON.stringify({ ...ticket("a", { title: "x" }), apiVersion: TicketV1beta1.apiVersion }).replace(
      '"title":"x"',
      '"title":"x","__proto__":{"polluted":1}',
    );
    const body = `{"request":{"uid":"u","desiredAPIVersion":"${Ticket.apiVersion}","objects":[${object}]}}`;
    const { status, text } = await send(t.port, { path: "/convert", headers: json }, body);
    expect(status).toBe(200);
    expect(JSON.parse(text).response.result.status).toBe("Success");
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it("can be nested as deeply as stored objects", async () => {
    const object = JSON.stringify(ticket("a", { title: "x" })).replace(
      '"title":"x"',
      `"title":"x","deep":${deep(900)}`,
    );
    expect((await post(reviewOf(object))).allowed).toBe(true);
  });

  it("can contain brackets in strings", async () => {
    const object = JSON.stringify(ticket("a", { title: `${"[".repeat(5000)}\\"${"{".repeat(5000)}` }));
    expect((await post(reviewOf(object))).allowed).toBe(true);
  });

  it("can have just less than 7 MiB", async () => {
    const object = JSON.stringify(ticket("a", { title: "x".repeat(7 * 1024 * 1024 - 1000) }));
    expect((await post(reviewOf(object))).allowed).toBe(true);
  });
});

it("a body that arrives too slowly is rejected with 408, and the connection is closed", async () => {
  const { createServer } = await import("node:http");
  const { admissionListener } = await import("./admission/hook.ts");
  const { bodyMemory } = await import("./http/memory-limiter.ts");
  const { noWebhookMetrics } = await import("./http/metrics.ts");
  const { silentLogger } = await import("../log/logger.ts");
  const listener = admissionListener(
    { handler: defaulterHandler(Ticket, new TicketDefaulter()), limits: { time: 100 } },
    { log: silentLogger, metrics: noWebhookMetrics, memory: bodyMemory(), fail() {} },
  );
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const { connect: plain } = await import("node:net");
  const socket = plain({ host: "127.0.0.1", port });
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`);
  expect(await received(socket)).toContain('"code":408');
  await new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
    socket.resume();
  });
  server.close();
});

fullTest("a hundred rejected requests don't increase the memory", async () => {
  const body = "x".repeat(1024 * 1024);
  const round = async () => {
    for (let count = 0; count < 3; count++) {
      await Promise.all(Array.from({ length: 10 }, () => post(body)));
    }
  };
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const used = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  await round();
  const before = used();
  for (let count = 0; count < 3; count++) await round();
  await expect.poll(() => used() - before).toBeLessThan(10 * 1024 * 1024);
});

async function open(options: object = {}): Promise<TLSSocket> {
  const socket = await handshake(t.port, options);
  socket.on("error", () => {});
  return socket;
}

/** Returns the text of the first response. */
function received(socket: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (/\r\n\r\n/.test(text) && (!text.includes("application/json") || text.includes("}}"))) resolve(text);
    });
    socket.once("end", () => resolve(text));
    socket.once("error", reject);
  });
}
