import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useEarlierNames, webhookFiles } from "../test-support/earlier-names.ts";
import { createApi, createWebhook, deleteWebhook, initProject } from "../test-support/game.ts";
import { snapshot, testDirectory } from "../test-support/tree.ts";

type Webhook = Parameters<typeof createWebhook>[1];
const core = { plural: "deployments", namespaced: true };
const deployment = { group: "apps", kind: "Deployment", core };

async function project(init: Parameters<typeof initProject>[1], ...webhooks: Webhook[]): Promise<string> {
  const root = testDirectory();
  await initProject(root, init);
  await createApi(root);
  await createApi(root, { version: "v2", controller: false });
  await createApi(root, { kind: "Chess" });
  for (const webhook of webhooks) await createWebhook(root, webhook);
  return root;
}

const read = (root: string, path: string) => readFileSync(join(root, path), "utf8");
const both = { defaulting: true, validation: true };

describe("delete webhook restores the tree from before create webhook", () => {
  it.each<[string, Parameters<typeof initProject>[1], Webhook[], Webhook]>([
    ["for the only webhook", {}, [], { defaulting: true }],
    ["for several types", {}, [], both],
    ["for a second type after the first", {}, [{ defaulting: true }], { validation: true }],
    ["for the first type in a file with both", {}, [{ validation: true }], { defaulting: true }],
    ["for a conversion", {}, [], { conversion: true, spokes: ["v2"] }],
    ["for a conversion of a kind with one version", {}, [], { kind: "Chess", conversion: true }],
    ["for a conversion in addition to other types", {}, [both], { conversion: true, spokes: ["v2"] }],
    ["for a second kind", {}, [both], { kind: "Chess", ...both }],
    ["for a built-in kind", {}, [], { ...deployment, validation: true }],
    ["in a multi-group project", { multigroup: true }, [{ validation: true }], { kind: "Chess", defaulting: true }],
    ["with custom paths", {}, [], { ...both, defaultingPath: "/fill", validationPath: "/check" }],
  ])("%s", async (_, init, before, webhook) => {
    const root = await project(init, ...before);
    const was = snapshot(root);
    await createWebhook(root, webhook);
    expect(snapshot(root)).not.toEqual(was);
    const types = (["defaulting", "validation", "conversion"] as const).filter((type) => webhook[type] === true);
    const { kept, notes } = await deleteWebhook(root, { ...webhook, types });
    expect({ kept, notes }).toEqual({ kept: [], notes: [] });
    expect(snapshot(root)).toEqual(was);
  });

  it("with the generated configurations, after the last webhook", async () => {
    const root = await project({});
    const was = snapshot(root);
    await createWebhook(root, both);
    const generated = "---\napiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\n";
    writeFileSync(join(root, "config/webhook/manifests.yaml"), generated);
    await deleteWebhook(root, { types: ["defaulting"] });
    expect(read(root, "config/webhook/manifests.yaml")).toBe(generated);
    await deleteWebhook(root);
    expect(snapshot(root)).toEqual(was);
  });
});

it("keeps the condition of registrations in main.ts while it is used", async () => {
  const root = await project({}, { defaulting: true }, { kind: "Chess", defaulting: true });
  await deleteWebhook(root);
  expect(read(root, "src/main.ts")).toContain("const enableWebhooks");
  const main = read(root, "src/main.ts").replace("  if (enableWebhooks)", "  if (enableWebhooks) mine();\n$&");
  writeFileSync(join(root, "src/main.ts"), main);
  await deleteWebhook(root, { kind: "Chess" });
  expect(read(root, "src/main.ts")).toContain("const enableWebhooks");
  expect(read(root, "src/main.ts")).toContain("if (enableWebhooks) mine();");
});

describe("webhooks with the names of earlier versions", () => {
  it("are deleted one after another", async () => {
    const root = await project({}, both);
    await useEarlierNames(root);
    await deleteWebhook(root, { types: ["defaulting"] });
    const [file, test] = webhookFiles;
    for (const path of webhookFiles) expect(read(root, path)).not.toContain("GameCustomDefaulter");
    expect(read(root, file)).toContain("class GameCustomValidator implements CustomValidator<Game>");
    expect(read(root, test)).toContain("new GameCustomValidator()");
  });

  it("get a second type with such a name", async () => {
    const root = await project({}, both);
    await useEarlierNames(root);
    await deleteWebhook(root, { types: ["defaulting"] });
    await createWebhook(root, { defaulting: true });
    expect(read(root, webhookFiles[0])).toContain("class GameCustomDefaulter implements CustomDefaulter<Game>");
  });
});

describe("the user's changes", () => {
  const file = "src/webhook/v1/game-webhook.ts";

  it("are kept, and the file is listed", async () => {
    const root = await project({}, both);
    appendFileSync(join(root, file), "// mine\n");
    const { kept } = await deleteWebhook(root);
    expect(kept).toEqual([file]);
    expect(read(root, "src/main.ts")).not.toContain("setupGameWebhookWithManager");
  });

  it("stay in the file if another type is deleted", async () => {
    const root = await project({}, both);
    appendFileSync(join(root, file), "// mine\n");
    await deleteWebhook(root, { types: ["defaulting"] });
    expect(read(root, file)).toMatch(/\/\/ mine\n$/);
    expect(read(root, file)).not.toContain("GameDefaulter");
    expect(read(root, file)).toContain("GameValidator");
  });
});
