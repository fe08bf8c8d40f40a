// The tests' shared packages: what two of them ask for at one time is there for both, and nothing that one still uses goes.
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
  // Takes a moment, as installing does; where vendor/ holds a file of the name, it fails.
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

it("gives all that ask at one time what they depend on, and installs later for none of them", async () => {
  const store = join(scratch, "together");
  const roots = ["a", "a", "b"].map(project);
  await Promise.all(roots.map((root) => linkPackages(root, store)));
  expect(roots.map(installed)).toEqual([{ a: "1.0.0" }, { a: "1.0.0" }, { b: "1.0.0" }]);
  expect(readdirSync(store)).toHaveLength(2);
  const before = readFileSync(installs, "utf8");
  const [later] = ["a"].map(project);
  await linkPackages(later!, store);
  expect(installed(later!)).toEqual({ a: "1.0.0" });
  expect(existsSync(join(later!, "package-lock.json"))).toBe(true);
  expect(readFileSync(installs, "utf8")).toBe(before);
});

it("drops what nobody has asked for since a day, and nothing else", async () => {
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

it("keeps nothing that could not be installed under the name of what could", async () => {
  const store = join(scratch, "broken");
  const broken = project("a");
  writeFileSync(join(broken, "vendor/broken"), "");
  await expect(linkPackages(broken, store)).rejects.toThrow("npm install");
  const whole = project("a");
  await linkPackages(whole, store);
  expect(installed(whole)).toEqual({ a: "1.0.0" });
});
