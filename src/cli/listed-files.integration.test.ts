// The files that a command lists after it has changed them.
import { expect, it } from "vitest";
import { fullTest } from "../../scripts/test-support/full-test.ts";
import { initProject } from "../scaffold/test-support/game.ts";
import { testDirectory } from "../scaffold/test-support/tree.ts";
import { type CliEnd, runCli } from "./test-support/run-cli.ts";

const game = ["--group", "myapp", "--version", "v1", "--kind", "Game"];

async function project(...calls: readonly (readonly string[])[]): Promise<string> {
  const root = testDirectory();
  await initProject(root);
  for (const call of calls) expect(await runCli(root, call)).toMatchObject({ code: 0 });
  return root;
}

/** Returns the listed files, without the message after them. */
const listed = ({ stdout }: CliEnd) => stdout.split("\n").slice(0, -2);

it("lists the created and updated files of create api in path order", async () => {
  const root = await project();
  const end = await runCli(root, ["create", "api", ...game]);
  expect(end).toEqual({
    code: 0,
    stdout: `update PROJECT
create api/v1/game-types.ts
create api/v1/groupversion-info.ts
create api/v1/index.ts
create config/crd/kustomization.yaml
create config/crd/kustomizeconfig.yaml
update config/default/kustomization.yaml
create config/rbac/game_admin_role.yaml
create config/rbac/game_editor_role.yaml
create config/rbac/game_viewer_role.yaml
update config/rbac/kustomization.yaml
create config/samples/kustomization.yaml
create config/samples/myapp_v1_game.yaml
create src/controller/game-controller.simulation.ts
create src/controller/game-controller.test.ts
create src/controller/game-controller.ts
update src/main.ts
Created types and controller for Game. Next: edit api/v1/game-types.ts, then run make manifests (or npm run manifests)
`,
    stderr: "",
  });
});

fullTest("lists the files of create webhook, edit and delete", async () => {
  const root = await project(["create", "api", ...game]);
  const webhook = await runCli(root, ["create", "webhook", ...game, "--defaulting"]);
  expect(listed(webhook)).toContain("create src/webhook/v1/game-webhook.ts");
  expect(listed(webhook)).toContain("update config/default/kustomization.yaml");
  const edit = await runCli(root, ["edit", "--multigroup"]);
  expect(listed(edit)).toContain("create api/myapp/v1/game-types.ts");
  expect(listed(edit)).toContain("delete api/v1/game-types.ts");
  expect(listed(await runCli(root, ["edit", "--helm"]))).toContain("create chart/Chart.yaml");
  expect(listed(await runCli(root, ["delete", "webhook", ...game]))).toContain(
    "delete src/webhook/myapp/v1/game-webhook.ts",
  );
});

it("lists no internal files, and nothing with --quiet or if nothing changed", async () => {
  const root = await project();
  const made = await runCli(root, ["create", "api", ...game]);
  expect(made.stdout).not.toContain(".kubewright");
  expect(await runCli(root, ["create", "webhook", ...game, "--defaulting", "--quiet"])).toMatchObject({ stdout: "" });
  expect(await runCli(root, ["edit", "--multigroup=false"])).toMatchObject({
    stdout: "The project already has these settings.\n",
  });
});
