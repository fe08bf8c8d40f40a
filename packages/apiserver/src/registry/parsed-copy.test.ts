import type { Json, JsonObject } from "@kubewright/cel/json";
import { describe, expect, it } from "vitest";
import { parsedCopy } from "./parsed-copy.ts";

const nested = (levels: number): JsonObject => (levels === 0 ? {} : { a: nested(levels - 1) });

describe("parsedCopy", () => {
  it("returns what the parser reads, with the same order of keys", () => {
    const value = { b: 1.5, a: [null, "x", { c: true, 1: -3 }], absent: undefined, empty: {} } as unknown as JsonObject;
    const copy = parsedCopy(value) as JsonObject;
    expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
    expect(Object.keys(copy)).toEqual(["b", "a", "empty"]);
  });

  it("shares nothing with the value", () => {
    const value = { a: [{ b: {} }] };
    const copy = parsedCopy(value) as typeof value;
    expect(copy).toEqual(value);
    expect(copy.a).not.toBe(value.a);
    expect(copy.a[0]).not.toBe(value.a[0]);
    expect(copy.a[0]?.b).not.toBe(value.a[0]?.b);
  });

  it.each([
    ["a long integer", 9007199254740993n],
    ["a number that is parsed as a long integer", 12345678901234567000],
    ["a negative zero", -0],
    ["a number that JSON doesn't have", Number.NaN],
    ["a key that sets the prototype", JSON.parse('{"__proto__":1}') as Json],
    ["many levels", nested(100)],
  ] as [string, Json][])("leaves %s to the parser", (_, part) => {
    expect(parsedCopy({ list: [part] })).toBeUndefined();
  });
});
