import { connect as connectPlain } from "node:net";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import { type ApiServer, startApiServer } from "../server/server.ts";

let server: ApiServer;
let plainServer: ApiServer;
const tokens = new Map([["secret", { name: "reader", groups: ["system:masters"] }]]);

beforeAll(async () => {
  server = await startApiServer({ tokens });
  plainServer = await startApiServer({ tls: false, tokens });
});
afterAll(async () => {
  await server.stop();
  await plainServer.stop();
});

const fields = {
  Host: "a",
  Authorization: "Bearer secret",
  Connection: "keep-alive, Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  Origin: "http://a",
};
const accepted =
  "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n";
const watch = "/api/v1/namespaces?watch=1&fieldSelector=metadata.name=default";
const closed = (code: number): string => Buffer.from([0x88, 2, code >> 8, code & 0xff]).toString("latin1");

/** Sends a request, then bytes, and returns what the server sends until it closes the connection. */
function exchange(
  line: string,
  head: Record<string, string | undefined>,
  after?: Buffer | string,
  { url } = server,
): Promise<string> {
  const { hostname, port, protocol } = new URL(url);
  const set = Object.entries(head).filter(([, value]) => value !== undefined);
  const text = set.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const start = `${line} HTTP/1.1\r\n${text}\r\n${typeof after === "string" ? after : ""}`;
  return new Promise((resolve, reject) => {
    const socket =
      protocol === "https:"
        ? connect({ port: Number(port), host: hostname, rejectUnauthorized: false })
        : connectPlain(Number(port), hostname);
    let received = "";
    let isSent = typeof after !== "object";
    socket.write(start);
    socket.setEncoding("latin1").on("data", (part) => {
      received += part;
      if (!isSent && received.includes("ADDED")) socket.write(after as Buffer);
      isSent ||= received.includes("ADDED");
    });
    socket.on("error", reject).on("close", () => resolve(received));
  });
}

/** A frame of a client, masked with the bytes 1 to 4. */
function frame(operation: number, payload: string): Buffer {
  const masked = Buffer.from(payload).map((byte, index) => byte ^ ((index % 4) + 1));
  return Buffer.concat([Buffer.from([0x80 | operation, 0x80 | payload.length, 1, 2, 3, 4]), masked]);
}

describe("a watch over a WebSocket", () => {
  it("sends an event per message, and ends", async () => {
    const answer = await exchange(`GET ${watch}&timeoutSeconds=1`, fields);
    expect(answer.startsWith(`${accepted}\r\n\u0081~`)).toBe(true);
    const [, event = ""] = /(\{"type":"ADDED".*\}\n)/.exec(answer) ?? [];
    expect(answer.at(accepted.length + 2 + 2)?.charCodeAt(0)).toBe(event.length >> 8);
    expect(answer.endsWith(event + closed(1000))).toBe(true);
  });

  fullTest("sends protobuf without the lengths of streams, as binary messages", async () => {
    const accept = "application/vnd.kubernetes.protobuf;stream=watch";
    const answer = await exchange(`GET ${watch}&timeoutSeconds=1`, { ...fields, Accept: accept });
    expect(answer.slice(accepted.length + 2)).toMatch(/^\u{82}~..\n.ADDED/su);
  });

  it.each([
    ["a close of the client", frame(8, ""), closed(1000)],
    ["frames that aren't masked", Buffer.from([0x81, 1, 97]), closed(1002)],
    ["long control frames", Buffer.from([0x89, 0xfe, 1, 0, 0, 0, 0, 0]), closed(1002)],
  ])("ends after %s", async (_name, sent, end) => {
    expect((await exchange(`GET ${watch}`, fields, sent)).endsWith(`}}\n${end}`)).toBe(true);
  });

  it("answers pings and ignores messages, also in parts", async () => {
    const sent = Buffer.concat([frame(1, "text"), frame(2, "bytes"), frame(9, "hello"), frame(8, "")]);
    expect(await exchange(`GET ${watch}`, fields, sent)).toContain(`\n\u008a\u0005hello${closed(1000)}`);
  });

  it.each([
    ["400 Bad Request\r\n\r\nmismatch challenge/response", { "Sec-WebSocket-Key": undefined }],
    ["400 Bad Request\r\nSec-WebSocket-Version: 13\r\n\r\nmissing or bad", { "Sec-WebSocket-Version": "8" }],
    ["403 Forbidden\r\n\r\n", { Origin: undefined }],
    ["400 Bad Request\r\n\r\n", { "Sec-WebSocket-Protocol": "a, b" }],
  ])("is refused: %s", async (reason, head) => {
    expect(await exchange(`GET ${watch}`, { ...fields, ...head })).toContain(`HTTP/1.1 ${reason}`);
  });

  const token = `base64url.bearer.authorization.k8s.io.${Buffer.from("secret").toString("base64url")}`;
  it.each([
    ["101", `${token}, other`],
    ["401", token],
    ["401", `${token}x, other`],
    ["401", `${token}, ${token}, other`],
    ["403", "other"],
  ])("is answered with %s for a token among its protocols: %s", async (status, protocols) => {
    const head = { ...fields, Authorization: undefined, "Sec-WebSocket-Protocol": protocols };
    const answer = await exchange(`GET ${watch}&timeoutSeconds=1`, head);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    if (status === "101") expect(answer).toContain("Sec-WebSocket-Protocol: other\r\n\r\n");
  });
});

test("other requests for a WebSocket are answered like all others", async () => {
  expect(await exchange("GET /api/v1/namespaces/default", fields)).toMatch(
    /^HTTP\/1.1 200 OK\r\n.*"kind":"Namespace"/s,
  );
});

test("other protocols are ignored, and the body of the request is read", async () => {
  const head = { Host: "a", Authorization: "Bearer secret", Connection: "Upgrade, close", Upgrade: "h2c" };
  const body = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } });
  const length = { "Content-Type": "application/json", "Content-Length": String(body.length) };
  for (const listener of [server, plainServer]) {
    const answer = await exchange("POST /api/v1/namespaces/default/configmaps", { ...head, ...length }, body, listener);
    expect(answer).toMatch(/^HTTP\/1.1 201 Created\r\n/);
  }
});
