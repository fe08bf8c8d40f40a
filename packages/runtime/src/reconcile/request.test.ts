import { describe, expect, it } from "vitest";
import { requestKey } from "./request.ts";

describe("requestKey", () => {
  it("depends on namespace, name and cluster", () => {
    const key = requestKey({ namespace: "a", name: "b" });
    expect(requestKey({ name: "b", namespace: "a" })).toBe(key);
    expect(requestKey({ namespace: "a", name: "b", cluster: undefined })).toBe(key);
    expect(requestKey({ namespace: "a", name: "b", cluster: "west" })).not.toBe(key);
    expect(requestKey({ namespace: "", name: "b" })).not.toBe(key);
  });

  it("depends on the value of a custom request, but not on the order of its fields", () => {
    const key = requestKey({ zone: "z", of: { namespace: "a", name: "b" }, tags: [1, null] });
    expect(requestKey({ tags: [1, null], of: { name: "b", namespace: "a" }, zone: "z", none: undefined })).toBe(key);
    const others = [
      { zone: "z", of: { namespace: "a", name: "b" }, tags: [null, 1] },
      { namespace: "a", name: "b", shard: 1 },
      { namespace: "a", name: "b", shard: "1" },
      { namespace: "a", name: "b", shard: 1n },
      { namespace: "a", name: "b", shard: Number.NaN },
      { at: new Date(5) },
      { at: 5 },
      { at: { date: 5 } },
      "a/b",
      ["a", "b"],
      7,
      null,
      true,
    ];
    expect(new Set([key, ...others.map(requestKey)]).size).toBe(others.length + 1);
  });

  it("rejects values that can't be compared", () => {
    expect(() => requestKey(new Map())).toThrow("invalid request: it contains a Map");
    expect(() => requestKey({ call: () => {} })).toThrow("a value of type function");
    expect(() => requestKey(undefined)).toThrow(TypeError);
  });
});
