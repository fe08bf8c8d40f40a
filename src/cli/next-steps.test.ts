// What each command says when it is done: all of stdout, in the order of a project's life.
import { expect, it } from "vitest";
import { testDirectory } from "../scaffold/test-support/tree.ts";
import { runCli } from "./test-support/run-cli.ts";

const game = ["--group", "shop", "--version", "v1", "--kind", "Game"];
const pod = ["--group", "core", "--version", "v1", "--kind", "Pod"];
const init = ["init", "--domain", "example.com", "--project-name", "mygame", "--fetch-deps=false"];
const make = "make manifests (or npm run manifests)";

const life: readonly (readonly [argv: readonly string[], stdout: string])[] = [
  [
    init,
    "mygame is ready. Next: npm install, then npx scaffold create api --group shop --version v1 --kind Game, with your own names",
  ],
  [["create", "api", ...game], `Game has its types and controller. Next: edit api/v1/game-types.ts, then ${make}`],
  [
    ["create", "api", ...game, "--resource=false", "--controller-name", "game-backup"],
    `Game has its controller. Next: edit src/controller/game-backup-controller.ts, then ${make}`,
  ],
  [
    ["create", "api", ...pod, "--resource=false"],
    `Pod has its controller. Next: edit src/controller/pod-controller.ts, then ${make}`,
  ],
  [
    ["create", "webhook", ...game, "--defaulting"],
    `Game has its defaulting webhook. Next: edit src/webhook/v1/game-webhook.ts, then ${make}`,
  ],
  [
    ["create", "webhook", ...game, "--programmatic-validation"],
    `Game has its validating webhook. Next: edit src/webhook/v1/game-webhook.ts, then ${make}`,
  ],
  [
    ["delete", "webhook", ...game, "--programmatic-validation"],
    `The validating webhook of Game is gone. Next: ${make}, so that the configurations follow`,
  ],
  [["upgrade"], "The project is up to date."],
  [["edit", "--multigroup"], `The project is edited. Next: ${make}, and look at git diff`],
  [["delete", "webhook", ...game], `The webhooks of Game are gone. Next: ${make}, so that the configurations follow`],
  [["delete", "api", ...game], `Game is gone. Next: ${make}, so that the roles follow`],
];

it("each command says what comes next", async () => {
  const root = testDirectory();
  for (const [argv, stdout] of life) {
    expect({ argv, ...(await runCli(root, argv)), stderr: "" }).toEqual({
      argv,
      code: 0,
      stdout: `${stdout}\n`,
      stderr: "",
    });
  }
});
