import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../lib/run.mjs";

const text = (path: string): string => readFileSync(join(root, path), "utf8");

interface Lock {
  packages: Record<string, { dependencies?: Record<string, string> }>;
}

/** All that a package needs, itself left out, by the lock file. */
function closure(name: string): Set<string> {
  const { packages } = JSON.parse(text("package-lock.json")) as Lock;
  const found = new Set<string>();
  const visit = (from: string): void => {
    for (const each of Object.keys(packages[`node_modules/${from}`]?.dependencies ?? {})) {
      if (found.has(each)) continue;
      found.add(each);
      visit(each);
    }
  };
  visit(name);
  return found;
}

it("docs/reference/dependencies.md defends each dependency of the runtime, and knows what it brings along", () => {
  const { dependencies } = JSON.parse(text("runtime/package.json")) as { dependencies: Record<string, string> };
  const rows = [
    ...text("docs/reference/dependencies.md").matchAll(/^\| ([^ |]+) \| (\d+) \| (\d+) \| (.+) \| (.+) \|$/gm),
  ];
  expect(rows.map(([, name]) => name)).toEqual(Object.keys(dependencies).sort());
  expect(rows.map(([, name, , brings]) => [name, Number(brings)])).toEqual(
    Object.keys(dependencies).map((name) => [name, closure(name).size]),
  );
});

it("docs/reference/dependencies.md counts all packages that come with the runtime", () => {
  const { dependencies } = JSON.parse(text("runtime/package.json")) as { dependencies: Record<string, string> };
  const all = new Set(Object.keys(dependencies).flatMap((name) => [name, ...closure(name)]));
  const [, count] = /brings (\d+) packages besides its own/.exec(text("docs/reference/dependencies.md"))!;
  expect(all.size).toBe(Number(count));
});
