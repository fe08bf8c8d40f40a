// Sends hostile requests to the servers of a running manager. They must be rejected, and the next good request must succeed.
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestEnvironment } from "../envtest/index.ts";
import { silentLogger } from "../log/logger.ts";
import { defaulterHandler } from "../webhook/admission/defaulting.ts";
import { testCertificate } from "../webhook/server.fixture.ts";
import { Ticket, TicketDefaulter, ticket } from "../webhook/ticket.fixture.ts";
import { exchange, open, rapidResets, received, requestText, type Target } from "./attack.fixture.ts";
import { Manager } from "./manager.ts";
import { eventually } from "./widget.fixture.ts";

const environment = new TestEnvironment();
const stop = new AbortController();
let done: Promise<void> = Promise.resolve();
let admin: string;
let stranger: string;

/** The servers, each with a good request, which must always succeed. */
interface Server extends Target {
  good(): string;
  /** The status for unknown paths. */
  unknown: number;
}
const servers = {} as Record<"webhook" | "metrics" | "health", Server>;
const names = ["webhook", "metrics", "health"] as const;

const reviewOf = (object: string): string =>
  `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u","operation":"CREATE","object":${object}}}`;
const post = (body: string, type = "Content-Type: application/json"): string =>
  requestText("POST /mutate HTTP/1.1", [type, `Content-Length: ${Buffer.byteLength(body)}`], body);
const validTicket = JSON.stringify(ticket("a", { title: "x" }));

async function tokenOf(mgr: Manager, name: string): Promise<string> {
  const metadata = { name, namespace: "default" };
  const account = await mgr.client.create({ apiVersion: "v1", kind: "ServiceAccount", metadata });
  const token = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const { status } = (await mgr.client.subResource("token").create(account, token as never)) as never as {
    status: { token: string };
  };
  return status.token;
}

async function mayReadMetrics(mgr: Manager, name: string): Promise<void> {
  const group = "rbac.authorization.k8s.io";
  const metadata = { name: "metrics-reader" };
  const rules = [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }];
  await mgr.client.create({ apiVersion: `${group}/v1`, kind: "ClusterRole", metadata, rules } as never);
  const roleRef = { apiGroup: group, kind: "ClusterRole", name: metadata.name };
  const subjects = [{ kind: "ServiceAccount", name, namespace: "default" }];
  await mgr.client.create({
    apiVersion: `${group}/v1`,
    kind: "ClusterRoleBinding",
    metadata,
    roleRef,
    subjects,
  } as never);
}

beforeAll(async () => {
  const config = await environment.start();
  const mgr = await Manager.create(config, {
    logger: silentLogger,
    healthProbeBindAddress: "127.0.0.1:0",
    metrics: { bindAddress: "127.0.0.1:0", secureServing: true },
    webhook: { host: "127.0.0.1", port: 0, enableHTTP2: true, certificates: { watch: testCertificate } },
  });
  mgr.webhookServer.register("/mutate", defaulterHandler(Ticket, new TicketDefaulter()));
  done = mgr.start(stop.signal);
  done.catch(() => {});
  admin = await tokenOf(mgr, "reader");
  stranger = await tokenOf(mgr, "stranger");
  await mayReadMetrics(mgr, "reader");
  await eventually(() => expect([mgr.webhookServer.port, mgr.metricsPort]).not.toContain(undefined));
  servers.webhook = {
    port: mgr.webhookServer.port!,
    secure: true,
    good: () => post(reviewOf(validTicket)),
    unknown: 404,
  };
  servers.metrics = {
    port: mgr.metricsPort!,
    secure: true,
    good: () => requestText("GET /metrics HTTP/1.1", [`Authorization: Bearer ${admin}`]),
    unknown: 401,
  };
  servers.health = {
    port: mgr.healthProbePort!,
    secure: false,
    good: () => requestText("GET /healthz HTTP/1.1"),
    unknown: 404,
  };
  for (const name of names) await isAlive(name);
});

afterAll(async () => {
  stop.abort();
  await done;
  await environment.stop();
});

