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

test("warnings and bodies are sent as UTF-8", async () => {
  const response = await new Promise<IncomingMessage>((resolve) => {
    get({ host: "127.0.0.1", port: listener.port, path: "/" }, resolve);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  expect(Buffer.from(String(response.headers.warning), "latin1").toString()).toBe('299 - "ünï"');
  expect(Buffer.concat(chunks).toString()).toBe("bodÿ");
});
