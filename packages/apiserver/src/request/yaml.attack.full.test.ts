import { describe, it } from "vitest";
import { expectLinear } from "../../../../scripts/test-support/growth.ts";
import { decodeYaml } from "./yaml.ts";

/** Documents of any length. Earlier versions took quadratic or exponential time for some. */
const shapes: Readonly<Record<string, (size: number) => string>> = {
  "blank lines before the object": (n) => `${"\n".repeat(n)}a: 1`,
  "blank lines that end with CRLF": (n) => `${"\r\n".repeat(n)}a: 1`,
  "comments before the object": (n) => `${"# x\n".repeat(n)}a: 1`,
  "comments and blank lines in front of the end": (n) => `${"#\n \n".repeat(n)}...`,
  "blank lines inside an object": (n) => `a: 1\n${"\n".repeat(n)}b: ]`,
  "tabs and spaces": (n) => `a:${" \t".repeat(n)}1`,
  "marks of empty documents": (n) => `${"---\n".repeat(n)}a: [`,
  "directives and comments before an error": (n) => `${"#\n".repeat(n)}---\na: b: c`,
  "documents after an error": (n) => `a: b: c\n${"---\n#\n".repeat(n)}`,
  "digits of an integer": (n) => `a: 1${"0".repeat(n)}`,
  "digits of an octal number": (n) => `a: 0${"7".repeat(n)}`,
  "digits of a fraction": (n) => `a: 0.${"1".repeat(n)}`,
  "underscores in an integer": (n) => `a: 1${"_".repeat(n)}x`,
  "quotes in a list without an end": (n) => `[a${'"\\'.repeat(n)}`,
  "single quotes in a list without an end": (n) => `[a ${"'' ".repeat(n)}'`,
  "spaces in a list without an end": (n) => `[${" ".repeat(n)}`,
  "tags without values": (n) => `[${"!!int ,".repeat(n)}x: !!int x]`,
  "question marks": (n) => `${"? ".repeat(n)}a`,
  "keys with the name of null": (n) => `[${'{"nul\\u006c": 1},'.repeat(n)}{"null": 1}]`,
  "lists as keys": (n) => `{${Array.from({ length: n }, (_, index) => `[${index}]: 1`).join(",")}}`,
  "objects with an alias": (n) => `a: &a {b: 1}\nc: [${"*a,".repeat(n)}]`,
  "an item below lists": (n) => `${"- a\n".repeat(n)}  b: c: d`,
  "a flow list that ends early": (n) => `a: [${"x, ".repeat(n)}\nb: c`,
  "equal keys": (n) => `{${"a: 1,".repeat(n)}}`,
  "binary values": (n) => `a: !!binary ${"x".repeat(n)}`,
  "a key without a value": (n) => `a: 1\n${"x".repeat(n)}`,
  "lines of a text": (n) => `a: |\n${"  x\n".repeat(n)}`,
  "lines of a folded text": (n) => `a: >\n${"  x\n".repeat(n)}`,
  "lines of a text without quotes": (n) => `a:\n${"  x\n\n".repeat(n)}`,
  "lines of a text with quotes": (n) => `a: "${"\n\n x".repeat(n)}"`,
  "many fields": (n) => Array.from({ length: n }, (_, index) => `a${index}: ${index}`).join("\n"),
  "a chain of merged objects": (n) =>
    Array.from(
      { length: n },
      (_, index) => `a${index + 1}: &a${index + 1} {<<: ${index === 0 ? "{}" : `*a${index}`}, b${index}: 1}`,
    ).join("\n"),
};

describe("YAML of any length is decoded in linear time", () => {
  it.each(Object.entries(shapes))("%s", (_, shape) => {
    const decode = (text: string): void => {
      try {
        decodeYaml(text, (message) => new Error(message));
      } catch {
        // Many of the documents are errors.
      }
    };
    expectLinear(decode, shape, { to: Math.floor((3_000_000 / shape(10).length) * 10) });
  });
});
