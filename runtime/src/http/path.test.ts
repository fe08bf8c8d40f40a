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
])("the path of %s is %s", (url, path) => {
  expect(pathOf(url)).toBe(path);
});

it("of a request without a URL there is still a path", () => {
  expect(pathOf(undefined)).toBe("/");
});

it("gives the query, and an empty one where there is none", () => {
  expect(queryOf("/healthz?verbose&exclude=a&exclude=b#x").getAll("exclude")).toEqual(["a", "b"]);
  expect([...queryOf("/healthz")]).toEqual([]);
});
