import { expect, it, onTestFinished } from "vitest";
import { startApiServer } from "../server.ts";

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
