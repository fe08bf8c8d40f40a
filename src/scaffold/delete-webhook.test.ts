import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createApi, createWebhook, deleteWebhook, initProject } from "./test-support/game.ts";
import { snapshot, testDirectory } from "./test-support/tree.ts";

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

describe("create and delete give the same tree", () => {
  it.each<[string, Parameters<typeof initProject>[1], Webhook[], Webhook]>([
    ["of the only webhook", {}, [], { defaulting: true }],
    ["of several types", {}, [], both],
    ["of a second type beside the first", {}, [{ defaulting: true }], { validation: true }],
    ["of the first type in a file with both", {}, [{ validation: true }], { defaulting: true }],
    ["of conversion", {}, [], { conversion: true, spokes: ["v2"] }],
    ["of conversion of a kind with one version", {}, [], { kind: "Chess", conversion: true }],
    ["of conversion beside others", {}, [both], { conversion: true, spokes: ["v2"] }],
    ["of a second kind", {}, [both], { kind: "Chess", ...both }],
    ["of a kind of Kubernetes", {}, [], { ...deployment, validation: true }],
    ["with several groups", { multigroup: true }, [{ validation: true }], { kind: "Chess", defaulting: true }],
    ["with paths of their own", {}, [], { ...both, defaultingPath: "/fill", validationPath: "/check" }],
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

  it("and the configurations that were generated go along with the last of them", async () => {
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

it("keeps the condition of registrations as long as main.ts uses it", async () => {
  const root = await project({}, { defaulting: true }, { kind: "Chess", defaulting: true });
  await deleteWebhook(root);
  expect(read(root, "src/main.ts")).toContain("const enableWebhooks");
  const main = read(root, "src/main.ts").replace("  if (enableWebhooks)", "  if (enableWebhooks) mine();\n$&");
  writeFileSync(join(root, "src/main.ts"), main);
  await deleteWebhook(root, { kind: "Chess" });
  expect(read(root, "src/main.ts")).toContain("const enableWebhooks");
  expect(read(root, "src/main.ts")).toContain("if (enableWebhooks) mine();");
});

describe("what the user has changed", () => {
  const file = "src/webhook/v1/game-webhook.ts";

  it("stays and is named", async () => {
    const root = await project({}, both);
    appendFileSync(join(root, file), "// mine\n");
    const { kept } = await deleteWebhook(root);
    expect(kept).toEqual([file]);
    expect(read(root, "src/main.ts")).not.toContain("setupGameWebhookWithManager");
  });

  it("stays in the file when another type goes", async () => {
    const root = await project({}, both);
    appendFileSync(join(root, file), "// mine\n");
    await deleteWebhook(root, { types: ["defaulting"] });
    expect(read(root, file)).toMatch(/\/\/ mine\n$/);
    expect(read(root, file)).not.toContain("GameCustomDefaulter");
    expect(read(root, file)).toContain("GameCustomValidator");
  });
});
