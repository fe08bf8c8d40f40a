import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createChunkLoader } from "./chunks.ts";
import { createCodeCache } from "./code-cache.ts";

let directory: string | undefined;
afterEach(() => rmSync(directory ?? "", { recursive: true, force: true }));

/** Loads `main.cjs` of a bundle. */
function load(files: Readonly<Record<string, string>>): unknown {
  directory = mkdtempSync(join(tmpdir(), "kubewright-chunks-"));
  for (const [name, text] of Object.entries(files)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return createChunkLoader(createCodeCache(undefined))(join(directory, "main.cjs"));
}

it("loads chunks by relative paths, each once", () => {
  const main = 'exports.a = require("./sub/a.cjs"); exports.again = require("./sub/../sub/a.cjs");';
  const { a, again } = load({
    "main.cjs": main,
    "sub/a.cjs": 'exports.b = require("../b.cjs").b;',
    "b.cjs": "exports.b = 1;",
  }) as { a: { b: number }; again: unknown };
  expect(a.b).toBe(1);
  expect(again).toBe(a);
});

it("gives a chunk in a cycle what the other has exported so far, as Node does", () => {
  expect(
    load({
      "main.cjs": 'exports.early = 1; exports.seen = require("./b.cjs").seen; exports.late = 1;',
      "b.cjs": 'exports.seen = Object.keys(require("./main.cjs"));',
    }),
  ).toEqual({ early: 1, seen: ["early"], late: 1 });
});

it("loads Node's modules, and packages as Node finds them from the chunk", () => {
  expect(
    load({
      "main.cjs": 'module.exports = [require("node:path").sep, require("thing"), __filename, __dirname];',
      "node_modules/thing/index.js": 'module.exports = "thing";',
    }),
  ).toEqual([join("/"), "thing", join(directory ?? "", "main.cjs"), directory]);
});

it("reports the position of an error", () => {
  const broken = { "main.cjs": "\nfunction fail() {\n  throw new Error('no');\n}\nfail();" };
  const stack = (() => {
    try {
      return load(broken);
    } catch (error) {
      return (error as Error).stack;
    }
  })();
  expect(stack).toContain(`${join(directory ?? "", "main.cjs")}:3:`);
});
