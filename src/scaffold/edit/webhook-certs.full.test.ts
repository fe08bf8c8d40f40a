// edit --webhook-certs results in the same project as init, and keeps the user's changes.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ProjectOptions } from "../../project/change-project.ts";
import { edit, type Make, makes } from "../test-support/edit.ts";
import { createApi, createWebhook, deleteWebhook, initProject } from "../test-support/game.ts";
import { snapshot, testDirectory } from "../test-support/tree.ts";

const all = makes.at(-1)?.[1] ?? createApi;
const deployment = "config/default/kustomization.yaml";
const read = (root: string, path: string) => readFileSync(join(root, path), "utf8");

async function project(options: ProjectOptions, make: Make = all): Promise<string> {
  const root = testDirectory();
  await initProject(root, options);
  await make(root);
  return root;
}

it.each([
  ["cert-manager", "self"],
  ["self", "files"],
  ["files", "cert-manager"],
] as const)("results in the same project as init from %s to %s, and back", async (from, to) => {
  const root = await project({ webhookCerts: from });
  const was = snapshot(root);
  expect((await edit(root, { webhookCerts: to })).conflicts).toEqual([]);
  expect(snapshot(root)).toEqual(snapshot(await project({ webhookCerts: to })));
  expect((await edit(root, { webhookCerts: to })).operations).toEqual([]);
  expect((await edit(root, { webhookCerts: from })).conflicts).toEqual([]);
  expect(snapshot(root)).toEqual(was);
});

it("is recorded for later webhooks", async () => {
  const root = await project({}, createApi);
  expect(read(root, "PROJECT")).not.toContain("webhookCerts");
  for (const webhookCerts of ["self", "cert-manager"] as const) {
    await edit(root, { webhookCerts });
    expect(read(root, "PROJECT")).toContain(`    webhookCerts: ${webhookCerts}\nprojectName: `);
  }
});

it("can be combined with another layout", async () => {
  const layout = { multigroup: true, namespaced: true };
  const root = await project({});
  expect((await edit(root, { webhookCerts: "self", ...layout })).conflicts).toEqual([]);
  expect(snapshot(root)).toEqual(snapshot(await project({ webhookCerts: "self", ...layout })));
});

it.each([
  ["cert-manager", "self"],
  ["self", "cert-manager"],
  ["files", "self"],
] as const)("keeps the user's changes from %s to %s", async (from, to) => {
  const root = await project({ webhookCerts: from });
  const patch = "config/default/manager_webhook_patch.yaml";
  const own = "- op: add\n  path: /spec/template/spec/hostNetwork\n  value: true\n";
  appendFileSync(join(root, patch), `\n${own}`);
  const service = read(root, "config/webhook/service.yaml").replace("port: 443", "port: 8443");
  writeFileSync(join(root, "config/webhook/service.yaml"), service);
  appendFileSync(join(root, "src/main.ts"), "// mine\n");
  await edit(root, {}, undefined, { enable: ["prometheus", "network-policy"], disable: [] });
  expect((await edit(root, { webhookCerts: to })).conflicts).toEqual([]);
  expect(read(root, patch)).toContain(own);
  expect(read(root, "config/webhook/service.yaml")).toBe(service);
  expect(read(root, "src/main.ts")).toMatch(/\/\/ mine\n$/);
  expect(read(root, deployment)).toMatch(/^- \.\.\/prometheus$/m);
  expect(read(root, deployment)).toMatch(/^- \.\.\/network-policy$/m);
});

