// Invalid calls of create webhook.
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createApi, createWebhook, initProject } from "../../scaffold/test-support/game.ts";
import { madeOnce, testDirectory } from "../../scaffold/test-support/tree.ts";
import { expectRefusal, type Prepare, type Row } from "../test-support/refusal.ts";
import { runCli } from "../test-support/run-cli.ts";

describe("create webhook", () => {
  const game = madeOnce(async (root) => {
    await initProject(root);
    await createApi(root);
    await createApi(root, { version: "v2", controller: false });
    await createWebhook(root, { defaulting: true, defaultingPath: "/taken" });
  });
  const webhook = "create webhook --group myapp --version v1 --kind Game";
  const external = "create webhook --group cert-manager --version v1 --kind Issuer --defaulting";
  it.each<Row>([
    ["no group", "create webhook --version v1 --kind Game --defaulting", 2, "--group is missing"],
    ["no version", "create webhook --group myapp --kind Game --defaulting", 2, "--version is missing"],
    ["no kind", "create webhook --group myapp --version v1 --defaulting", 2, "--kind is missing"],
    ["no type", webhook, 2, "set at least one of --defaulting, --programmatic-validation and --conversion"],
    ["an invalid version", `${webhook.replace("v1", "1")} --defaulting`, 2, '--version "1" isn\'t a valid API version'],
    ["an invalid kind", `${webhook.replace("Game", "game")} --defaulting`, 2, '--kind "game" isn\'t valid'],
    ["an unknown flag", `${webhook} --validating`, 2, "--validating"],
    ["a switch that is neither true nor false", `${webhook} --defaulting=perhaps`, 2, "must be true or false"],
    ["an unknown kind", `${webhook.replace("Game", "Chess")} --defaulting`, 1, "create it first"],
    [
      "an unknown version",
      `${webhook.replace("v1", "v9")} --defaulting`,
      1,
      "API myapp.qingwave.github.io/v9, Kind=Game not found",
    ],
    ["another plural", `${webhook} --programmatic-validation --plural gamez`, 1, "has the plural games"],
    [
      "a webhook that exists",
      `${webhook} --defaulting`,
      1,
      "the defaulting webhook of myapp.qingwave.github.io/v1, Kind=Game already exists",
    ],
    [
      "an existing webhook together with a new one",
      `${webhook} --defaulting --programmatic-validation`,
      1,
      "already exists; use --force",
    ],
    [
      "a defaulting path without a defaulting webhook",
      `${webhook} --programmatic-validation --defaulting-path /a`,
      2,
      "--defaulting-path requires --defaulting",
    ],
    [
      "a validation path without a validating webhook",
      `${webhook} --defaulting --validation-path /a`,
      2,
      "--validation-path requires --programmatic-validation",
    ],
    [
      "a path without a slash",
      `${webhook} --programmatic-validation --validation-path check`,
      2,
      '--validation-path "check" isn\'t a valid path',
    ],
    ["a path with a comma", `${webhook} --programmatic-validation --validation-path /a,b`, 2, "isn't a valid path"],
    [
      "a path with shell characters",
      `${webhook} --programmatic-validation --validation-path /$(id)`,
      2,
      "isn't a valid path",
    ],
    ["a path with ..", `${webhook} --programmatic-validation --validation-path /../a`, 2, "isn't a valid path"],
    [
      "a path of 300 letters",
      `${webhook} --programmatic-validation --validation-path /${"x".repeat(300)}`,
      2,
      "at most 200 characters",
    ],
    ["an empty path", `${webhook} --programmatic-validation --validation-path=`, 2, "isn't a valid path"],
    [
      "one path for two webhooks",
      `${webhook} --defaulting --programmatic-validation --defaulting-path /a --validation-path /a`,
      2,
      "are both /a",
    ],
    [
      "a path that another webhook uses",
      `${webhook} --programmatic-validation --validation-path /taken`,
      1,
      "the defaulting webhook of Game uses it",
    ],
    [
      "a spoke without conversion",
      `${webhook} --programmatic-validation --spoke v2`,
      2,
      "--spoke requires --conversion",
    ],
    [
      "a spoke that isn't a version",
      `${webhook} --conversion --spoke Two`,
      2,
      '--spoke "Two" isn\'t a valid API version',
    ],
    ["an empty spoke", `${webhook} --conversion --spoke v2,`, 2, '--spoke "" isn\'t a valid API version'],
    ["the same spoke twice", `${webhook} --conversion --spoke v2 --spoke v2`, 2, "--spoke lists v2 twice"],
    ["the hub as a spoke", `${webhook} --conversion --spoke v2,v1`, 2, "v1 is the hub"],
    ["an unknown spoke", `${webhook} --conversion --spoke v3`, 1, "Game has no version v3 (Game has v1, v2)"],
    [
      "conversion of a built-in kind",
      "create webhook --group core --version v1 --kind Pod --conversion",
      1,
      "it isn't a kind of this project",
    ],
    [
      "an unknown built-in kind",
      "create webhook --group core --version v1 --kind Pot --defaulting",
      2,
      '--kind "Pot" isn\'t a kind of',
    ],
    [
      "an unknown version of a built-in group",
      "create webhook --group apps --version v7 --kind Deployment --defaulting",
      2,
      "the group has no version v7",
    ],
    [
      "another plural of a built-in kind",
      "create webhook --group core --version v1 --kind Pod --defaulting --plural podz",
      1,
      "has the plural pods",
    ],
    [
      "a module without --external-api-path",
      `${external} --external-api-module a`,
      2,
      "--external-api-module requires --external-api-path",
    ],
    [
      "a domain without --external-api-path",
      `${external} --external-api-domain io`,
      2,
      "--external-api-domain requires --external-api-path",
    ],
    ["a path that isn't a module", `${external} --external-api-path ../a`, 2, "use a module of an npm package"],
    [
      "a module that isn't a package",
      `${external} --external-api-path a --external-api-module ../a`,
      2,
      "use an npm package",
    ],
    [
      "a path for a kind of the project",
      `${webhook} --programmatic-validation --external-api-path a`,
      1,
      "Game is a kind of this project",
    ],
    [
      "a domain for a kind of the project",
      `${webhook} --programmatic-validation --external-api-path a --external-api-domain io`,
      1,
      "Game is a kind of this project",
    ],
    [
      "a kind of another package with the name of an existing kind",
      "create webhook --group other --version v1 --kind Game --defaulting --external-api-path a",
      1,
      "src/webhook/v1/game-webhook.ts contains those of kind Game",
    ],
  ])("rejects %s: %s", (...row) => expectRefusal(game, row));

  const whole = madeOnce(async (root) => {
    await initProject(root);
    await createApi(root);
  });
  it.each<readonly [string, Prepare, string | RegExp]>([
    [
      "a main.ts without its anchor",
      (root) => writeFileSync(join(root, "src/main.ts"), "// +kubebuilder:scaffold:imports\n"),
      /src\/main\.ts has no line .*scaffold:builder/,
    ],
    ["no main.ts", (root) => rmSync(join(root, "src/main.ts")), "src/main.ts is missing"],
    [
      "no kustomization",
      (root) => rmSync(join(root, "config/default/kustomization.yaml")),
      "config/default/kustomization.yaml is missing",
    ],
    [
      "a kustomization without the option",
      (root) => writeFileSync(join(root, "config/default/kustomization.yaml"), "resources:\n- ../rbac\n"),
      "config/default/kustomization.yaml has no resources with - ../webhook",
    ],
    [
      "a network policy without resources",
      (root) => writeFileSync(join(root, "config/network-policy/kustomization.yaml"), "a: 1\n"),
      'config/network-policy/kustomization.yaml has no list "resources"',
    ],
    [
      "an e2e test without its anchor",
      (root) => writeFileSync(join(root, "test/e2e/manager.e2e.ts"), "// mine\n"),
      "test/e2e/manager.e2e.ts has no line",
    ],
    [
      "a file of the user at the path of a new file",
      (root) => {
        mkdirSync(join(root, "src/webhook/v1"), { recursive: true });
        writeFileSync(join(root, "src/webhook/v1/game-webhook.ts"), "mine");
      },
      "src/webhook/v1/game-webhook.ts exists already",
    ],
    [
      "a link that leaves the project",
      (root) => symlinkSync("/tmp", join(root, "src/webhook")),
      "is a link that leaves the project",
    ],
    [
      "invalid webhooks in PROJECT",
      (root) => {
        const file = join(root, "PROJECT");
        writeFileSync(file, readFileSync(file, "utf8").replace("  version: v1\n", "  version: v1\n  webhooks: yes\n"));
      },
      "PROJECT can't be read: resources[0].webhooks \"yes\" isn't a valid map of keys",
    ],
  ])("rejects %s", async (what, damage, message) => {
    const prepare: Prepare = async (root) => {
      await whole(root);
      await damage(root);
    };
    await expectRefusal(prepare, [what, `${webhook} --defaulting`, 1, message]);
  });
});

it("suggests the most similar kind of the project for a misspelled kind", async () => {
  const root = testDirectory();
  await initProject(root);
  await createApi(root);
  const { stderr } = await runCli(
    root,
    "create webhook --group myapp --version v1 --kind Gmae --defaulting".split(" "),
  );
  expect(stderr).toContain(
    "  hint: did you mean myapp/v1 Game? Otherwise, create it: npx scaffold create api --group myapp --version v1 --kind Gmae\n",
  );
});

it("lists all lines to add to a main.ts without its anchor", async () => {
  const root = testDirectory();
  await initProject(root);
  await createApi(root);
  const main = join(root, "src/main.ts");
  writeFileSync(main, readFileSync(main, "utf8").replace(/.*scaffold:builder\n/, ""));
  const { stderr } = await runCli(
    root,
    "create webhook --group myapp --version v1 --kind Game --defaulting".split(" "),
  );
  expect(stderr).toContain('src/main.ts has no line "// +kubebuilder:scaffold:builder"');
  expect(stderr).toContain('      const enableWebhooks = process.env.ENABLE_WEBHOOKS !== "false";\n');
  expect(stderr).toContain("      if (enableWebhooks) await setupGameWebhookWithManager(mgr);\n");
});
