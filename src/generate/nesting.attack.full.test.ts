import { describe, expect, it } from "vitest";
import { generateApi, many } from "./test-support/hostile.ts";

const times = (text: string, count: number) => text.repeat(count);
const value = (text: string) => `export const x = ${text};\nexport interface Spec { a?: string }`;
const type = (text: string) => `export interface Spec { v?: ${text} }`;

/** Recursive syntax, with and without brackets. */
const shapes: Readonly<Record<string, (depth: number) => string>> = {
  "object types": (n) => type(`${times("{ a: ", n)}string${times(" }", n)}`),
  "array types": (n) => type(`string${times("[]", n)}`),
  "parentheses in types": (n) => type(`${times("(", n)}string${times(")", n)}`),
  "tuple types": (n) => type(`${times("[", n)}string${times("]", n)}`),
  "type arguments": (n) => type(`${times("Readonly<", n)}string${times(">", n)}`),
  keyof: (n) => type(`${times("keyof ", n)}string`),
  "function types": (n) => type(`${times("() => ", n)}string`),
  "conditional types": (n) => type(`${times("string extends string ? ", n)}string${times(" : string", n)}`),
  "unions in unions": (n) => type(`${many(n, (index) => `"a${index}" | (`, "")}"x"${times(")", n)}`),
  "template types": (n) => type(`${times("`${", n)}string${times("}`", n)}`),
  "qualified names": (n) => type(`a${times(".b", n)}`),
  "indexed types": (n) => type(`string${times("['a']", n)}`),
  "object values": (n) => value(`${times("{ a: ", n)}1${times(" }", n)}`),
  "parentheses in values": (n) => value(`${times("(", n)}1${times(")", n)}`),
  sums: (n) => value(`1${times(" + 1", n)}`),
  signs: (n) => value(`${times("- ", n)}1`),
  calls: (n) => value(`a${times("()", n)}`),
  members: (n) => value(`a${times(".b", n)}`),
  assertions: (n) => value(`a${times(" as b", n)}`),
  arrows: (n) => value(`${times("a => ", n)}1`),
  conditions: (n) => value(`${times("a ? 1 : ", n)}1`),
  constructions: (n) => value(`${times("new ", n)}a`),
  alternatives: (n) => `function f() { ${times("if (a) {} else ", n)}{} }\n${type("string")}`,
  labels: (n) => `${many(n, (index) => `a${index}:`, "")}{}\n${type("string")}`,
  blocks: (n) => `${times("{", n)}${times("}", n)}\n${type("string")}`,
  namespaces: (n) => `namespace a${times(".b", n)} {}\n${type("string")}`,
  decorators: (n) => `${times("@a ", n)}class X {}\n${type("string")}`,
  "brackets that comments seem to close": (n) => value(`${times("[/*]*/", n)}${times("/*[*/]", n)}`),
  "brackets that strings seem to close": (n) => value(`${times('["]", ', n)}1${times("]", n)}`),
  "brackets after a regular expression": (n) => value(`/["\`]/.test(a) || ${times("[", n)}${times("]", n)}`),
  "brackets after a postfix operator": (n) => value(`a! / ${times("[", n)}1${times("]", n)} / 2`),
};

describe("deeply nested input", () => {
  it("causes an error or a CRD for every shape, but no crash", async ({ task }) => {
    for (const [name, shape] of Object.entries(shapes)) {
      const { diagnostics, written } = await generateApi(shape(60_000));
      // The result is a CRD or an error with its position.
      const errors = diagnostics.filter(({ severity, line }) => severity === "error" && line > 0);
      expect(written.includes("kind: Thing") || errors.length > 0, name).toBe(true);
    }
    (task.meta as { attempts?: number }).attempts = Object.keys(shapes).length;
  });

  it("causes an error in markers", async ({ task }) => {
    const values = [4000].flatMap((n) => [
      times("{", n),
      times("{", n) + times("}", n),
      times("{a:", n),
      `${times("{a:", n)}1${times("}", n)}`,
      `${times("{{a:", n)}1`,
    ]);
    const markers = [
      ...values.flatMap((each) => [`kubebuilder:default=${each}`, `kubebuilder:example=${each}`]),
      ...[5000, 100_000].map((n) => `default=${times("[", n)}${times("]", n)}`),
    ];
    for (const marker of markers) {
      const { diagnostics, seconds } = await generateApi(`export interface Spec {\n  // +${marker}\n  a?: string\n}`);
      expect(diagnostics.map(({ id, line }) => `${id}:${line}`)).toContain("invalid-marker:4");
      expect(seconds).toBeLessThan(3);
    }
    (task.meta as { attempts?: number }).attempts = markers.length;
  });

  it("is accepted in a marker with a hundred levels", async () => {
    const { ids } = await generateApi(
      `export interface Spec {\n  // +kubebuilder:default=${times("{a:", 90)}1${times("}", 90)}\n  a?: string\n}`,
    );
    expect(ids).toEqual(["default-mismatch"]);
  });
});
