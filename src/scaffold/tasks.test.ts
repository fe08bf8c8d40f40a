// What the scaffolded hack/tasks.mjs does where something is missing.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCli } from "../cli/test-support/run-cli.ts";
import { createApi, initProject } from "./test-support/game.ts";
import { testDirectory } from "./test-support/tree.ts";

const list = "config/crd/kustomization.yaml";

/** A project with a CRD whose list somebody has removed. */
async function withoutList(): Promise<string> {
  const root = testDirectory();
  await initProject(root);
  await createApi(root);
  mkdirSync(join(root, "config/crd/bases"));
  writeFileSync(join(root, "config/crd/bases/games.yaml"), "kind: CustomResourceDefinition\n");
  rmSync(join(root, list));
  return root;
}

it.runIf(process.platform !== "win32")("reports that there are no CRDs only if none exist", async () => {
  const root = await withoutList();
  const bin = join(root, "node_modules/.bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "scaffold"), "#!/bin/sh\n", { mode: 0o755 });
  const install = () => {
    const { status, stderr } = spawnSync(process.execPath, ["hack/tasks.mjs", "install"], {
      cwd: root,
      encoding: "utf8",
    });
    return { status, stderr };
  };
  expect(install()).toEqual({ status: 1, stderr: expect.stringContaining(`can't build the CRDs: ${list} is missing`) });
  rmSync(join(root, "config/crd/bases"), { recursive: true });
  expect(install()).toEqual({ status: 0, stderr: "No CRDs found. To add one, run: npx scaffold create api\n" });
});

it("reports that a missing list is created again with the next kind", async () => {
  const root = await withoutList();
  const chess = ["create", "api", "--group", "myapp", "--version", "v1", "--kind", "Chess"];
  expect((await runCli(root, chess)).stderr).toBe(
    `${list} was missing and is created again, without the lines of other kinds: review it with git diff\n`,
  );
});