describe.each(["self", "files"] as const)("a project with %s", (webhookCerts) => {
  it("mentions cert-manager only in documents", async () => {
    const files = Object.entries(snapshot(await project({ webhookCerts })));
    const about = files.filter(([path, text]) => /cert-?manager/i.test(path + text)).map(([path]) => path);
    // Only the table of commands and the comment in PROJECT mention it, and their copies; not config/ or code.
    expect(about.filter((path) => !/\.(md|txtar)$/.test(path))).toEqual([]);
  });

  it("has no traces of webhooks after their deletion", async () => {
    const root = await project({ webhookCerts }, createApi);
    const was = snapshot(root);
    await createWebhook(root, { defaulting: true });
    const first = snapshot(root);
    await createWebhook(root, { validation: true });
    await deleteWebhook(root, { types: ["validation"] });
    expect(snapshot(root)).toEqual(first);
    await deleteWebhook(root);
    expect(snapshot(root)).toEqual(was);
  });

  it("mentions only the remaining webhooks after one is deleted", async () => {
    const root = await project({ webhookCerts });
    await deleteWebhook(root, { types: ["defaulting"] });
    const text = ["config/default/manager_webhook_patch.yaml", "config/webhook/ca_injection_role.yaml"]
      .filter((path) => existsSync(join(root, path)))
      .map((path) => read(root, path))
      .join("");
    expect(text).not.toContain("mutating");
    if (webhookCerts === "self") expect(text).toContain("validating-webhook-configuration");
  });

  it("rejects --enable cert-manager", async () => {
    const root = await project({ webhookCerts });
    const was = snapshot(root);
    const enabling = edit(root, {}, undefined, { enable: ["cert-manager"], disable: [] });
    await expect(enabling).rejects.toThrow("--enable cert-manager: this project doesn't use cert-manager");
    expect(snapshot(root)).toEqual(was);
  });

  it("supports disabling and enabling webhooks", async () => {
    const root = await project({ webhookCerts });
    const was = snapshot(root);
    await edit(root, {}, undefined, { enable: [], disable: ["webhook"] });
    expect(read(root, deployment)).not.toMatch(/^- \.\.\/webhook$/m);
    expect(read(root, deployment)).not.toMatch(/^ *- source:/m);
    await edit(root, {}, undefined, { enable: ["webhook"], disable: [] });
    expect(snapshot(root)).toEqual(was);
  });
});

describe("metrics with a certificate", () => {
  const withMetrics = async (root: string) => {
    await all(root);
    await edit(root, {}, undefined, { enable: ["metrics-certs"], disable: [] });
  };
  it.each([
    ["cert-manager", "self"],
    ["self", "files"],
    ["files", "cert-manager"],
  ] as const)("keep it from %s to %s", async (from, to) => {
    const root = await project({ webhookCerts: from }, withMetrics);
    expect((await edit(root, { webhookCerts: to })).conflicts).toEqual([]);
    expect(snapshot(root)).toEqual(snapshot(await project({ webhookCerts: to }, withMetrics)));
  });

  it.each([["self"], ["files"]] as const)(
    "have none after a change to %s with --disable metrics-certs",
    async (webhookCerts) => {
      const root = await project({}, withMetrics);
      const plan = await edit(root, { webhookCerts }, undefined, { enable: [], disable: ["metrics-certs"] });
      expect(plan.conflicts).toEqual([]);
      expect(snapshot(root)).toEqual(snapshot(await project({ webhookCerts })));
    },
  );

  it("get one in the call that changes its source", async () => {
    const root = await project({ webhookCerts: "self" });
    await edit(root, { webhookCerts: "cert-manager" }, undefined, { enable: ["metrics-certs"], disable: [] });
    expect(snapshot(root)).toEqual(snapshot(await project({ webhookCerts: "cert-manager" }, withMetrics)));
  });

  it("require webhooks if the manager creates the certificate", async () => {
    const root = await project({ webhookCerts: "self" }, createApi);
    const enabling = edit(root, {}, undefined, { enable: ["metrics-certs"], disable: [] });
    await expect(enabling).rejects.toThrow("--enable metrics-certs: it needs webhook, which is off");
    await all(root);
    await edit(root, {}, undefined, { enable: ["metrics-certs"], disable: [] });
    const disabling = edit(root, {}, undefined, { enable: [], disable: ["webhook"] });
    await expect(disabling).rejects.toThrow("--disable webhook: metrics-certs is enabled and needs it");
  });

  it.each([["self"], ["cert-manager"]] as const)(
    "have none after the last webhook of %s was deleted, and not before",
    async (from) => {
      const root = await project({ webhookCerts: from }, createApi);
      const was = snapshot(root);
      await createWebhook(root, { defaulting: true, validation: true });
      await edit(root, {}, undefined, { enable: ["metrics-certs"], disable: [] });
      await deleteWebhook(root, { types: ["validation"] });
      expect(read(root, deployment)).toMatch(/^- path: cert_metrics_manager_patch.yaml$/m);
      await deleteWebhook(root);
      expect(snapshot(root)).toEqual(was);
    },
  );

  it("require no webhooks with files", async () => {
    const root = await project({ webhookCerts: "files" }, createApi);
    const was = snapshot(root);
    await edit(root, {}, undefined, { enable: ["metrics-certs"], disable: [] });
    expect(read(root, deployment)).toMatch(/^- path: cert_metrics_manager_patch.yaml$/m);
    await edit(root, {}, undefined, { enable: [], disable: ["metrics-certs"] });
    expect(snapshot(root)).toEqual(was);
  });
});