async function isAlive(name: keyof typeof servers): Promise<void> {
  expect(await exchange(servers[name], servers[name].good())).toMatchObject({ statuses: [200] });
}

describe.each(names)("the %s server", (name) => {
  const statusOf = async (bytes: string | Buffer): Promise<number | undefined> =>
    (await exchange(servers[name], bytes)).statuses[0];

  it.each([
    "/",
    "/absent",
    "//",
    "///",
    "/../../etc/passwd",
    "/..%2f..%2fetc/passwd",
    "/x/../healthz",
    "/x/../metrics",
    "/x/../mutate",
    "/./metrics",
    "/%6detrics",
    "/%6dutate",
    "/%68ealthz",
    "/Metrics",
    "/Mutate",
    "/Healthz",
    "/metrics;x",
    "/metrics/",
    "/mutate/",
    "/%",
    "/%00",
    "/\\..\\",
    "/__proto__",
    "/constructor",
    "/debug/pprof/heap",
    "http://",
    "http://x",
    "http://[::bad/metrics",
    "*",
    "/?",
    "//evil.example/healthz?x=//",
  ])("rejects the path %s, and continues", async (path) => {
    expect(await statusOf(requestText(`GET ${path} HTTP/1.1`))).toBe(servers[name].unknown);
    await isAlive(name);
  });

  it.each<[string, string, number]>([
    ["what isn't HTTP", "hello\r\n\r\n", 400],
    ["an unknown method", requestText("BREW / HTTP/1.1"), 400],
    ["an unknown version", requestText("GET / HTTP/9.9"), 400],
    ["a space in the path", requestText("GET /a b HTTP/1.1"), 400],
    ["no host", "GET / HTTP/1.1\r\n\r\n", 400],
    ["header lines without a colon", requestText("GET / HTTP/1.1", ["nothing"]), 400],
    ["a header with a null character", requestText("GET / HTTP/1.1", ["X: a\u0000b"]), 400],
    ["two lengths", requestText("POST / HTTP/1.1", ["Content-Length: 1", "Content-Length: 2"], "ab"), 400],
    ["a negative length", requestText("POST / HTTP/1.1", ["Content-Length: -1"]), 400],
    [
      "a length and chunks, for request smuggling",
      requestText("POST / HTTP/1.1", ["Content-Length: 4", "Transfer-Encoding: chunked"], "0\r\n\r\n"),
      400,
    ],
    [
      "chunks with an unknown encoding",
      requestText("POST / HTTP/1.1", ["Transfer-Encoding: chunked, x"], "0\r\n\r\n"),
      400,
    ],
  ])("rejects %s, and continues", async (_what, bytes, status) => {
    expect(await exchange(servers[name], bytes, 2)).toMatchObject({ statuses: [status], closed: true });
    await isAlive(name);
  });

  it.each([
    ["headers of 1 MiB", () => requestText("GET / HTTP/1.1", [`X: ${"x".repeat(1 << 20)}`])],
    ["headers of 32 KiB", () => requestText("GET / HTTP/1.1", [`X: ${"x".repeat(1 << 15)}`])],
    ["a path of 1 MiB", () => requestText(`GET /${"x".repeat(1 << 20)} HTTP/1.1`)],
  ])("rejects %s, and continues", async (_what, bytes) => {
    const { statuses, closed } = await exchange(servers[name], bytes(), 2);
    expect(closed).toBe(true);
    // The client may receive a reset, which discards the response, because it still sends data.
    expect([[431], []]).toContainEqual(statuses);
    await isAlive(name);
  });

  it("rejects an unexpected body of 30 MiB, and keeps none of it", async () => {
    const size = 30 * 1024 * 1024;
    const socket = await open(servers[name]);
    const answer = received(socket, 1);
    socket.write(requestText("POST /absent HTTP/1.1", [`Content-Length: ${size}`]));
    const chunk = Buffer.alloc(1024 * 1024, 32);
    for (let sent = 0; sent < size; sent += chunk.length) {
      if (socket.write(chunk)) continue;
      // The server reads no more after its response. The listeners must be removed, or they would accumulate.
      const waiting = new AbortController();
      const drained = once(socket, "drain", { signal: waiting.signal }).catch(() => {});
      await Promise.race([drained, answer]);
      waiting.abort();
    }
    expect((await answer).statuses).toEqual([servers[name].unknown]);
    socket.destroy();
    await isAlive(name);
  });

  it("responds in order to two pipelined requests", async () => {
    const { statuses } = await exchange(servers[name], servers[name].good().repeat(2), 2);
    expect(statuses).toEqual([200, 200]);
  });

  it("ends the connection after fifty pipelined requests", async () => {
    const { statuses, closed } = await exchange(servers[name], servers[name].good().repeat(50), 50);
    expect([closed, statuses.length < 50, statuses.filter((status) => status !== 200)]).toEqual([true, true, []]);
    await isAlive(name);
  });

  it("continues after fifty clients have disconnected before, during and after their requests", async () => {
    const good = servers[name].good();
    for (let count = 0; count < 50; count++) {
      const socket = await open(servers[name]);
      socket.write(good.slice(0, Math.floor((good.length * count) / 49)));
      socket.destroy();
    }
    await isAlive(name);
  });

  it("uses no more memory after large requests", async () => {
    const target = servers[name];
    const bytes = requestText("GET /absent HTTP/1.1", [`X: ${"x".repeat(30_000)}`]);
    const round = async (): Promise<void> => {
      for (let count = 0; count < 20; count++) {
        expect((await exchange(target, bytes)).statuses).toEqual([target.unknown]);
      }
    };
    await round();
    const before = process.memoryUsage().rss;
    for (let count = 0; count < 3; count++) await round();
    expect(process.memoryUsage().rss).toBeLessThan(before * 2);
  });
});

