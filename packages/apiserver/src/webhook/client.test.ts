import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebhookClients } from "./client.ts";
import { webhookDocument } from "./response.ts";
import { WebhookServer } from "./webhook-server.fixture.ts";

let server: WebhookServer;
let clients: WebhookClients;
const options = {
  now: Date.now,
  userAgent: "kube-apiserver-admission",
  resolveService: (_namespace: string, name: string) => {
    if (name === "none") throw new Error('service "none" not found');
    return { host: "127.0.0.1", port: server.port };
  },
};

beforeEach(async () => {
  server = await new WebhookServer(() => ({ body: "{}" })).listen();
  clients = new WebhookClients(options);
});

afterEach(async () => {
  clients.close();
  await server.close();
});

test("posts JSON with the timeout as a parameter, over a connection that stays open", async () => {
  const config = { url: `${server.url}/validate/`, caBundle: server.leafBundle };
  for (let i = 0; i < 3; i++) await clients.call(config, 10, '{"a":1}');
  expect(server.requests[0]).toMatchObject({
    path: "/validate?timeout=10s",
    body: '{"a":1}',
    headers: {
      accept: "application/json, */*",
      "content-type": "application/json",
      "user-agent": "kube-apiserver-admission",
    },
  });
  expect(server.requests).toHaveLength(3);
  expect(server.connections).toBe(1);
});

test("accepts a bundle with the certificate of the authority", async () => {
  const response = await clients.call({ url: server.url, caBundle: server.caBundle }, 10, "{}");
  expect(response).toMatchObject({ status: 200, contentType: "application/json" });
});

test("repeats a call if the server has closed the idle connection", async () => {
  const config = { url: server.url, caBundle: server.caBundle };
  await clients.call(config, 10, "{}");
  server.closeIdle();
  await clients.call(config, 10, "{}");
  expect(server.requests).toHaveLength(2);
});

test("soon closes idle connections, because a server waits for them when it drains, but not busy ones", async () => {
  server.answerWith(() => ({ body: "{}", delay: 600 }));
  await clients.call({ url: server.url, caBundle: server.caBundle }, 10, "{}");
  expect(await server.openConnections()).toBe(1);
  await expect.poll(() => server.openConnections()).toBe(0);
});

test("closes all connections on close", async () => {
  await clients.call({ url: server.url, caBundle: server.caBundle }, 10, "{}");
  expect(await server.openConnections()).toBe(1);
  clients.close();
  await expect.poll(() => server.openConnections()).toBe(0);
});

test("aborts running calls on close", async () => {
  server.answerWith(() => ({ body: "{}", delay: 60_000 }));
  const call = clients.call({ url: server.url, caBundle: server.caBundle }, 30, "{}");
  const failed = expect(call).rejects.toThrow(/: context canceled$/);
  await expect.poll(() => server.requests.length).toBe(1);
  clients.close();
  await failed;
});

test("reports a timeout as an exceeded deadline", async () => {
  server.answerWith(() => ({ body: "{}", delay: 60_000 }));
  const call = clients.call({ url: `${server.url}/slow`, caBundle: server.caBundle }, 1, "{}");
  await expect(call).rejects.toThrow(`Post "${server.url}/slow?timeout=1s": context deadline exceeded`);
});

test("reports a refused connection as Go does", async () => {
  const call = clients.call({ url: "https://127.0.0.1:1/x", caBundle: server.caBundle }, 10, "{}");
  await expect(call).rejects.toThrow(
    'Post "https://127.0.0.1:1/x?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused',
  );
});

test("rejects a certificate of an unknown authority before it sends anything", async () => {
  const other = await new WebhookServer(() => ({ body: "{}" })).listen();
  const call = clients.call({ url: server.url, caBundle: other.caBundle }, 10, "{}");
  await expect(call).rejects.toThrow(
    `Post "${server.url}/?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority (possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority certificate "webhook-ca")`,
  );
  await expect(clients.call({ url: server.url }, 10, "{}")).rejects.toThrow(
    /x509: certificate signed by unknown authority$/,
  );
  expect(server.requests).toHaveLength(0);
  await other.close();
});

test("rejects a certificate for other names", async () => {
  const other = await new WebhookServer(() => ({ body: "{}" }), ["a.example.com", "127.0.0.2"]).listen();
  const { port } = other;
  await expect(clients.call({ url: other.url, caBundle: other.caBundle }, 10, "{}")).rejects.toThrow(
    "tls: failed to verify certificate: x509: certificate is valid for 127.0.0.2, not 127.0.0.1",
  );
  const byName = { url: `https://localhost:${port}`, caBundle: other.caBundle };
  await expect(clients.call(byName, 10, "{}")).rejects.toThrow(
    "x509: certificate is valid for a.example.com, not localhost",
  );
  await other.close();
});

