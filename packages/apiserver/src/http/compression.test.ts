import { get, type IncomingMessage } from "node:http";
import { createGunzip, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/server.ts";

// The expectations are what kube-apiserver 1.37.2 answers.
const maps = "/api/v1/namespaces/default/configmaps";
const events = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({ tls: false, authorization: "always-allow" });
  const headers = { "content-type": "application/json" };
  for (const [name, length] of Object.entries({ big: 200_000, small: 1 })) {
    const body = JSON.stringify({ metadata: { name }, data: { a: "x".repeat(length) } });
    await server.handle({ method: "POST", url: maps, headers, body });
  }
});
afterAll(() => server.stop());

function open(path: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${server.url}${path}`, { headers, agent: false }, resolve).on("error", reject);
  });
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

describe.each([
  ["a large object", `${maps}/big`],
  ["a large list", maps],
  ["the second version of OpenAPI", "/openapi/v2"],
])("%s", (_, path) => {
  it("is compressed if the client accepts gzip", async () => {
    const response = await open(path, { "accept-encoding": "deflate, gzip ,br" });
    expect(response.headers).toMatchObject({
      "content-encoding": "gzip",
      vary: expect.stringContaining("Accept-Encoding"),
    });
    const plain = await bodyOf(await open(path, {}));
    // Comparing each byte takes seconds.
    expect(gunzipSync(await bodyOf(response)).equals(plain)).toBe(true);
  });

  it.each([{}, { "accept-encoding": "gzip;q=1" }, { "accept-encoding": "GZIP" }, { "accept-encoding": "br" }])(
    "isn't compressed with the headers %j",
    async (headers) => {
      const response = await open(path, headers as Record<string, string>);
      expect(response.headers["content-encoding"]).toBeUndefined();
      await bodyOf(response);
    },
  );
});

it.each([
  ["a small object", `${maps}/small`],
  ["discovery", "/api/v1"],
  ["the third version of OpenAPI", "/openapi/v3/api/v1"],
  ["a watch without bookmarks", `${maps}?${events}`],
  ["a watch without initial events", `${maps}?watch=true`],
])("%s is never compressed", async (_, path) => {
  const response = await open(path, { "accept-encoding": "gzip" });
  expect(response.statusCode).toBe(200);
  expect(response.headers["content-encoding"]).toBeUndefined();
  response.destroy();
});

it("a watch with initial events and bookmarks is compressed, and sends each event at once", async () => {
  const response = await open(`${maps}?${events}&allowWatchBookmarks=true`, { "accept-encoding": "gzip" });
  expect(response.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
  let text = "";
  const seen = async (word: string): Promise<void> => {
    while (!text.includes(word)) await new Promise((resolve) => plain.once("data", resolve));
  };
  const plain = response.pipe(createGunzip()).on("data", (chunk) => (text += chunk));
  await seen("k8s.io/initial-events-end");
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ metadata: { name: "later" } });
  await server.handle({ method: "POST", url: maps, headers, body });
  await seen('"later"');
  response.destroy();
  const lines = text.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(["ADDED", "ADDED", "BOOKMARK", "ADDED"]);
});

it.each([
  ["APIResponseCompression", `${maps}`],
  ["WatchListCompression", `${maps}?${events}&allowWatchBookmarks=true`],
])("the feature gate %s switches it off", async (gate, path) => {
  const other = await startApiServer({
    tls: false,
    authorization: "always-allow",
    featureGates: { [gate]: false },
  });
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ metadata: { name: "big" }, data: { a: "x".repeat(200_000) } });
  await other.handle({ method: "POST", url: maps, headers, body });
  const response = await new Promise<IncomingMessage>((resolve) =>
    get(`${other.url}${path}`, { headers: { "accept-encoding": "gzip" }, agent: false }, resolve),
  );
  expect(response.headers["content-encoding"]).toBeUndefined();
  response.destroy();
  await other.stop();
});
