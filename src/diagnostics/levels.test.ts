import { describe, expect, it } from "vitest";
import { readLevels } from "./levels.ts";

describe("levels of diagnostics", () => {
  it("are given by id", () => {
    expect(readLevels({ "crd-too-big": "off", "bad-pattern": "error", "unknown-marker": "warning" })).toEqual({
      levels: { "crd-too-big": "off", "bad-pattern": "error", "unknown-marker": "warning" },
    });
    expect(readLevels({})).toEqual({ levels: {} });
  });

  it("may be what YAML 1.1 makes of off", () => {
    expect(readLevels({ "crd-too-big": false })).toEqual({ levels: { "crd-too-big": "off" } });
  });

  it.each([
    [{ "crd-to-big": "off" }, 'there is no diagnostic "crd-to-big"', "did you mean `crd-too-big`?"],
    [{ zzzzzzzzzz: "off" }, 'there is no diagnostic "zzzzzzzzzz"', "docs/reference/diagnostics.md lists all of them"],
    [{ __proto__x: "off" }, "there is no diagnostic", "docs"],
    [
      { "crd-too-big": "warn" },
      'crd-too-big can\'t be turned to "warn"',
      "write crd-too-big: off, or warning, or error",
    ],
    [{ "crd-too-big": true }, "crd-too-big can't be turned to true", "off"],
    [{ "invalid-marker": "warning" }, "invalid-marker can't be turned to warning", "correct what is reported"],
    [{ "unknown-type": "off" }, "unknown-type can't be turned to off", "correct what is reported"],
    ["off", "diagnostics is no map of ids", "such as"],
    [["crd-too-big"], "diagnostics is no map of ids", "such as"],
    [null, "diagnostics is no map of ids", "such as"],
  ])("refuses %j", (given, message, hint) => {
    expect(readLevels(given)).toEqual({
      problems: [{ message: expect.stringContaining(message), hint: expect.stringContaining(hint) }],
    });
  });

  it("tells all that is wrong", () => {
    const read = readLevels({ a: "off", "crd-too-big": "no" });
    expect("problems" in read && read.problems).toHaveLength(2);
  });

  it("an error may be named as what it is", () => {
    expect(readLevels({ "unknown-type": "error" })).toEqual({ levels: { "unknown-type": "error" } });
  });
});
