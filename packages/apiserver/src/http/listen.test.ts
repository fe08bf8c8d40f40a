import { get, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { warningHeaders } from "../request/warnings.ts";
import { type Listener, listen } from "./listen.ts";

let listener: Listener;

beforeAll(async () => {
  const answer = { status: 200, headers: { warning: warningHeaders(["ünï"]) }, body: "bodÿ" };
  listener = await listen({ host: "127.0.0.1", port: 0, handle: async () => answer });
});
afterAll(() => listener.close());

function request(headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve) => {
    get({ host: "127.0.0.1", port: listener.port, path: "/", headers }, resolve);
  });
}

test("warnings and bodies are sent as UTF-8", async () => {
  const response = await request();
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  expect(Buffer.from(String(response.headers.warning), "latin1").toString()).toBe('299 - "ünï"');
  expect(Buffer.concat(chunks).toString()).toBe("bodÿ");
});

test("responses have the audit ID of their request, or a new one", async () => {
  expect((await request({ "Audit-ID": "a b" })).headers["audit-id"]).toBe("a b");
  const [first, second] = [await request(), await request()].map(({ headers }) => headers["audit-id"]);
  expect(first).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
  expect(second).not.toBe(first);
});
