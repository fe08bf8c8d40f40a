// The last line of each command's output, in the order of a project's workflow.
import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { fullTest } from "../../scripts/test-support/full-test.ts";
import { testDirectory } from "../scaffold/test-support/tree.ts";
import { runCli } from "./test-support/run-cli.ts";

const game = ["--group", "shop", "--version", "v1", "--kind", "Game"];
const pod = ["--group", "core", "--version", "v1", "--kind", "Pod"];
const init = ["init", "--domain", "example.com", "--project-name", "mygame", "--fetch-deps=false"];
const make = "make manifests (or npm run manifests)";

const life: readonly (readonly [argv: readonly string[], stdout: string])[] = [
  [
    ["create", "api", ...game],
    `Created types and controller for Game. Next: edit api/v1/game-types.ts, then run ${make}`,
  ],
  [
    ["create", "api", ...game, "--resource=false", "--controller-name", "game-backup"],
    `Created controller for Game. Next: edit src/controller/game-backup-controller.ts, then run ${make}`,
  ],
  [
    ["create", "api", ...pod, "--resource=false"],
    `Created controller for Pod. Next: edit src/controller/pod-controller.ts, then run ${make}`,
  ],
  [
    ["create", "webhook", ...game, "--defaulting"],
    `Created the defaulting webhook for Game. Next: edit src/webhook/v1/game-webhook.ts, then run ${make}`,
  ],
  [
    ["create", "webhook", ...game, "--programmatic-validation"],
    `Created the validating webhook for Game. Next: edit src/webhook/v1/game-webhook.ts, then run ${make}`,
  ],
  [
    ["delete", "webhook", ...game, "--programmatic-validation"],
    `Deleted the validating webhook of Game. Next: run ${make} to update the configurations`,
  ],
  [["upgrade"], "The project is up to date."],
  [["edit", "--multigroup"], `Changed the project settings. Next: run ${make}, and review git diff`],
  [["delete", "webhook", ...game], `Deleted all webhooks of Game. Next: run ${make} to update the configurations`],
  [["delete", "api", ...game], `Deleted Game. Next: run ${make} to update the roles`],
];

it("init prints a count of files, and three lines to copy", async () => {
  const root = testDirectory();
  const { code, stdout } = await runCli(root, init);
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `Created project mygame: ${files.length} files. Next:

  npm install
  npx scaffold create api --group web --version v1 --kind Website
  npx scaffold dev
`,
  });
  expect(await runCli(testDirectory(), [...init, "--quiet"])).toEqual({ code: 0, stdout: "", stderr: "" });
});

fullTest("each command prints the next step", async () => {
  const root = testDirectory();
  expect(await runCli(root, init)).toMatchObject({ code: 0 });
  for (const [argv, last] of life) {
    const { code, stdout } = await runCli(root, argv);
    expect({ argv, code, last: stdout.split("\n").at(-2) }).toEqual({ argv, code: 0, last });
  }
});
