// What make applies is what its own line generates: its options are the project's, and nothing generates with others behind it.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { must } from "../lib/process.ts";
import { checkout } from "../lib/scaffold.ts";

const project = mkdtempSync(join(tmpdir(), "kubewright-manifests-"));
const programs = join(project, "node_modules/.bin");
const calls = join(project, "calls");
const generate = "scaffold generate rbac:roleName=manager-role";
const rest = "webhook paths=./... output:crd:artifacts:config=config/crd/bases";

beforeEach(() => {
  rmSync(project, { recursive: true, force: true });
  cpSync(join(checkout, "testdata/projects/game"), project, { recursive: true });
  mkdirSync(programs, { recursive: true });
  writeProgram("scaffold", `echo scaffold "$@" >> '${calls}'`);
  // Nothing is there, and nothing becomes of what is applied.
  writeProgram("kubectl", `case "$*" in *json*) echo '{"items":[]}';; esac`);
  const makefile = join(project, "Makefile");
  writeFileSync(makefile, readFileSync(makefile, "utf8").replace(" crd webhook ", " crd:maxDescLen=0 webhook "));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

function writeProgram(name: string, script: string): void {
  writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(programs, name), 0o755);
}

async function generated(command: readonly [string, ...string[]]): Promise<string[]> {
  await must(command[0], command.slice(1), { cwd: project });
  return readFileSync(calls, "utf8").trim().split("\n");
}

it.each(["install", "uninstall", "deploy", "build-installer"])(
  "make %s generates once, with the options of the Makefile",
  async (target) => {
    expect(await generated(["make", target])).toEqual([`${generate} crd:maxDescLen=0 ${rest}`]);
  },
);

it("without make the options are those of hack/tasks.mjs", async () => {
  expect(await generated([process.execPath, "hack/tasks.mjs", "install"])).toEqual([`${generate} crd ${rest}`]);
});
