// The sections of config/default that create webhook enables.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { edit as editProject } from "./test-support/edit.ts";
import { createApi, createWebhook, initProject } from "./test-support/game.ts";
import { madeOnce, snapshot, testDirectory } from "./test-support/tree.ts";

const withGame = madeOnce(async (root) => {
  await initProject(root);
  await createApi(root);
});
async function game(): Promise<string> {
  const root = testDirectory();
  await withGame(root);
  return root;
}
const text = (root: string, path: string) => readFileSync(join(root, path), "utf8");
const edit = (root: string, path: string, change: (text: string) => string) =>
  writeFileSync(join(root, path), change(text(root, path)));

describe("config/default", () => {
  const kustomization = "config/default/kustomization.yaml";
  const active = (root: string) => text(root, kustomization).replace(/^#.*\n/gm, "");

  it("contains webhooks and cert-manager after the first webhook, and the CA for each type", async () => {
    const root = await game();
    await createWebhook(root, { defaulting: true });
    for (const part of [
      "- ../webhook\n",
      "- ../certmanager\n",
      "- path: manager_webhook_patch.yaml\n",
      "replacements:\n",
    ])
      expect(active(root)).toContain(part);
    expect(active(root)).toContain("kind: MutatingWebhookConfiguration");
    expect(active(root)).not.toContain("kind: ValidatingWebhookConfiguration");
    await createWebhook(root, { validation: true });
    expect(active(root)).toContain("kind: ValidatingWebhookConfiguration");
  });

  it("keeps cert-manager disabled while webhooks are enabled", async () => {
    const root = await game();
    await createWebhook(root, { defaulting: true });
    edit(root, kustomization, (lines) => lines.replace("\n- ../certmanager", "\n#- ../certmanager"));
    const { notes } = await createWebhook(root, { validation: true });
    expect(active(root)).not.toMatch(/certmanager|Validating/);
    expect(notes).toEqual([]);
  });

  it("enables existing conversions when it enables webhooks", async () => {
    const root = await game();
    await createApi(root, { version: "v2", controller: false });
    await createWebhook(root, { conversion: true, spokes: ["v2"] });
    await editProject(root, {}, undefined, { enable: [], disable: ["webhook", "cert-manager"] });
    await createWebhook(root, { defaulting: true });
    expect(text(root, "config/crd/kustomization.yaml")).toMatch(/^- path: patches\/webhook_in_games.yaml$/m);
    expect(active(root)).toContain("name: games.myapp.");
  });

  it.each([{ validation: true }, { conversion: true, spokes: ["v2"] }])(
    "enables webhooks that the user has disabled, with a note: %j",
    async (wanted) => {
      const root = await game();
      await createApi(root, { version: "v2", controller: false });
      await createWebhook(root, { defaulting: true });
      await editProject(root, {}, undefined, { enable: [], disable: ["webhook", "cert-manager"] });
      const { notes } = await createWebhook(root, wanted);
      expect(active(root)).toMatch(/^- \.\.\/webhook\n- \.\.\/certmanager\n/m);
      expect(active(root)).toContain("kind: MutatingWebhookConfiguration");
      expect(notes).toContain(
        "config/default/kustomization.yaml now deploys the webhooks, which were switched off; npx scaffold edit --disable webhook,cert-manager switches them off again",
      );
    },
  );

  it("is read by its entries, independently of comments", async () => {
    const root = await game();
    edit(root, kustomization, (lines) =>
      lines
        .replace(/^# \[.*\n/gm, "")
        .replaceAll("# - source: #", "# - source: # mine:")
        .replaceAll("\n", "\r\n"),
    );
    await createWebhook(root, { defaulting: true });
    expect(active(root).replaceAll("\r", "")).toContain(" - source: # mine: The CA for defaulting webhooks");
  });

  it.each([
    ["#- ../webhook\n", /has no resources with - \.\.\/webhook/],
    ["#- ../certmanager\n", /has no resources with - \.\.\/certmanager/],
    ["#- path: manager_webhook_patch.yaml\n", /has no patches with - path: manager_webhook_patch.yaml/],
    ["#     name: webhook-service\n", /has no replacements with the replacement of the name of the webhooks' Service/],
  ])("is rejected without %j, with the lines to add", async (lost, message) => {
    const root = await game();
    edit(root, kustomization, (lines) => lines.replace(lost, ""));
    const was = snapshot(root);
    await expect(createWebhook(root, { defaulting: true })).rejects.toThrow(message);
    expect(snapshot(root)).toEqual(was);
  });
});
