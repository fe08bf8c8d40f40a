import { describe, expect, test } from "vitest";
import { matchesFields, parseFieldSelector, requiredValue } from "./field-selector.ts";
import { matchesLabels, parseLabelSelector } from "./label-selector.ts";

describe("a label selector", () => {
  const labels = { app: "web", tier: "front", count: "5" };
  test.each([
    ["", true],
    ["app=web", true],
    ["app==web", true],
    ["app = web", true],
    ["app=db", false],
    ["app!=db", true],
    ["missing!=x", true],
    ["app in (web,db)", true],
    ["app in (db)", false],
    ["app notin (db)", true],
    ["missing notin (db)", true],
    ["app", true],
    ["missing", false],
    ["!missing", true],
    ["!app", false],
    ["app=web,tier=front", true],
    ["app=web,tier=back", false],
    ["count>4", true],
    ["count>5", false],
    ["count<6", true],
    ["app>4", false],
    ["app in (web, )", true],
    ["missing=", false],
    ["in in (in)", false],
    ["example.com/app", false],
  ])("%s", (text, expected) => {
    expect(matchesLabels(parseLabelSelector(text), labels)).toBe(expected);
  });

  test("with an empty value matches only an empty label", () => {
    expect(matchesLabels(parseLabelSelector("a="), { a: "" })).toBe(true);
    expect(matchesLabels(parseLabelSelector("a in ()"), { a: "" })).toBe(true);
    expect(matchesLabels(parseLabelSelector("a in (,b)"), { a: "" })).toBe(true);
  });

  test.each([
    ["=", "found '=', expected: !, identifier, or 'end of string'"],
    ["a in", "found '' expected: '('"],
    ["a=b,", "found '', expected: identifier after ','"],
    ["a=b c", "found 'c', expected: ',' or 'end of string'"],
    ["!a=b", "found '=', expected: ',' or 'end of string'"],
    ["a b", "found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ["-a=b", 'Invalid value: "-a": name part must consist of alphanumeric characters'],
    ["a=b!", "found '!', expected: ',' or 'end of string'"],
    ["a>b", 'values[0]: Invalid value: "b"'],
    [`a=${"x".repeat(64)}`, "must be no more than 63 bytes"],
  ])("rejects %s", (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(message);
  });
});

describe("a field selector", () => {
  const read = (field: string): string => ({ "metadata.name": "a,b", "spec.nodeName": "" })[field] ?? "";
  test.each([
    ["", true],
    ["metadata.name=a\\,b", true],
    ["metadata.name==a\\,b", true],
    ["metadata.name!=a\\,b", false],
    ["spec.nodeName=", true],
    ["spec.nodeName!=x,metadata.name=a\\,b", true],
  ])("%s", (text, expected) => {
    expect(matchesFields(parseFieldSelector(text), read)).toBe(expected);
  });

  test("returns the required value of a field", () => {
    const selector = parseFieldSelector("metadata.name=x,spec.a!=y");
    expect(requiredValue(selector, "metadata.name")).toBe("x");
    expect(requiredValue(selector, "spec.a")).toBeUndefined();
  });

  test.each([
    ["metadata.name", "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
    ["a=b=c", "unescaped character in value: 61"],
    ["a=\\x", "invalid escape sequence: \\x"],
  ])("rejects %s", (text, message) => {
    expect(() => parseFieldSelector(text)).toThrow(message);
  });
});
