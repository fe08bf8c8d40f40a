import { expect, it } from "vitest";
import { requestText } from "./request-text.ts";
import type { WireRequest } from "./wire-request.ts";

const request: WireRequest = {
  origin: "https://k8s",
  method: "PATCH",
  path: "/api/v1/pods?limit=1",
  headers: { accept: "application/json", "impersonate-group": ["a", "b"] },
  headersTimeout: 0,
  bodyTimeout: 0,
};

it("requestText returns head and body in one text, with the length of the body in bytes", () => {
  expect(requestText({ ...request, body: '{"a":"b"}' }, "k8s:6443")).toEqual({
    text:
      "PATCH /api/v1/pods?limit=1 HTTP/1.1\r\nhost: k8s:6443\r\nconnection: keep-alive\r\naccept: application/json\r\n" +
      'impersonate-group: a\r\nimpersonate-group: b\r\ncontent-length: 9\r\n\r\n{"a":"b"}',
    encoding: "latin1",
  });
  const { text, encoding } = requestText({ ...request, body: '"ü€"' }, "k8s");
  expect(encoding).toBe("utf8");
  expect(text).toContain("content-length: 7\r\n");
});

it("requestText adds a length of 0 without a body if the method allows a body", () => {
  expect(requestText(request, "k8s").text).toContain("content-length: 0\r\n");
  expect(requestText({ ...request, method: "GET" }, "k8s").text).not.toContain("content-length");
});

it("requestText rejects values that would add a header or a request", () => {
  for (const value of ["a\r\nb: c", "a\nb", "a\0"]) {
    expect(() => requestText({ ...request, headers: { accept: value } }, "k8s")).toThrow(/accept/);
  }
  for (const path of ["/a b", "/a\r\nHost: x", "/ü"]) {
    expect(() => requestText({ ...request, path }, "k8s")).toThrow(/isn't escaped/);
  }
});
