// Every target must generate the manifests once, with the options in the project's Makefile.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { must } from "../../scripts/lib/run.mjs";
import { checkout, scaffoldBin } from "../../scripts/test-support/scaffold.ts";

const project = mkdtempSync(join(tmpdir(), "kubewright-manifests-"));
const programs = join(project, "node_modules/.bin");
const crd = join(project, "config/crd/bases/myapp.qingwave.github.io_games.yaml");

beforeEach(() => {
  rmSync(project, { recursive: true, force: true });
  cpSync(join(checkout, "testdata/projects/game"), project, { recursive: true });
  mkdirSync(programs, { recursive: true });
  symlinkSync(scaffoldBin, join(programs, "scaffold"));
  mkdirSync(join(project, "node_modules/@kubewright"));
  symlinkSync(join(checkout, "packages/runtime"), join(project, "node_modules/@kubewright/runtime"));
  // Simulates an empty cluster, and ignores applied objects.
  writeProgram("kubectl", `case "$*" in *json*) echo '{"items":[]}';; esac`);
  const makefile = join(project, "Makefile");
  writeFileSync(makefile, readFileSync(makefile, "utf8").replace(" crd webhook ", " crd:maxDescLen=0 webhook "));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

function writeProgram(name: string, script: string): void {
  writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(programs, name), 0o755);
}

const targets = ["deploy", "install", "uninstall", "build-installer"];

it.each(targets)("make %s generates once, with the options of the Makefile", async (target) => {
  const { stdout, stderr } = await must("make", [target], { cwd: project });
  expect(readFileSync(crd, "utf8")).not.toContain("description:");
  const lines = `${stdout}${stderr}`.split("\n");
  expect(lines.filter((line) => line.startsWith("scaffold "))).toEqual([`scaffold ${target}`]);
  expect(lines.filter((line) => line.includes("games.yaml"))).toHaveLength(1);
});

it.each(targets)("scaffold %s generates with the same options", async (target) => {
  await must(process.execPath, [scaffoldBin, target], { cwd: project });
  expect(readFileSync(crd, "utf8")).not.toContain("description:");
});

it.each(["test", "manifests"])("npm run %s generates with the same options", async (script) => {
  writeProgram("vitest", "");
  await must("npm", ["run", script], { cwd: project });
  expect(readFileSync(crd, "utf8")).not.toContain("description:");
});
