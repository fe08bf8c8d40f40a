import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { widgetDefinition } from "../custom-resources/widget.fixture.ts";
import { type ApiServer, startApiServer } from "../server/server.ts";

it("caches a document of OpenAPI v3 under its hash for a year, and redirects from other hashes", async () => {
  const server = await startApiServer({ http: false, authorization: "always-allow" });
  onTestFinished(() => server.stop());
  const get = (url: string) => server.handle({ method: "GET", url, headers: {} });
  const { paths } = JSON.parse(String((await get("/openapi/v3")).body));
  const url = paths["apis/coordination.k8s.io/v1"].serverRelativeURL as string;
  const cached = await get(url);
  expect(cached).toMatchObject({ status: 200, headers: { "cache-control": "public, immutable", vary: "Accept" } });
  expect(Date.parse(String(cached.headers.expires))).toBeGreaterThan(Date.now() + 364 * 24 * 3_600_000);
  const path = "/openapi/v3/apis/coordination.k8s.io/v1";
  expect(await get(`${path}?hash=old`)).toMatchObject({ status: 301, headers: { location: url } });
  const plain = await get(path);
  expect(plain.status).toBe(200);
  expect(plain.headers["cache-control"]).not.toContain("immutable");
});

it("changes the date of a document with each version, also within a second", async () => {
  const server = await startApiServer({ http: false, authorization: "always-allow" });
  onTestFinished(() => server.stop());
  const index = async (since = "") => {
    const headers: Record<string, string> = since === "" ? {} : { "if-modified-since": since };
    const { status, headers: answered, body } = await server.handle({ method: "GET", url: "/openapi/v3", headers });
    return {
      status,
      date: String(answered["last-modified"]),
      hasWidgets: String(body).includes("apis/example.com/v1"),
    };
  };
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } };
  const body = JSON.stringify(widgetDefinition([version]));
  const first = await index();
  await server.handle({ method: "POST", url: definitions, headers: { "content-type": "application/json" }, body });
  await expect.poll(async () => (await index()).hasWidgets).toBe(true);
  const second = await index(first.date);
  expect(second.status).toBe(200);
  expect((await index(second.date)).status).toBe(304);
  await server.handle({ method: "DELETE", url: `${definitions}/widgets.example.com`, headers: {} });
  await expect.poll(async () => (await index()).hasWidgets).toBe(false);
  expect((await index(second.date)).status).toBe(200);
});

describe("the conditions of a request", () => {
  let server: ApiServer;
  let date: string;
  let before: string;
  beforeAll(async () => {
    server = await startApiServer({ http: false, authorization: "always-allow" });
    date = (await get({})).headers["last-modified"] as string;
    before = new Date(Date.parse(date) - 1000).toUTCString();
  });
  afterAll(() => server.stop());
  const get = (headers: Record<string, string>, path = "/openapi/v3/apis/coordination.k8s.io/v1", method = "GET") =>
    server.handle({ method, url: path, headers });

  it("are checked against the date and the hash", async () => {
    const { headers } = await get({});
    expect(headers).toMatchObject({ "last-modified": date, "accept-ranges": "bytes", vary: "Accept" });
    const etag = headers.etag as string;
    const statuses: [number, Record<string, string>, string?][] = [
      [304, { "if-modified-since": date }],
      [200, { "if-modified-since": before }],
      [200, { "if-modified-since": "yesterday" }],
      [304, { "if-none-match": `"x", W/${etag}` }],
      [304, { "if-none-match": "*" }],
      [412, { "if-none-match": etag }, "POST"],
      [200, { "if-none-match": '"x"', "if-modified-since": date }],
      [412, { "if-match": `"x", W/${etag}` }],
      [200, { "if-match": etag, "if-unmodified-since": before }],
      [412, { "if-unmodified-since": before }],
    ];
    for (const [status, fields, method] of statuses) {
      expect([fields, (await get(fields, undefined, method)).status]).toEqual([fields, status]);
    }
    expect((await get({ "if-none-match": "*" })).headers).not.toHaveProperty("last-modified");
  });

  it("select parts of the document", async () => {
    const body = String((await get({})).body);
    const part = async (range: string, fields = {}) => {
      const { status, headers, body: text } = await get({ range, ...fields });
      return [status, headers["content-range"], String(text)];
    };
    expect(await part("bytes=0-9")).toEqual([206, `bytes 0-9/${body.length}`, body.slice(0, 10)]);
    expect(await part("bytes=-5")).toEqual([
      206,
      `bytes ${body.length - 5}-${body.length - 1}/${body.length}`,
      body.slice(-5),
    ]);
    expect((await part(`bytes=${body.length - 2}-`)).at(2)).toBe(body.slice(-2));
    expect(await part(`bytes=${body.length}-`)).toEqual([
      416,
      `bytes */${body.length}`,
      "invalid range: failed to overlap\n",
    ]);
    expect(await part("bytes=5-1")).toEqual([416, undefined, "invalid range\n"]);
    expect(await part("bytes=0-1", { "if-range": '"x"' })).toEqual([200, undefined, body]);
  });

  it("of the index have only its date", async () => {
    const { headers } = await get({}, "/openapi/v3");
    expect(headers).not.toHaveProperty("etag");
    const since = headers["last-modified"] as string;
    const again = await get({ "if-modified-since": since }, "/openapi/v3");
    expect(again).toMatchObject({ status: 304, headers: { "last-modified": since } });
  });
});
