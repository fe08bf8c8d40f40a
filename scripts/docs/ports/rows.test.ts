// Each name of controller-runtime that public operators use has a row. compile.full.test.ts checks the TypeScript of the rows.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../pages.ts";
import { usedNames } from "./names.ts";
import { qualifierOf, type Row, rowsOf } from "./rows.ts";

const rows = rowsOf(readFileSync(join(root, "docs/guides/coming-from-kubebuilder.md"), "utf8"));
const names = Object.entries(usedNames.packages).flatMap(([path, users]) =>
  Object.entries(users).map(([name, projects]) => ({ name: `${qualifierOf(path)}.${name}`, projects })),
);

/** Returns the names without a row. */
function missing(inRows: readonly Row[]): string[] {
  const listed = new Set(inRows.flatMap(({ go }) => go.flatMap((code) => code.match(/\b[a-z]\w*\.[A-Z]\w*/g) ?? [])));
  return names.filter(({ name }) => !listed.has(name)).map(({ name, projects }) => `${name}: used by ${projects}`);
}

it("each name that public operators use has a row", () => {
  expect(names.length).toBeGreaterThan(250);
  expect(missing(rows)).toEqual([]);
});

it("a name without a row is reported with the number of projects", () => {
  const without = rows.filter(({ go }) => !go.includes("client.NewClientFunc"));
  expect(missing(without)).toEqual([expect.stringMatching(/^client\.NewClientFunc: used by \d+$/)]);
});
