// Code patterns that users shouldn't copy from scaffolded code.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const templates = join(import.meta.dirname, "../../../templates");
const projects = join(import.meta.dirname, "../../../testdata/projects");

function filesBelow(directory: string, suffix: RegExp): [path: string, text: string][] {
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((path) => suffix.test(path));
  return paths.map((path) => [path, readFileSync(join(directory, path), "utf8")]);
}

/** All templates, and the files that are rendered from them. */
const code = [...filesBelow(templates, /\.hbs$/), ...filesBelow(projects, /\.ts$/)];

it.each([
  ["casts through unknown", /\bas unknown as\b/],
  ["loggers that hide the reason of a failed test", /\bsilentLogger\b/],
  ["manually built contexts", /: Context = \{/],
])("the templates contain no %s", (_what, pattern) => {
  expect(code.length).toBeGreaterThan(80);
  expect(code.filter(([, text]) => pattern.test(text)).map(([path]) => path)).toEqual([]);
});

it("the templates contain no test file without tests", () => {
  const tests = code.filter(([path]) => path.endsWith(".test.ts"));
  expect(tests.length).toBeGreaterThan(10);
  expect(tests.filter(([, text]) => !/^\s*it\(/m.test(text)).map(([path]) => path)).toEqual([]);
});
