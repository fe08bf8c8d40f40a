import { describe, expect, it } from "vitest";
import { fieldSelector, labelSelector } from "./selectors.ts";

describe("label selectors", () => {
  it("K8: join labels, all of which must match, or keep text unchanged", () => {
    expect(labelSelector({ b: "2", "example.com/a": "", c: "x-y_z.1" })).toBe("b=2,c=x-y_z.1,example.com/a=");
    expect(labelSelector("a in (b,c),!d")).toBe("a in (b,c),!d");
    expect(labelSelector({})).toBeUndefined();
    expect(labelSelector("")).toBeUndefined();
    expect(labelSelector(undefined)).toBeUndefined();
  });

  it.each([
    { "a,b": "x" },
    { "": "x" },
    { a: "x,y" },
    { a: "b=c" },
    { a: "-x" },
    { a: "x".repeat(64) },
    { "Ex/a": "x" },
    { "a/b/c": "x" },
  ])("reject %j, which no object can have", (labels) => {
    expect(() => labelSelector(labels as unknown as Record<string, string>)).toThrow(TypeError);
  });
});

describe("field selectors", () => {
  it("strip the leading dot and escape values", () => {
    expect(fieldSelector({ ".spec.nodeName": "n1", "metadata.name": "a,b=c\\d" })).toBe(
      "spec.nodeName=n1,metadata.name=a\\,b\\=c\\\\d",
    );
    expect(fieldSelector({})).toBeUndefined();
  });

  it("reject invalid paths", () => {
    expect(() => fieldSelector({ "a=b": "x" })).toThrow(TypeError);
    expect(() => fieldSelector({ ".": "x" })).toThrow(TypeError);
  });
});
