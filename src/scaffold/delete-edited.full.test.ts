// Changed files stay if their kind is deleted. They compile, or the command lists the ones that don't.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCli } from "../cli/test-support/run-cli.ts";
import { createApi, createWebhook, deleteApi, deleteWebhook, initProject } from "./test-support/game.ts";
import { madeOnce, snapshot, testDirectory } from "./test-support/tree.ts";
import { planOfUpgrade } from "./test-support/upgrade.ts";

const games = madeOnce(async (root) => {
  await initProject(root);
  await createApi(root, { kind: "Chess" });
  await createApi(root);
});

async function project(): Promise<string> {
  const root = testDirectory();
  await games(root);
  return root;
}

const [types, controller] = ["api/v1/game-types.ts", "src/controller/game-controller.ts"];

it("types that stay are valid for make manifests, and a note lists the generated files", async () => {
  const root = await project();
  appendFileSync(join(root, types), "// mine\n");
  const { kept, notes } = await deleteApi(root);
  expect(kept).toEqual([types]);
  expect(notes).toEqual([expect.stringContaining("config/crd/bases/myapp.qingwave.github.io_games.yaml")]);
  expect(await runCli(root, ["generate"])).toMatchObject({ code: 0 });
  expect((await planOfUpgrade(root)).operations).toEqual([]);
});

it("a controller that stays without its types is listed, because it doesn't compile", async () => {
  const root = await project();
  appendFileSync(join(root, controller), "// mine\n");
  const helper = "src/scores.ts";
  writeFileSync(join(root, helper), 'import type { Game } from "#api/v1/index.ts";\nexport type Scores = Game[];\n');
  const { kept, notes } = await deleteApi(root);
  expect(kept).toEqual([controller]);
  expect(notes).toEqual([
    `${controller} imports Game, and doesn't compile without it: remove ${controller} too`,
    `${helper} imports Game, and doesn't compile without it: change it`,
  ]);
  expect(await runCli(root, ["generate"])).toMatchObject({ code: 0 });
});

it("a webhook that stays without its conversion is listed", async () => {
  const root = await project();
  await createApi(root, { version: "v2", controller: false });
  await createWebhook(root, { defaulting: true, conversion: true, spokes: ["v2"] });
  const file = "src/webhook/v1/game-webhook.ts";
  appendFileSync(join(root, file), "// mine\n");
  const { notes } = await deleteWebhook(root);
  expect(notes).toContainEqual(
    expect.stringContaining(`${file} imports api/v1/game-conversion.ts, and doesn't compile`),
  );
});

it("a webhook that stays with its marker is listed, because the API server would call it", async () => {
  const root = await project();
  await createWebhook(root, { defaulting: true, validation: true });
  const file = "src/webhook/v1/game-webhook.ts";
  appendFileSync(join(root, file), "// mine\n");
  const { kept, notes } = await deleteWebhook(root);
  expect(kept).toEqual([file]);
  expect(notes).toEqual(
    ["/mutate", "/validate"].map((verb) =>
      expect.stringContaining(`${file} still has the marker of ${verb}-myapp-qingwave-github-io-v1-game,`),
    ),
  );
});

it("a class that stays in a file with others is listed if it has a marker", async () => {
  const root = await project();
  await createWebhook(root, { defaulting: true, validation: true });
  const file = join(root, "src/webhook/v1/game-webhook.ts");
  writeFileSync(file, readFileSync(file, "utf8").replace('"Defaulting"', '"Filling in"'));
  const { notes } = await deleteWebhook(root, { types: ["defaulting"] });
  expect(notes).toEqual([expect.stringContaining("the marker of /mutate-myapp-qingwave-github-io-v1-game,")]);
});

it("with --force, changed files are removed and listed", async () => {
  const root = testDirectory();
  await initProject(root);
  const before = snapshot(root);
  await createApi(root);
  for (const file of [types, controller, "config/samples/myapp_v1_game.yaml"])
    appendFileSync(join(root, file), "# mine\n");
  const names = ["--group", "myapp", "--version", "v1", "--kind", "Game"];
  const { code, stderr } = await runCli(root, ["delete", "api", ...names, "--force"]);
  expect(code).toBe(0);
  expect(stderr).toContain(`${controller} is removed with your changes`);
  expect(existsSync(join(root, types))).toBe(false);
  expect(snapshot(root)).toEqual(before);
});
