// The doctor reports problems that would make a deployment fail, and commands don't cause them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createApi, createWebhook, initProject } from "../../scaffold/test-support/game.ts";
import { madeOnce, snapshot, testDirectory } from "../../scaffold/test-support/tree.ts";
import { runCli } from "../test-support/run-cli.ts";
import { tools } from "../test-support/tools.ts";

const makeGame = madeOnce(async (root) => {
  await initProject(root);
  await createApi(root);
});

async function doctor(root: string): Promise<{ code: number; text: string }> {
  const { code, stdout } = await runCli(root, ["doctor"], { env: { PATH: tools("npm", "kubectl") } });
  return { code, text: stdout };
}

describe("webhooks that are disabled while a CRD requires conversion", () => {
  const conversion = madeOnce(async (root) => {
    await makeGame(root);
    await createApi(root, { version: "v2", controller: false });
    await createWebhook(root, { conversion: true, spokes: ["v2"] });
  });
  const patch = "- path: patches/webhook_in_games.yaml";
  const crds = (root: string) => readFileSync(join(root, "config/crd/kustomization.yaml"), "utf8").split("\n");

  it("disable and enable the conversion of the CRD, too", async () => {
    const root = testDirectory();
    await conversion(root);
    const before = snapshot(root);
    const disable = "webhook,cert-manager";
    expect(await runCli(root, ["edit", "--disable", disable])).toMatchObject({ code: 0 });
    expect(crds(root)).toContain(`#${patch}`);
    expect((await doctor(root)).text).not.toContain("requires a conversion webhook");
    expect(await runCli(root, ["edit", "--enable", disable])).toMatchObject({ code: 0 });
    expect(snapshot(root)).toEqual(before);
  });

  it("are reported by doctor if the conversion was left enabled by hand", async () => {
    const root = testDirectory();
    await conversion(root);
    const file = join(root, "config/default/kustomization.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("\n- ../webhook\n", "\n#- ../webhook\n"));
    const { code, text } = await doctor(root);
    expect(code).toBe(1);
    expect(text).toContain("✗ config/default deploys no webhooks, but the CRD of Game requires a conversion webhook");
  });

  it("can be deleted with their conversion while they are disabled", async () => {
    const root = testDirectory();
    await conversion(root);
    await runCli(root, ["edit", "--disable", "webhook,cert-manager"]);
    const names = ["--group", "myapp", "--version", "v1", "--kind", "Game"];
    expect(await runCli(root, ["delete", "webhook", ...names])).toMatchObject({ code: 0 });
    expect(crds(root).join("\n")).not.toContain("webhook_in_games");
  });
});

describe("a missing CRD in a kustomization", () => {
  const listed = "- bases/myapp.qingwave.github.io_ghosts.yaml";
  const withMissingCrd = async () => {
    const root = testDirectory();
    await makeGame(root);
    const file = join(root, "config/crd/kustomization.yaml");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("resources:\n", `resources:\n${listed}\n`));
    return { root, file, text };
  };

  it("is reported by doctor", async () => {
    const { root } = await withMissingCrd();
    const { code, text } = await doctor(root);
    expect(code).toBe(1);
    expect(text).toContain(
      "✗ config/crd/kustomization.yaml: bases/myapp.qingwave.github.io_ghosts.yaml is listed here",
    );
  });

  it("is removed from the list by generate --prune", async () => {
    const { root, file, text } = await withMissingCrd();
    const warned = await runCli(root, ["generate"]);
    expect(warned.stderr).toContain("[missing-crd]");
    expect(await runCli(root, ["generate", "--prune"])).toMatchObject({ code: 0 });
    expect(readFileSync(file, "utf8")).toBe(text);
    expect((await doctor(root)).code).toBe(0);
  });
});
