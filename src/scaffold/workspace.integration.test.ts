// A project in a workspace: npm installs packages and their programs in the root of the workspace.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../cli/test-support/run-cli.ts";
import { initProject } from "./test-support/game.ts";
import { testDirectory } from "./test-support/tree.ts";

/** Creates a project at a path in a workspace, with the packages that npm would have installed. */
async function member(place: string): Promise<string> {
  const workspace = testDirectory();
  const root = join(workspace, place);
  mkdirSync(root, { recursive: true });
  await initProject(root);
  const modules = join(workspace, "node_modules");
  for (const name of ["kubewright", "@kubewright/runtime"]) {
    mkdirSync(join(modules, name), { recursive: true });
    writeFileSync(join(modules, name, "package.json"), JSON.stringify({ version: "0.1.0" }));
  }
  mkdirSync(join(modules, ".bin"));
  writeFileSync(join(modules, ".bin/scaffold"), '#!/bin/sh\necho "scaffold $1"\n', { mode: 0o755 });
  return root;
}

const places = ["ops", "teams/blue/ops"];

describe.runIf(process.platform !== "win32").each(places)("a project in %s of a workspace", (place) => {
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };

  it("finds its programs there with make", async () => {
    const { stdout } = spawnSync("make", ["manifests"], { cwd: await member(place), encoding: "utf8", env });
    expect(stdout.split("\n")).toContain("scaffold generate");
  });

  it("finds its programs there with a command of the CLI", async () => {
    const root = await member(place);
    const marked = join(root, "formatted");
    const biome = join(root.slice(0, -place.length), "node_modules/.bin/biome");
    writeFileSync(biome, `#!/bin/sh\necho "$@" > '${marked}'\n`, { mode: 0o755 });
    const { stderr } = await runCli(root, ["build"], { env });
    expect(readFileSync(marked, "utf8")).toBe("format --write .\n");
    expect(stderr).toContain("can't run tsc: the program isn't installed\n  hint: run npm install");
  });

  it("has packages, as doctor reports", async () => {
    const { stdout } = await runCli(await member(place), ["doctor"]);
    expect(stdout).toContain("✓ kubewright 0.1.0\n  ✓ @kubewright/runtime 0.1.0\n");
  });
});
