import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { silentLogger } from "../log/logger.ts";
import type { Transport } from "../transport/transport.ts";
import { AccessReview } from "./access-review.ts";

let reviewed: string[];
let running: number;
let most: number;
let protect: ReturnType<AccessReview["protect"]>;

/** An API server that accepts tokens with the prefixes `good` and `stranger`, and allows only the first kind to read metrics. */
const transport: Transport = {
  async request({ path, body }) {
    const { spec } = body as { spec: { token?: string; user?: string; nonResourceAttributes?: { path: string } } };
    reviewed.push(path.endsWith("tokenreviews") ? "token" : "access");
    most = Math.max(most, ++running);
    await sleep(5);
    running--;
    const status = spec.token
      ? { authenticated: /^(good|stranger)/.test(spec.token), user: { username: spec.token } }
      : { allowed: /^good/.test(spec.user ?? "") };
    return { status: 201, headers: {}, body: { status } };
  },
  stream: () => Promise.reject(new Error("no streams")),
  close: async () => {},
};

beforeEach(() => {
  // The budget must not grow while a busy machine sends the tokens.
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  reviewed = [];
  running = 0;
  most = 0;
  protect = new AccessReview({ transport, log: silentLogger }).protect((_request, response) => {
    response.writeHead(200).end();
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

interface Answer {
  status: number;
  retryAfter?: string;
  connection?: string;
}

async function ask(token: string | undefined, from = "10.0.0.66", url = "/metrics"): Promise<Answer> {
  const answer: Answer = { status: 0 };
  const response = {
    setHeader: (name: string, value: string) => {
      if (name === "Retry-After") answer.retryAfter = String(value);
      if (name === "Connection") answer.connection = value;
    },
    writeHead: (status: number) => {
      answer.status = status;
      return { end() {} };
    },
  };
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const request = { headers, url, method: "GET", socket: { remoteAddress: from } };
  await (protect(request as never as IncomingMessage, response as never as ServerResponse) as unknown);
  return answer;
}

const meta = (task: { meta: object }, attempts: number): void => void Object.assign(task.meta, { attempts });

describe("AccessReview under a flood of bearer tokens", () => {
  it("sends few reviews, of which few run at a time, and responds with 429 immediately", async ({ task }) => {
    meta(task, 5000);
    const answers = await Promise.all(Array.from({ length: 5000 }, (_, at) => ask(`forged-${at}`)));
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses).toEqual(new Set([401, 429]));
    expect(answers.find(({ status }) => status === 429)?.retryAfter).toBe("1");
    expect(new Set(answers.map(({ connection }) => connection))).toEqual(new Set(["close"]));
    expect(reviewed.length).toBeLessThanOrEqual(10);
    expect(most).toBeLessThanOrEqual(4);
  });

  it("stays within its budget if the tokens arrive one after another", async ({ task }) => {
    meta(task, 500);
    for (let at = 0; at < 500; at++) await ask(`forged-${at}`);
    expect(reviewed.length).toBeLessThanOrEqual(11);
  });

  it("doesn't delay a caller at another address", async ({ task }) => {
    meta(task, 1000);
    const flood = Promise.all(Array.from({ length: 1000 }, (_, at) => ask(`forged-${at}`)));
    expect((await ask("good", "10.0.0.1")).status).toBe(200);
    await flood;
    expect((await ask("good", "10.0.0.1")).status).toBe(200);
  });

  it("limits the reviews for many addresses together", async ({ task }) => {
    meta(task, 5000);
    await Promise.all(Array.from({ length: 5000 }, (_, at) => ask(`forged-${at}`, `10.1.${at >> 8}.${at & 255}`)));
    expect(reviewed.length).toBeLessThanOrEqual(50);
    expect(most).toBeLessThanOrEqual(16);
  });

  it("accepts a known caller at the same address when its token is reviewed again", async ({ task }) => {
    meta(task, 1000);
    expect((await ask("good")).status).toBe(200);
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 61_000);
    const flood = Promise.all(Array.from({ length: 1000 }, (_, at) => ask(`forged-${at}`)));
    expect((await ask("good")).status).toBe(200);
    await flood;
    expect(reviewed.filter((kind) => kind === "token").length).toBeGreaterThan(2);
  });

  it("keeps none of the tokens in memory", async ({ task }) => {
    meta(task, 3000);
    const filler = "x".repeat(15_000);
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < 3000; at++) await ask(`${at}-${filler}`, `10.2.${at >> 8}.${at & 255}`);
    collectGarbage();
    // The text of the tokens alone is 45 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20 * 1024 * 1024);
  });

  it("rejects a token that is longer than any valid token without a review", async () => {
    expect((await ask("x".repeat(16 * 1024 + 1))).status).toBe(401);
    expect(reviewed).toEqual([]);
    expect((await ask("x".repeat(16 * 1024))).status).toBe(401);
    expect(reviewed).toEqual(["token"]);
  });

  it("sends one review of each kind if all tokens are equal", async ({ task }) => {
    meta(task, 1000);
    const answers = await Promise.all(Array.from({ length: 1000 }, () => ask("good")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(reviewed).toEqual(["token", "access"]);
  });

  it("sends few reviews for many paths of a caller without permissions", async ({ task }) => {
    meta(task, 2000);
    const answers = await Promise.all(
      Array.from({ length: 2000 }, (_, at) => ask("stranger", "10.0.0.66", `/metrics/${at}`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403, 429]));
    expect(reviewed.length).toBeLessThanOrEqual(11);
  });
});
