// The targets that need manifests generate them once, with the options of the Makefile, with and without make.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { installTools } from "../../src/tasks/test-support/tools.ts";
import { must } from "../lib/process.ts";
import { checkout, scaffoldBin } from "../lib/scaffold.ts";

const project = mkdtempSync(join(tmpdir(), "kubewright-manifests-"));
const bases = join(project, "config/crd/bases");

beforeEach(() => {
  rmSync(project, { recursive: true, force: true });
  cpSync(join(checkout, "testdata/projects/game"), project, { recursive: true });
  installTools(project);
  symlinkSync(scaffoldBin, join(project, "node_modules/.bin/scaffold"));
  const makefile = join(project, "Makefile");
  writeFileSync(makefile, readFileSync(makefile, "utf8").replace(" crd webhook ", " crd:maxDescLen=0 webhook "));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Runs a command, and returns the number of times that it generated, and the CRD. */
async function generated(command: readonly [string, ...string[]]): Promise<{ times: number; crd: string }> {
  const { stderr } = await must(command[0], command.slice(1), { cwd: project });
  const [file = ""] = readdirSync(bases);
  return {
    times: stderr.split(`create config/crd/bases/${file}`).length - 1,
    crd: readFileSync(join(bases, file), "utf8"),
  };
}

const targets = ["install", "uninstall", "deploy", "build-installer", "build"];

it.each([
  ...targets.map((target) => ["make", target] as const),
  ...targets.map((target) => [process.execPath, scaffoldBin, target] as const),
  ["npm", "run", "deploy"] as const,
  ["npm", "run", "manifests"] as const,
])("%s %s %s generates once, with the options of the Makefile", async (...command) => {
  const { times, crd } = await generated(command.filter((word) => word !== undefined) as [string, ...string[]]);
  expect(times).toBe(1);
  expect(crd).toContain("kind: CustomResourceDefinition");
  expect(crd).not.toContain("description:");
});
