import { describe, expect, it } from "vitest";
import { GoPatterns } from "../../regex/go-patterns.ts";
import { textsOf } from "./pattern-text.ts";

describe("texts for patterns", () => {
  it.each([
    ["^oci://.*$", "oci://example"],
    ["^(http|https)://.+$", "http://example"],
    ["^[A-Z]{3}-[0-9]{4}$", "AAA-1111"],
    ["^Z{7}$", "ZZZZZZZ"],
    ["^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "a"],
    ["^projects/[a-z][a-z0-9-]{4,28}/topics/[^/]+$", "projects/aexample/topics/example"],
    ["^(?P<bucket>[^:]+):\\d+\\z", "example:1"],
    ["^[[:alpha:]]{2}$", "aa"],
    ["(?i)^sha256:[a-f0-9]{64}$", `sha256:${"a".repeat(64)}`],
    ["^\\+[1-9]\\d{1,14}$", "+11"],
  ])("a text that %s matches is %s", (pattern, expected) => {
    const [first = ""] = textsOf(pattern, 0, 0);
    expect(first).toBe(expected);
    expect(new GoPatterns().test(pattern, first)).toBe(true);
  });

  it("are different for the items of a list", () => {
    expect([0, 1].map((index) => [...textsOf("^oci://.+$", 0, index)][0])).toEqual(["oci://example", "oci://example1"]);
  });

  it("can be as long as a limit requires", () => {
    expect([...textsOf("^s3:[ab]*$", 12, 0)]).toContainEqual(`s3:${"a".repeat(12)}`);
  });

  it("are none for a pattern that can't be read, or whose repetitions are too many", () => {
    expect([...textsOf("^(", 0, 0)]).toEqual([]);
    expect([...textsOf("^((a{1000}){1000}){1000}$", 0, 0)]).toEqual([]);
  });
});
