import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiServer, startApiServer } from "../server/server.ts";

let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({ tls: false, authorization: "always-allow" });
});
afterAll(() => server.stop());

/** Sends text to the server and returns what it sends until it closes the connection. */
function exchange(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const socket: Socket = connect(Number(port), hostname, () => socket.write(text));
    let received = "";
    socket.setEncoding("utf8").on("data", (part) => {
      received += part;
    });
    socket.on("error", reject).on("close", () => resolve(received));
  });
}

const configMaps = "/api/v1/namespaces/default/configmaps";

test.each(["FOO", "get", "Patch", "CONNECT", "M!x"])("the method %s isn't allowed for resources", async (method) => {
  const answer = await exchange(`${method} ${configMaps} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}`);
  expect(answer).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
  expect(answer).toContain('"message":"the server does not allow this method on the requested resource"');
  expect(answer.toLowerCase()).toContain("cache-control: no-cache, private\r\n");
});

test("paths that accept every method also accept unknown methods", async () => {
  expect(await exchange("FOO /healthz HTTP/1.1\r\nHost: a\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nok$/s);
  expect(await exchange("FOO /none HTTP/1.1\r\nHost: a\r\n\r\n")).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
});

test("the server reads the header fields of requests with unknown methods", async () => {
  const answer = await exchange(`FOO ${configMaps} HTTP/1.1\r\nHost: a\r\nUser-Agent: curl/8\r\n\r\n`);
  expect(answer).toContain('{\n  "kind": "Status",');
});

test.each([
  "F@O / HTTP/1.1\r\nHost: a\r\n\r\n",
  "nothing of HTTP\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: a\r\nA B: c\r\n\r\n",
])("%j is a bad request", async (text) => {
  const answer = await exchange(text);
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nContent-Type: text\/plain; charset=utf-8\r\n/);
  expect(answer).toMatch(/\r\n\r\n400 Bad Request$/);
});

test.each([
  ["GET /healthz HTTP/1.1\r\n", "400 Bad Request: missing required Host header"],
  ["FOO /healthz HTTP/1.1\r\n", "400 Bad Request: missing required Host header"],
  ["GET /healthz HTTP/1.1\r\nHost: a b\r\n", "400 Bad Request: malformed Host header"],
  ["GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n", "400 Bad Request"],
  ["GET /healthz HTTP/2.0\r\nHost: a\r\n", "505 HTTP Version Not Supported: unsupported protocol version"],
  ["GET /healthz HTTP/9.9\r\nHost: a\r\n", "505 HTTP Version Not Supported: unsupported protocol version"],
  ["GET /healthz HTTP/0.9\r\nHost: a\r\n", "505 HTTP Version Not Supported: unsupported protocol version"],
  ["GET healthz HTTP/1.1\r\nHost: a\r\n", "400 Bad Request"],
  ["GET /%zz HTTP/1.1\r\nHost: a\r\n", "400 Bad Request"],
])("%j is refused with %s", async (head, reason) => {
  const answer = await exchange(`${head}\r\n`);
  const fields = "Content-Type: text/plain; charset=utf-8\r\nConnection: close";
  expect(answer).toBe(`HTTP/1.1 ${reason}\r\n${fields}\r\n\r\n${reason}`);
});

test.each([
  "GET /healthz HTTP/1.0\r\n\r\n",
  "GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n",
  "GET /healthz HTTP/1.2\r\nHost: a\r\n\r\n",
  "GET /healthz?\u00e9 HTTP/1.1\r\nHost: a\r\n\r\n",
])("%j is answered", async (text) => {
  expect(await exchange(text)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nok$/s);
});

test("a refused request after one that isn't answered yet waits for its response", async () => {
  const [first, second, ...rest] = (
    await exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nFOO /healthz HTTP/1.1\r\nHost: b\r\n\r\n")
  ).split(/(?=HTTP\/1\.1 )/);
  expect([first, second]).toEqual([expect.stringMatching(/\r\n\r\nok$/), expect.stringMatching(/\r\n\r\nok$/)]);
  expect(rest).toEqual([]);
  const body = "{}FOO";
  const short = await exchange(
    `POST ${configMaps} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n${body}`,
  );
  expect(short).toMatch(/^HTTP\/1\.1 422 .*HTTP\/1\.1 400 Bad Request\r\n/s);
});

test("characters of URLs can be UTF-8", async () => {
  const answer = await exchange(`GET ${configMaps}/\u00e9 HTTP/1.1\r\nHost: a\r\n\r\n`);
  expect(answer).toContain('"message":"configmaps \\"\u00e9\\" not found"');
});

test("unknown transfer encodings and expectations are refused", async () => {
  const coded = await exchange("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n");
  expect(coded).toMatch(/^HTTP\/1\.1 501 Not Implemented\r\n.*\r\n\r\nUnsupported transfer encoding$/s);
  const expecting = await exchange("GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: a\r\n\r\n");
  expect(expecting).toMatch(/^HTTP\/1\.1 417 Expectation Failed\r\nconnection: close\r\ncontent-length: 0\r\n/);
});

test("OPTIONS * is answered without a body", async () => {
  const answer = await exchange("OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-length: 0\r\n/);
});

test("the header of a request can have up to 1 MiB", async () => {
  const get = (length: number): Promise<string> =>
    exchange(`GET /healthz?x=${"x".repeat(length)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect(await get(1_000_000)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(await get(1_100_000)).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
});

test("the target of a request can be a whole URL", async () => {
  const answer = await exchange("GET http://a/healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});
