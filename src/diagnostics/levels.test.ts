import { describe, expect, it } from "vitest";
import { readLevels } from "./levels.ts";

describe("levels of diagnostics", () => {
  it("are set by ID", () => {
    expect(readLevels({ "crd-too-big": "off", "bad-pattern": "error", "unknown-marker": "warning" })).toEqual({
      levels: { "crd-too-big": "off", "bad-pattern": "error", "unknown-marker": "warning" },
    });
    expect(readLevels({})).toEqual({ levels: {} });
  });

  it("accept the values that YAML 1.1 reads as off", () => {
    expect(readLevels({ "crd-too-big": false })).toEqual({ levels: { "crd-too-big": "off" } });
  });

  it.each([
    [{ "crd-to-big": "off" }, 'unknown diagnostic "crd-to-big"', "did you mean `crd-too-big`?"],
    [{ zzzzzzzzzz: "off" }, 'unknown diagnostic "zzzzzzzzzz"', "see docs/reference/diagnostics.md for all ids"],
    [{ __proto__x: "off" }, "unknown diagnostic", "docs"],
    [{ "crd-too-big": "warn" }, 'crd-too-big: "warn" isn\'t a valid level', "set crd-too-big to off, warning or error"],
    [{ "crd-too-big": "eror" }, 'crd-too-big: "eror" isn\'t a valid level', "did you mean error?"],
    [{ "crd-too-big": true }, "crd-too-big: true isn't a valid level", "off"],
    [{ "invalid-marker": "warning" }, "invalid-marker can't be set to warning", "fix the reported errors"],
    [{ "unknown-type": "off" }, "unknown-type can't be set to off", "fix the reported errors"],
    ["off", "diagnostics must be a map of ids to levels", "such as"],
    [["crd-too-big"], "diagnostics must be a map of ids to levels", "such as"],
    [null, "diagnostics must be a map of ids to levels", "such as"],
  ])("are rejected if invalid: %j", (given, message, hint) => {
    expect(readLevels(given)).toEqual({
      problems: [{ message: expect.stringContaining(message), hint: expect.stringContaining(hint) }],
    });
  });

  it("are reported with all their problems", () => {
    const read = readLevels({ a: "off", "crd-too-big": "no" });
    expect("problems" in read && read.problems).toHaveLength(2);
  });

  it("accept the level error for an error", () => {
    expect(readLevels({ "unknown-type": "error" })).toEqual({ levels: { "unknown-type": "error" } });
  });
});