describe.each(["webhook", "metrics"] as const)("the TLS of the %s server", (name) => {
  it.each([
    ["TLS 1.0", { minVersion: "TLSv1", maxVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" }],
    ["TLS 1.1", { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" }],
    ["suites without encryption", { maxVersion: "TLSv1.2", ciphers: "NULL-SHA256@SECLEVEL=0" }],
    ["suites without a certificate", { maxVersion: "TLSv1.2", ciphers: "ADH-AES128-SHA256@SECLEVEL=0" }],
    ["suites without forward secrecy", { maxVersion: "TLSv1.2", ciphers: "AES128-GCM-SHA256" }],
    ["suites in CBC mode", { maxVersion: "TLSv1.2", ciphers: "ECDHE-RSA-AES128-SHA:ECDHE-ECDSA-AES128-SHA" }],
  ] as const)("rejects %s", async (_what, options) => {
    await expect(open(servers[name], options)).rejects.toThrow(/alert|handshake|version|ECONNRESET/);
    await isAlive(name);
  });

  it.each(["TLSv1.2", "TLSv1.3"] as const)("accepts %s", async (version) => {
    (await open(servers[name], { minVersion: version, maxVersion: version })).destroy();
  });

  it("closes connections without TLS", async () => {
    const exchanged = await exchange({ port: servers[name].port, secure: false }, requestText("GET / HTTP/1.1"));
    expect(exchanged).toMatchObject({ statuses: [], closed: true });
    await isAlive(name);
  });
});

describe("the metrics server", () => {
  it.each<[string, string[] | (() => string[]), number]>([
    ["no token", [], 401],
    ["an empty token", ["Authorization: Bearer "], 401],
    ["an invalid token", ["Authorization: Bearer nonsense"], 401],
    ["a password", [`Authorization: Basic ${Buffer.from("admin:admin").toString("base64")}`], 401],
    ["a token of ten thousand letters", [`Authorization: Bearer ${"x".repeat(10_000)}`], 401],
    ["a forged token", () => [`Authorization: Bearer ${admin.slice(0, -6)}AAAAAA`], 401],
    ["two tokens, the first of them forged", () => ["Authorization: Bearer no", `Authorization: Bearer ${admin}`], 401],
    ["the name of another user in headers", ["X-Remote-User: system:admin", "Impersonate-User: system:admin"], 401],
    ["a user without the permission", () => [`Authorization: Bearer ${stranger}`], 403],
    ["a user with the permission", () => [`Authorization: Bearer ${admin}`], 200],
  ])("checks the permission of a caller with %s", async (_who, headers, status) => {
    const lines = typeof headers === "function" ? headers() : headers;
    const { statuses } = await exchange(servers.metrics, requestText("GET /metrics HTTP/1.1", lines));
    expect(statuses).toEqual([status]);
    await isAlive("metrics");
  });

  it("forbids other methods and other paths", async () => {
    const as = [`Authorization: Bearer ${admin}`];
    for (const line of ["POST /metrics HTTP/1.1", "GET /debug/pprof HTTP/1.1", "GET /metrics/x HTTP/1.1"]) {
      expect((await exchange(servers.metrics, requestText(line, as))).statuses).toEqual([403]);
    }
  });
});

describe("the admission webhook", () => {
  const verdict = async (bytes: string | Buffer) => {
    const { text } = await exchange(servers.webhook, bytes);
    return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)).response as {
      allowed: boolean;
      patch?: string;
      status: { code: number };
    };
  };
  const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

  it.each<[string, () => string | Buffer, number]>([
    ["a review in text/html", () => post(reviewOf(validTicket), "Content-Type: text/html"), 400],
    ["a review in text/json", () => post(reviewOf(validTicket), "Content-Type: text/json"), 400],
    ["a review without a content type", () => post(reviewOf(validTicket), "X: y"), 400],
    ["an empty body", () => post(""), 400],
    ["a list", () => post("[]"), 400],
    ["null", () => post("null"), 400],
    ["an object of another kind", () => post('{"kind":"Pod","apiVersion":"v1"}'), 400],
    ["an incomplete review", () => post(reviewOf(validTicket).slice(0, -2)), 400],
    ["a review that is nested too deeply", () => post(reviewOf(deep(5000))), 400],
    ["a review of 8 MiB", () => post(reviewOf(`"${"x".repeat(8 * 1024 * 1024)}"`)), 413],
  ])("rejects %s", async (_what, bytes, code) => {
    expect(await verdict(bytes())).toMatchObject({ allowed: false, status: { code } });
    await isAlive("webhook");
  });

  it("reads keys such as __proto__ as data", async () => {
    const text = validTicket.replace('"title":', '"__proto__":{"polluted":1},"constructor":{"prototype":1},"title":');
    expect(text).not.toBe(validTicket);
    expect(await verdict(post(reviewOf(text)))).toMatchObject({ allowed: true });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it("uses the last value of a repeated key, like the API server", async () => {
    const twice = validTicket.replace('"title":"x"', '"title":"x","seats":7,"seats":null');
    const { patch } = await verdict(post(reviewOf(twice)));
    // The patch contains the default, because null has replaced 7.
    expect(Buffer.from(patch ?? "", "base64").toString()).toContain('"value":1');
  });

  it("reads invalid UTF-8 with replacement characters, or rejects it", async () => {
    const bytes = Buffer.from(post(reviewOf(validTicket)), "latin1");
    bytes[bytes.lastIndexOf(Buffer.from('"x"')) + 1] = 0xff;
    const { allowed, status } = await verdict(bytes);
    expect(allowed || status.code === 400).toBe(true);
    await isAlive("webhook");
  });
});

it("the webhook server ends a session of thousands of cancelled HTTP/2 requests, and continues", async () => {
  const before = process.memoryUsage().rss;
  const socket = await open(servers.webhook, { ALPNProtocols: ["h2"] });
  const answer = received(socket, 1);
  socket.write(rapidResets("/mutate", 20_000));
  expect((await answer).closed).toBe(true);
  await isAlive("webhook");
  expect(process.memoryUsage().rss).toBeLessThan(before * 2);
});
