import { expect, test } from "vitest";
import { timeoutOf } from "./deadline.ts";
import { requestInfo } from "./request-info.ts";

const limitOf = (url: string): number => timeoutOf(requestInfo("GET", url));

test.each([
  ["/api/v1/pods", 60_000],
  ["/api/v1/pods?timeout=", 60_000],
  ["/api/v1/pods?timeout=1.5s", 1500],
  ["/api/v1/pods?timeout=2m", 60_000],
  ["/api/v1/pods?timeout=0s", 60_000],
  ["/api/v1/pods?timeout=-1s", 60_000],
  ["/version?timeout=5s", 5000],
  ["/api/v1/pods?watch=1&timeout=x", Number.POSITIVE_INFINITY],
  ["/api/v1/namespaces/a/pods/b/log?timeout=x", Number.POSITIVE_INFINITY],
])("the limit of %s is %d ms", (url, limit) => expect(limitOf(url)).toBe(limit));

test.each([
  ["x", 'time: invalid duration "x"'],
  ["5", 'time: missing unit in duration "5"'],
  ["1s5", 'time: missing unit in duration "1s5"'],
  ["5x", 'time: unknown unit "x" in duration "5x"'],
])("the timeout %s isn't valid", (text, problem) => {
  expect(() => limitOf(`/api/v1/pods?timeout=${text}`)).toThrow(
    `invalid timeout specified in the request URL - ${problem}`,
  );
});
