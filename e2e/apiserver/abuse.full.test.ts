// Checks that hostile requests can't stop the server, slow it for other clients, or leave incomplete writes.
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Server } from "./server.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const map = (name: string, data: Record<string, string> = {}): object => ({ metadata: { name }, data });
let server: Server;

beforeAll(async () => {
  server = await Server.start();
  expect((await server.send("POST", maps, map("probe", { a: "1" }))).status).toBe(201);
});

afterAll(() => server.kill("SIGTERM"));

const residentMiB = (): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) / 1024;

/** Returns the processor time of the server in milliseconds: other processes don't change it. */
function processorTime(): number {
  // The name of the program is in parentheses. A clock tick takes 10 ms.
  const fields = readFileSync(`/proc/${server.pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/**
 * Reads an object repeatedly while a function runs.
 *
 * @returns the result of the work, and the most processor time in milliseconds that the server used during a read
 */
async function whileProbing<T>(work: () => Promise<T>): Promise<{ result: T; longest: number }> {
  let isDone = false;
  let longest = 0;
  const probe = async (): Promise<void> => {
    while (!isDone) {
      const began = processorTime();
      const { status } = await server.send("GET", `${maps}/probe`);
      longest = Math.max(longest, processorTime() - began);
      if (status !== 200) throw new Error(`the probe got the status ${status}`);
      await sleep(10);
    }
  };
  const reads = probe();
  try {
    return { result: await work(), longest };
  } finally {
    isDone = true;
    await reads;
  }
}

/** Maximum processor time in milliseconds that the server uses for others before it answers a client. */
const maxLatency = 1500;

async function answers(calls: readonly (() => Promise<{ status: number }>)[]): Promise<number[]> {
  const { result, longest } = await whileProbing(() => Promise.all(calls.map(async (call) => (await call()).status)));
  expect(longest).toBeLessThan(maxLatency);
  return result;
}

const post =
  (body: string | Buffer | object, type?: string, path = maps) =>
  () =>
    server.send("POST", path, body, type).catch((error: Error & { code?: string }) => {
      // A body that is too long may be rejected while it is sent.
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") throw error;
      return { status: 413, body: "" };
    });

describe("bodies", () => {
  it("that are nested 100,000 deep are rejected", async () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const nested = `{"metadata":{"name":"deep"},"data":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}`;
    expect(await answers([post(deep), post(nested), post(nested, "application/yaml")])).toEqual([400, 400, 400]);
  });

  it("of more than 3 MiB are rejected", async () => {
    const calls = Array.from({ length: 20 }, () => post(map("huge", { a: "x".repeat(4 * 2 ** 20) })));
    expect(new Set(await answers(calls))).toEqual(new Set([413]));
  });

  it("that can't be decoded are rejected", async () => {
    const noise = Buffer.from(Array.from({ length: 10_000 }, (_, index) => (index * 7919) % 256));
    const k8s = Buffer.concat([Buffer.from("k8s\0"), noise]);
    const statuses = await answers([
      post(noise),
      post(noise, "application/yaml"),
      post(noise, "application/vnd.kubernetes.protobuf"),
      post(k8s, "application/vnd.kubernetes.protobuf"),
      post("", "application/json"),
      post("null"),
      post('{"metadata":{"name":"\\ud800"}}'),
      post("&a [*a,*a]", "application/yaml"),
      post("{}", "text/html"),
    ]);
    for (const status of statuses) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
  });
});

describe("requests", () => {
  it("with huge selectors, continue tokens and names don't cause an internal error", async () => {
    const terms = Array.from({ length: 500 }, (_, index) => `k${index}!=v`).join(",");
    const get = (path: string) => () => server.send("GET", path);
    const statuses = await answers([
      get(`${maps}?labelSelector=${terms}`),
      get(`${maps}?continue=${"x".repeat(10_000)}`),
      get(`${maps}/${"n".repeat(5_000)}`),
      get(`${maps}?limit=99999999999999999999`),
      get(`${maps}?${"a=b&".repeat(2_000)}`),
    ]);
    for (const status of statuses) expect(status).toBeLessThan(500);
  });

  it("with patches that multiply the size are rejected, and change nothing", async () => {
    const path = `${maps}/probe`;
    const copies = Array.from({ length: 9_999 }, () => ({ op: "copy", from: "/data", path: "/data/a" }));
    const many = Array.from({ length: 10_001 }, () => ({ op: "test", path: "/data/a", value: "1" }));
    const patch = (operations: object) => () => server.send("PATCH", path, operations, "application/json-patch+json");
    for (const status of await answers([patch(copies), patch(many)])) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
    expect(JSON.parse((await server.send("GET", path)).body).data).toEqual({ a: "1" });
  });
});

describe("expressions and patterns", () => {
  const definition = (plural: string, field: object, rules: object[] = []): object => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural, kind: plural },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: { spec: { type: "object", properties: { a: field }, "x-kubernetes-validations": rules } },
            },
          },
        },
      ],
    },
  });
  const created = async (plural: string, field: object, rules: object[] = []): Promise<void> => {
    expect((await server.send("POST", definitions, definition(plural, field, rules))).status).toBe(201);
    const list = `/apis/example.com/v1/${plural}`;
    while ((await server.send("GET", list)).status !== 200) await sleep(20);
  };
  const object = (kind: string, a: unknown): object => ({
    apiVersion: "example.com/v1",
    kind,
    metadata: { name: "a" },
    spec: { a },
  });

  it("are rejected if their estimated cost is too high", async () => {
    const list = { type: "array", items: { type: "string" } };
    const rule = "self.a.all(x, self.a.all(y, self.a.all(z, x + y + z != 'a')))";
    const bomb = definition("bombs", list, [{ rule }]);
    expect(await answers([post(bomb, "application/json", definitions)])).toEqual([422]);
  });

  it("stop at their cost limit when they run", async () => {
    const list = { type: "array", maxItems: 1000, items: { type: "integer" } };
    await created("costs", list, [{ rule: "self.a.all(x, self.a.all(y, x != y || x == y))" }]);
    const path = "/apis/example.com/v1/namespaces/default/costs";
    const values = Array.from({ length: 1000 }, (_, index) => index);
    const calls = Array.from({ length: 5 }, () => post(object("costs", values), "application/json", path));
    for (const status of await answers(calls)) expect([201, 409, 422]).toContain(status);
  });

  it("aren't evaluated for objects whose YAML aliases multiply, because these are rejected", async () => {
    await created("trees", { "x-kubernetes-preserve-unknown-fields": true });
    const levels = Array.from({ length: 12 }, (_, level) => {
      const items = Array(10).fill(level === 0 ? "x" : `*a${level - 1}`);
      return `  a${level}: &a${level} [${items.join(",")}]`;
    });
    const bomb = ["apiVersion: example.com/v1", "kind: trees", "metadata: {name: a}", "spec:", ...levels].join("\n");
    const path = "/apis/example.com/v1/namespaces/default/trees";
    expect(await answers([post(bomb, "application/yaml", path)])).toEqual([400]);
  });

  it("match in linear time", async () => {
    await created("patterns", { type: "string", pattern: "^(a+)+$" });
    const path = "/apis/example.com/v1/namespaces/default/patterns";
    const text = `${"a".repeat(100_000)}!`;
    expect(await answers([post(object("patterns", text), "application/json", path)])).toEqual([422]);
  });
});

describe("connections", () => {
  const port = (): number => Number(server.url.port);

  it("that send their requests slowly, or none, don't delay other clients", async () => {
    const sockets: (Socket | TLSSocket)[] = [];
    const { longest } = await whileProbing(async () => {
      for (let index = 0; index < 1500; index++) sockets.push(connect(port(), "127.0.0.1").on("error", () => {}));
      for (let index = 0; index < 100; index++) {
        const socket = connectTls({ port: port(), host: "127.0.0.1", ...server.credentials });
        socket.on("error", () => {}).on("secureConnect", () => socket.write("GET /api HTTP/1.1\r\nHost: a\r\n"));
        sockets.push(socket);
      }
      for (let second = 0; second < 3; second++) {
        for (const socket of sockets.slice(1500)) socket.write("x-slow: 1\r\n");
        await sleep(1000);
      }
    });
    for (const socket of sockets) socket.destroy();
    expect(longest).toBeLessThan(maxLatency);
  });

  it("that send invalid HTTP are closed", async () => {
    // Only a connection that stays open exceeds the limit of the test.
    await Promise.all(
      [
        "GET / HTTP/9.9\r\n\r\n",
        "\0".repeat(1000),
        "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "x".repeat(100_000),
      ].map(
        (text) =>
          new Promise<void>((resolve) => {
            const socket = connectTls({ port: port(), host: "127.0.0.1", ...server.credentials });
            socket.on("error", () => resolve()).on("close", () => resolve());
            socket.on("secureConnect", () => socket.write(text)).resume();
          }),
      ),
    );
    expect((await server.send("GET", `${maps}/probe`)).status).toBe(200);
  });

  it("of a thousand watches get all events with bounded memory, even if ten don't read", async () => {
    const before = residentMiB();
    const writes = 300;
    const value = "x".repeat(2_000);
    const seen: number[] = [];
    const sockets: TLSSocket[] = [];
    const watch = (index: number): Promise<void> =>
      new Promise((resolve, reject) => {
        const socket = connectTls({ port: port(), host: "127.0.0.1", ...server.credentials });
        sockets.push(socket);
        seen[index] = 0;
        socket.on("error", reject);
        socket.on("secureConnect", () => {
          socket.write(`GET ${maps}?watch=true&fieldSelector=metadata.name%3Dstorm HTTP/1.1\r\nHost: a\r\n\r\n`);
          resolve();
        });
        if (index < 10) socket.pause();
        else {
          let rest = "";
          socket.setEncoding("utf8").on("data", (text) => {
            rest += text;
            const events = rest.split('{"type":"');
            seen[index] = (seen[index] as number) + events.length - 1;
            rest = (events.at(-1) as string).slice(-10);
          });
        }
      });
    for (let index = 0; index < 1000; index += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, place) => watch(index + place)));
    }
    await sleep(500);
    const { longest } = await whileProbing(async () => {
      await server.send("POST", maps, map("storm"));
      for (let index = 1; index < writes; index++) {
        await server.send("PUT", `${maps}/storm`, map("storm", { n: String(index), value }));
      }
    });
    await expect
      .poll(() => seen.slice(10).every((count) => count === writes), { timeout: 60_000, interval: 200 })
      .toBe(true);
    expect(longest).toBeLessThan(maxLatency);
    for (const socket of sockets) socket.destroy();
    await expect.poll(residentMiB, { interval: 500 }).toBeLessThan(before + 250);
  });
});

it("the server still runs, and contains all written objects", async () => {
  expect(server.pid).toBeDefined();
  const { items } = JSON.parse((await server.send("GET", maps)).body);
  expect(items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(["probe", "storm"]);
});
