import { expect, it } from "vitest";
import { pathOf, queryOf } from "./path.ts";

it.each([
  ["/metrics", "/metrics"],
  ["/metrics?x=/y#z", "/metrics"],
  ["//metrics", "/metrics"],
  ["http://host:8080/metrics?x", "/metrics"],
  ["http://host", "/"],
  ["http://", "/"],
  ["//", "/"],
  ["", "/"],
  ["*", "/*"],
  ["?", "/"],
  ["/x/../metrics", "/x/../metrics"],
  ["/%6detrics", "/%6detrics"],
  ["/%", "/%"],
])("pathOf maps %s to %s", (url, path) => {
  expect(pathOf(url)).toBe(path);
});

it("pathOf returns / for a request without a URL", () => {
  expect(pathOf(undefined)).toBe("/");
});

it("queryOf returns the parameters, or none if the URL has no query", () => {
  expect(queryOf("/healthz?verbose&exclude=a&exclude=b#x").getAll("exclude")).toEqual(["a", "b"]);
  expect([...queryOf("/healthz")]).toEqual([]);
});
