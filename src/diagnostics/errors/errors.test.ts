import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { errorSections } from "./index.ts";

const source = join(import.meta.dirname, "../..");
const code = readdirSync(source, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => /^(cli|dev|mcp|project|scaffold|tasks)\/.*\.ts$/.test(path) && !/\.test\.|test-support/.test(path))
  .map((path) => readFileSync(join(source, path), "utf8"))
  .join("\n");
const all = errorSections.flatMap(([, entries]) => Object.entries(entries));

// The compiler checks that nothing else is used as an ID: an error's ID is a key of these tables.
describe("each error of the reference", () => {
  it.each(all.map(([id]) => id))("%s is reported by a command", (id) => {
    expect(code.includes(`"${id}"`)).toBe(true);
  });

  it.each(all)("%s has a cause and a fix in complete sentences", (_, sentences) => {
    for (const text of sentences) expect(text).toMatch(/^[A-Z`].*\.$/s);
  });

  it("is listed once", () => {
    const ids = all.map(([id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});
