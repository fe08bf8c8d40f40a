// Tests that several tests can install and share packages at the same time, and that packages in use aren't removed.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { linkPackages } from "./packages.ts";

const scratch = mkdtempSync(join(tmpdir(), "kubewright-packages-"));
const installs = join(scratch, "installs");

beforeAll(() => {
  const bin = join(scratch, "bin");
  mkdirSync(bin);
  // A replacement for npm, which takes a moment to install, and fails if vendor/broken exists.
  const npm = `#!/bin/sh
echo "$@" >> '${installs}'
[ ! -e vendor/broken ] || exit 1
mkdir node_modules && sleep 0.2 && cp package.json node_modules/of.json && echo '{}' > package-lock.json
`;
  writeFileSync(join(bin, "npm"), npm);
  chmodSync(join(bin, "npm"), 0o755);
  vi.stubEnv("PATH", [bin, process.env.PATH].join(delimiter));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(scratch, { recursive: true, force: true });
});

let made = 0;

/** A project that depends on one package. */
function project(dependency: string): string {
  const root = join(scratch, `project-${made++}`);
  mkdirSync(join(root, "vendor"), { recursive: true });
  writeFileSync(
    join(root, "package.json"),
    JSON.stringify({ dependencies: { [dependency]: "1.0.0" }, devDependencies: {} }),
  );
  return root;
}
const installed = (root: string) => JSON.parse(readFileSync(join(root, "node_modules/of.json"), "utf8")).dependencies;

it("concurrent calls get their packages, which are installed once, and later calls reuse them", async () => {
  const store = join(scratch, "together");
  const roots = ["a", "a", "b"].map(project);
  await Promise.all(roots.map((root) => linkPackages(root, store)));
  expect(roots.map(installed)).toEqual([{ a: "1.0.0" }, { a: "1.0.0" }, { b: "1.0.0" }]);
  expect(readdirSync(store)).toHaveLength(2);
  const before = readFileSync(installs, "utf8");
  expect(before.trim().split("\n")).toHaveLength(2);
  const [later] = ["a"].map(project);
  await linkPackages(later!, store);
  expect(installed(later!)).toEqual({ a: "1.0.0" });
  expect(existsSync(join(later!, "package-lock.json"))).toBe(true);
  expect(readFileSync(installs, "utf8")).toBe(before);
});

it("only packages that weren't used for a day are removed", async () => {
  const store = join(scratch, "old");
  await linkPackages(project("a"), store);
  const [old] = readdirSync(store);
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  utimesSync(join(store, old!), yesterday, yesterday);
  await linkPackages(project("b"), store);
  const [kept, ...more] = readdirSync(store);
  expect(more).toEqual([]);
  expect(kept).not.toBe(old);
  await linkPackages(project("c"), store);
  expect(readdirSync(store)).toContain(kept);
});

it("a failed installation isn't reused", async () => {
  const store = join(scratch, "broken");
  const broken = project("a");
  writeFileSync(join(broken, "vendor/broken"), "");
  await expect(linkPackages(broken, store)).rejects.toThrow("npm install");
  const whole = project("a");
  await linkPackages(whole, store);
  expect(installed(whole)).toEqual({ a: "1.0.0" });
});
