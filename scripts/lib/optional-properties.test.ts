import { expect, it } from "vitest";
import { admitUndefined } from "./optional-properties.ts";

it.each([
  [
    "an optional property",
    "interface A { a?: string; b: string }",
    "interface A { a?: string | undefined; b: string }",
  ],
  ["a union", 'interface A { a?: "x" | "y" }', 'interface A { a?: "x" | "y" | undefined }'],
  ["a function", "interface A { a?: () => void }", "interface A { a?: (() => void) | undefined }"],
  [
    "a condition",
    "interface A<T> { a?: T extends 1 ? 2 : 3 }",
    "interface A<T> { a?: (T extends 1 ? 2 : 3) | undefined }",
  ],
  ["a type in a type", "interface A { é?: { b?: 1 } }", "interface A { é?: { b?: 1 | undefined } | undefined }"],
  ["an options object", "declare function f(o: { a?: 1 }): void", "declare function f(o: { a?: 1 | undefined }): void"],
  ["a property of a class", "declare class C { a?: string }", "declare class C { a?: string | undefined }"],
])("the type of %s gets undefined", (_, before, after) => {
  expect(admitUndefined("x.d.ts", before)).toBe(after);
  expect(admitUndefined("x.d.ts", after)).toBe(after);
});

it.each(["interface A { a?: unknown; b?: any }", "interface A { a?(): void }", "declare function f(a?: string): void"])(
  "%s isn't changed, because it accepts undefined already, or isn't an optional property",
  (text) => {
    expect(admitUndefined("x.d.ts", text)).toBe(text);
  },
);

it("invalid TypeScript is rejected", () => {
  expect(() => admitUndefined("x.d.ts", "interface {")).toThrow("x.d.ts can't be read");
});
