import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { definitions } from "./index.ts";

const source = join(import.meta.dirname, "../..");
const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".ts") && !path.startsWith("diagnostics/definitions/"));
const textOf = (paths: readonly string[]) => paths.map((path) => readFileSync(join(source, path), "utf8")).join("\n");
const isTest = (path: string) => path.includes(".test.") || path.includes("test-support");

// The compiler checks that nothing else is used as an ID: a diagnostic's ID is a key of the definitions.
describe("each diagnostic", () => {
  const code = textOf(files.filter((path) => !isTest(path)));
  const tests = textOf(files.filter(isTest));

  it.each(Object.keys(definitions))("%s is reported by the code, and tested", (id) => {
    // The booleans are compared because a failure would otherwise print all sources.
    expect(code.includes(`"${id}"`), "reported").toBe(true);
    expect(new RegExp(`(?<![-\\w])${id}(?![-\\w])`).test(tests), "tested").toBe(true);
  });

  it.each(Object.entries(definitions))("%s has a cause and a fix in complete sentences", (_, { cause, fix }) => {
    for (const text of [cause, fix]) expect(text).toMatch(/^[A-Z`].*\.$/s);
  });
});
