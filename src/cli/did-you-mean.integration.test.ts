import { describe, expect, it } from "vitest";
import { createApi, initProject } from "../scaffold/test-support/game.ts";
import { madeOnce, testDirectory } from "../scaffold/test-support/tree.ts";
import { runCli } from "./test-support/run-cli.ts";

const makeGame = madeOnce(async (root) => {
  await initProject(root);
  await createApi(root);
});

describe("a misspelled value of an enum flag", () => {
  it.each([
    ["edit --enable prometeus", "prometheus"],
    ["edit --disable webhok", "webhook"],
    ["edit --license apache", "apache2"],
    ["edit --webhook-certs cert-manger", "cert-manager"],
    ["edit --helm --plugins ts.kubewright.io/v2", "ts.kubewright.io/v1"],
    ["completion bsh", "bash"],
    ["generate --reader ts-morf", "ts-morph"],
    ["generate --unknown-markers ignroe", "ignore"],
    ["delete api --group myapp --version v1 --kind Gaem", "myapp/v1 Game"],
    ["create webhook --group apps --version v1 --kind Deploymnt --defaulting", "Deployment"],
  ])("gets a suggestion: %s", async (argv, near) => {
    const root = testDirectory();
    await makeGame(root);
    const { code, stderr } = await runCli(root, argv.split(" "));
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(`did you mean ${near}?`);
  });
});
