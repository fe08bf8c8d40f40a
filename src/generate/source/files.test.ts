import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { expect, it } from "vitest";

const generate = join(import.meta.dirname, "..");

/** Code that may read the user's files itself: the port, and the steps after the documents are generated. */
const mayRead = [/^source\/(files|paths)\.ts$/, /^(output|cache|watch|breaking)\//];
/** The tool's own data, which changes only with the tool. */
const ownData = ["schema/core-types-data.ts"];

it("the generator's code reads files only through the port, to let the cache record them", () => {
  const readers = readdirSync(generate, { recursive: true, encoding: "utf8" })
    .map((path) => path.split(sep).join("/"))
    .filter((path) => path.endsWith(".ts") && !/\.test\.ts$|test-support\//.test(path))
    .filter((path) => !mayRead.some((allowed) => allowed.test(path)) && !ownData.includes(path))
    .filter((path) =>
      /"(node:)?(fs|fs\/promises|child_process)"|process\.(env|cwd)/.test(readFileSync(join(generate, path), "utf8")),
    );
  expect(readers).toEqual([]);
});
