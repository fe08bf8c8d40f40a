// The documentation site builds: VitePress refuses dead links and what Vue can't compile.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bin, run } from "../lib/run.mjs";
import { pagePaths, root } from "./pages.ts";

it("builds, with a page for each file", async () => {
  const { code, output } = await run(process.execPath, [join(root, "scripts/docs/site.mjs"), "build"]);
  expect(output).not.toContain("dead link");
  expect(code, output).toBe(0);
  const pages = pagePaths().filter((path) => path.startsWith("docs/"));
  const missing = pages.filter((path) => {
    const page = path.slice("docs/".length).replace(/\.md$/, ".html");
    return !existsSync(join(root, "docs/.vitepress/dist", page));
  });
  expect(missing).toEqual([]);
});

it("has a configuration that type-checks", async () => {
  const { code, output } = await run(process.execPath, [bin("typescript", "bin/tsc"), "-p", "docs"]);
  expect(code, output).toBe(0);
});
