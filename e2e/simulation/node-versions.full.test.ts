import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { run } from "../../scripts/lib/run.mjs";

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const seeds = process.env.KUBEWRIGHT_SEEDS ?? "200";
const directory = mkdtempSync(join(tmpdir(), "node-versions-"));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Installs a version of Node.js from npm, and returns the path of its executable. */
async function install(version: string): Promise<string> {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const cwd = mkdtempSync(join(directory, `${version}-`));
  writeFileSync(join(cwd, "package.json"), "{}");
  const { code, stderr } = await run("npm", ["install", "--no-save", `${name}@${version}`], { cwd });
  if (code !== 0) throw new Error(`npm install ${name}@${version}: ${stderr}`);
  return join(cwd, "node_modules", name, "bin/node");
}

async function hashes(node: string): Promise<string[]> {
  const program = at("packages/runtime/src/simulation/trace-hashes.fixture.ts");
  const { code, stdout, stderr } = await run(node, [at("node_modules/tsx/dist/cli.mjs"), program, "1", seeds]);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim().split("\n");
}

it("a seed gives the same events on Node.js 20, 22 and 24", async () => {
  const first = await hashes(await install("20"));
  expect(first).toHaveLength(Number(seeds));
  expect(new Set(first.map((line) => line.split(" ")[1])).size).toBeGreaterThan(Number(seeds) * 0.9);
  for (const version of ["22", "24"]) expect(await hashes(await install(version))).toEqual(first);
});