test("rejects a certificate that has expired", async () => {
  const later = new WebhookClients({ ...options, now: () => Date.parse("2126-01-01T00:00:00Z") });
  await expect(later.call({ url: server.url, caBundle: server.caBundle }, 10, "{}")).rejects.toThrow(
    /x509: certificate has expired or is not yet valid: current time 2126-01-01T00:00:00Z is after \d{4}-.*Z$/,
  );
  later.close();
});

test("reports a server without TLS", async () => {
  const plain = createServer((_request, response) => response.end("{}"));
  await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(plain.address() as AddressInfo).port}/`;
  await expect(clients.call({ url, caBundle: server.caBundle }, 10, "{}")).rejects.toThrow(
    `Post "${url}?timeout=10s": http: server gave HTTP response to HTTPS client`,
  );
  await new Promise((resolve) => plain.close(resolve));
});

test("reports a bundle that isn't PEM", async () => {
  await expect(clients.call({ url: server.url, caBundle: "eA==" }, 10, "{}")).rejects.toMatchObject({
    message: "unable to load root certificates: unable to parse bytes as PEM block",
    badConfiguration: true,
  });
});

test("calls services by their names and reports missing ones", async () => {
  const other = await new WebhookServer(() => ({ body: "{}" }), ["hook.ns.svc"]).listen();
  const byService = new WebhookClients({ ...options, resolveService: () => ({ host: "127.0.0.1", port: other.port }) });
  const service = { namespace: "ns", name: "hook", path: "/v", port: 8443 };
  await byService.call({ service, caBundle: other.caBundle }, 5, "{}");
  expect(other.requests[0]).toMatchObject({ path: "/v?timeout=5s", headers: { host: "hook.ns.svc:8443" } });
  byService.close();
  await other.close();
  const missing = { service: { namespace: "ns", name: "none" }, caBundle: server.caBundle };
  await expect(clients.call(missing, 10, "{}")).rejects.toThrow(
    'Post "https://none.ns.svc:443/?timeout=10s": service "none" not found',
  );
});

const expected = { group: "admission.k8s.io", version: "v1", kind: "AdmissionReview", versions: ["v1", "v1beta1"] };
const head = String.raw`json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
const wrong: [string, { status?: number; type?: string; body: string }, string][] = [
  [
    "an error of the server",
    { status: 500, type: "text/plain", body: "webhook says no\n" },
    'an error on the server ("webhook says no") has prevented the request from succeeding',
  ],
  [
    "an error whose body isn't text",
    { status: 500, type: "application/json", body: "x" },
    'an error on the server ("unknown") has prevented the request from succeeding',
  ],
  ["a missing path", { status: 404, type: "text/plain", body: "" }, "the server could not find the requested resource"],
  [
    "a redirection",
    { status: 304, type: "text/plain", body: "" },
    "the server responded with the status code 304 but did not return more information",
  ],
  [
    "a Status as error",
    { status: 503, body: '{"apiVersion":"v1","kind":"Status","status":"Failure","message":"later"}' },
    "later",
  ],
  ["no body", { body: "" }, "0-length response with status code: 200 and content type: application/json"],
  [
    "a Status",
    { body: '{"apiVersion":"v1","kind":"Status","status":"Success"}' },
    "converting (v1.Status) to (v1.AdmissionReview): unknown conversion",
  ],
  ["text", { body: "not json" }, `couldn't get version/kind; json parse error: ${head}`],
  [
    "another kind",
    { body: '{"apiVersion":"admission.k8s.io/v1","kind":"Other"}' },
    'no kind "Other" is registered for version "admission.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"',
  ],
  [
    "another version",
    { body: '{"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview"}' },
    "converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion",
  ],
];

test.each(wrong)("reads no document from %s", (_name, { status = 200, type = "application/json", body }, message) => {
  const response = { status, contentType: type, body: Buffer.from(body) };
  expect(() => webhookDocument(response, expected, JSON.parse)).toThrow(new Error(message));
});

test("reads a document without a kind, and one in YAML", () => {
  const read = (body: string) =>
    webhookDocument({ status: 200, contentType: "", body: Buffer.from(body) }, expected, JSON.parse);
  expect(read("{}")).toEqual({});
  expect(read("apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nresponse: {uid: a}\n")).toMatchObject({
    response: { uid: "a" },
  });
});

test("keeps a limited number of trusted authorities, since each rotation of a certificate adds one", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const pem = Buffer.from(server.caBundle, "base64").toString();
  const rotate = async (times: number): Promise<number> => {
    for (let i = 0; i < times; i++) {
      const caBundle = Buffer.from(`${pem}# ${Math.random()}\n`).toString("base64");
      // Nothing listens there, which saves a handshake.
      await clients.call({ url: "https://127.0.0.1:1", caBundle }, 10, "{}").catch(() => {});
    }
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = await rotate(150);
  const after = await rotate(300);
  expect((after - before) / 300).toBeLessThan(1000);
});
