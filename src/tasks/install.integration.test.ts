// The output of install if CRDs or their list are missing.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCli } from "../cli/test-support/run-cli.ts";
import { createApi, initProject } from "../scaffold/test-support/game.ts";
import { testDirectory } from "../scaffold/test-support/tree.ts";

const list = "config/crd/kustomization.yaml";

/** Creates a project with a CRD, without the list of CRDs. */
async function withoutList(): Promise<string> {
  const root = testDirectory();
  await initProject(root);
  await createApi(root);
  rmSync(join(root, list));
  return root;
}

it("reports that there are no CRDs only if none exist", async () => {
  const root = await withoutList();
  expect(await runCli(root, ["install"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`can't build the CRDs: ${list} is missing`),
  });
  rmSync(join(root, "config/crd/bases"), { recursive: true });
  rmSync(join(root, "api"), { recursive: true });
  expect(await runCli(root, ["install", "--quiet"])).toMatchObject({ code: 0 });
  expect(await runCli(root, ["install"])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^No CRDs found\. To add one, run: npx scaffold create api$/m),
  });
});

it("reports that a missing list is created again with the next kind", async () => {
  const root = await withoutList();
  mkdirSync(join(root, "config/crd/bases"));
  writeFileSync(join(root, "config/crd/bases/games.yaml"), "kind: CustomResourceDefinition\n");
  const chess = ["create", "api", "--group", "myapp", "--version", "v1", "--kind", "Chess"];
  expect((await runCli(root, chess)).stderr).toBe(
    `${list} was missing and is created again, without the lines of other kinds: review it with git diff\n`,
  );
});
