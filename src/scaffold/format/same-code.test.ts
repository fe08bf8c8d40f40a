import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format, type Options } from "prettier";
import { describe, expect, it } from "vitest";
import { variants } from "../../../scripts/test-support/thorough.ts";
import { findCode, isSameCode } from "./same-code.ts";

const projects = fileURLToPath(new URL("../../../testdata/projects/", import.meta.url));
const files = readdirSync(projects, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));

const formats: readonly (readonly [string, Options])[] = [
  [
    "single quotes, and neither semicolons nor trailing commas",
    { singleQuote: true, semi: false, trailingComma: "none" },
  ],
  ["tabs and short lines", { useTabs: true, printWidth: 40 }],
  ["four spaces", { tabWidth: 4, printWidth: 120 }],
  ["long lines", { printWidth: 320 }],
  ["neither parentheses nor spaces", { arrowParens: "avoid", bracketSpacing: false, objectWrap: "collapse" }],
];
it.each(variants(formats, 2))("scaffolded code is the same with %s", async (_, options) => {
  expect(files.length).toBeGreaterThan(30);
  for (const path of files) {
    const text = readFileSync(`${projects}${path}`, "utf8");
    const formatted = await format(text, { ...options, parser: "typescript" });
    expect(isSameCode(text, formatted), path).toBe(true);
  }
});

describe("code is the same", () => {
  it.each([
    ["with a union of several lines", 'type A = "a" | "b";', "type A =\n  | 'a'\n  | 'b'"],
    [
      "with sorted imports",
      'import { a } from "z";\nimport { c, type B } from "a";\na();',
      'import { type B, c } from "a";\nimport { a } from "z";\n\na()',
    ],
    ["with quotes in a string", 'a("it\'s");', "a('it\\'s')"],
    ["with a comment whose indentation differs", "{\n  /**\n   * a\n   */\n}", "{\n    /**\n     * a\n     */\n}"],
    ["with parentheses around a returned expression of several lines", "return a === b;", "return (\n  a ===\n  b\n);"],
    ["with parentheses around the error that is thrown", "throw a ?? b;\n}", "throw (\n  a ??\n  b\n)\n}"],
    ["with parentheses around a conditional", "f((a) => a ? b : c);", "f((a) => (a ? b : c));"],
    ["with CRLF", "a;\nb;\n", "a;\r\nb;\r\n"],
  ])("%s", (_, a, b) => {
    expect(isSameCode(a, b)).toBe(true);
  });

  it.each([
    ["but not with another name", "a(b);", "a(c);"],
    ["but not with spaces in a string", 'a("b c");', 'a("b  c");'],
    ["but not with another comment", "// a\nb();", "// c\nb();"],
    ["but not with another operator", "a || b;", "a | b;"],
    ["but not with another import", 'import { a } from "a";', 'import { b } from "a";'],
    ["but not with imports of types", 'import { a } from "a";', 'import type { a } from "a";'],
    ["but not with joined words", "return a;", "returna;"],
    ["but not with another order of operations", "return (a || b) && c;", "return a || b && c;"],
    ["but not with an object instead of a block", "f(() => ({ a }));", "f(() => { a });"],
    ["but not with a call of the result", "f(() => (a ? b : c)());", "f(() => a ? b : c());"],
    ["but not with an element less", "f(a, b);", "f(a);"],
  ])("%s", (_, a, b) => {
    expect(isSameCode(a, b)).toBe(false);
  });
});

describe("code in a text", () => {
  it("is found in any format, with its whole lines", () => {
    const text = "a()\n    if (on)\n        await setup(\n            mgr,\n        )\nb()\n";
    const range = findCode(text, "if (on) await setup(mgr);");
    expect(text.slice(range?.start, range?.end)).toBe("    if (on)\n        await setup(\n            mgr,\n        )");
  });

  it("isn't found in lines that contain other code", () => {
    expect(findCode("a(); b();\n", "a();")).toBeUndefined();
    expect(findCode("a(); // mine\n", "a();")).toBeUndefined();
    expect(findCode("await a();\n", "a();")).toBeUndefined();
  });

  it("isn't found if it was changed", () => {
    expect(findCode("a(b, c);\n", "a(b);")).toBeUndefined();
  });
});
