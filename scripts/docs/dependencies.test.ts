import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../lib/run.mjs";

const text = (path: string): string => readFileSync(join(root, path), "utf8");

interface Lock {
  packages: Record<string, { dependencies?: Record<string, string> }>;
}

/** Returns all direct and indirect dependencies of a package in the lock file. */
function closure(name: string): Set<string> {
  const { packages } = JSON.parse(text("package-lock.json")) as Lock;
  const reached = new Set<string>();
  const visit = (from: string): void => {
    for (const dependency of Object.keys(packages[`node_modules/${from}`]?.dependencies ?? {})) {
      if (reached.has(dependency)) continue;
      reached.add(dependency);
      visit(dependency);
    }
  };
  visit(name);
  return reached;
}

it("docs/reference/dependencies.md has each dependency of the runtime, with its number of indirect dependencies", () => {
  const { dependencies } = JSON.parse(text("packages/runtime/package.json")) as {
    dependencies: Record<string, string>;
  };
  const rows = [
    ...text("docs/reference/dependencies.md").matchAll(/^\| ([^ |]+) \| (\d+) \| (\d+) \| (.+) \| (.+) \|$/gm),
  ];
  expect(rows.map(([, name]) => name)).toEqual(Object.keys(dependencies).sort());
  expect(rows.map(([, name, , brings]) => [name, Number(brings)])).toEqual(
    Object.keys(dependencies).map((name) => [name, closure(name).size]),
  );
});

it("docs/reference/dependencies.md has the number of all packages that the runtime installs", () => {
  const { dependencies } = JSON.parse(text("packages/runtime/package.json")) as {
    dependencies: Record<string, string>;
  };
  const all = new Set(Object.keys(dependencies).flatMap((name) => [name, ...closure(name)]));
  const [, count] = /brings (\d+) packages besides its own/.exec(text("docs/reference/dependencies.md"))!;
  expect(all.size).toBe(Number(count));
});
