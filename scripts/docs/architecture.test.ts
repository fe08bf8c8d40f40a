// docs/project/architecture.md must describe all folders of these directories, and no others.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/project/architecture.md"), "utf8");
const named = new Set([...page.matchAll(/`((?:[\w-]+\/)+)`/g)].map(([, path = ""]) => path));

/** Folders that need no explanation: test data and generated files. */
const ownWords = /^(node_modules|dist|coverage|testdata|test-support)$/;
const shown = [
  "",
  "src",
  "src/generate",
  "src/scaffold",
  "packages/runtime/src",
  "packages/cel/src",
  "scripts",
  "conformance",
  "bench",
];

it("the page names folders", () => expect(named.size).toBeGreaterThan(50));

it.each(shown)("the page names all folders of %s", (parent) => {
  const folders = readdirSync(join(root, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !ownWords.test(entry.name))
    .map(({ name }) => `${parent === "" ? "" : `${parent}/`}${name}/`);
  expect(folders.length).toBeGreaterThan(3);
  const missing = folders.filter((folder) => ![...named].some((path) => path.startsWith(folder)));
  expect(missing).toEqual([]);
});

it("the page names only folders that exist", () => {
  // The row of the reader's folder describes `ts-morph/` in it.
  const places = ["", "src/generate/source/"];
  expect([...named].filter((path) => !places.some((place) => existsSync(join(root, place, path))))).toEqual([]);
});
