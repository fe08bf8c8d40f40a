// Commands format the code that they write with the project's own formatter, and its format causes neither conflicts nor edits.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readProject } from "../../project/project-file.ts";
import { resource } from "../../project/resource.ts";
import { planCreateApi } from "../commands/create-api.ts";
import { MemoryTree } from "../files/memory-tree.ts";
import { openTree } from "../files/tree.ts";
import { openTemplates } from "../templates/templates.ts";
import { edit } from "../test-support/edit.ts";
import { applyFormatted, installPackages, lint, prettier, usePrettier } from "../test-support/formatted.ts";
import {
  createApi,
  createWebhook,
  deleteApi,
  deleteWebhook,
  initProject,
  templatesDirectory,
} from "../test-support/game.ts";
import { madeOnce, snapshot, testDirectory } from "../test-support/tree.ts";
import { planOfUpgrade, upgradeProject } from "../test-support/upgrade.ts";

const text = (root: string, path: string) => readFileSync(join(root, path), "utf8");
const change = (root: string, path: string, by: (text: string) => string) =>
  writeFileSync(join(root, path), by(text(root, path)));

it("kinds with 1 to 63 characters pass the lint of a project with Biome", async () => {
  const root = testDirectory();
  await initProject(root);
  installPackages(root, "@biomejs/biome");
  const tree = new MemoryTree(openTree(root));
  const templates = await openTemplates(templatesDirectory);
  const project = readProject(tree.readText("PROJECT") ?? "");
  if ("message" in project) throw new Error(project.message);
  for (let length = 1; length <= 63; length++) {
    const kind = `K${"i".repeat(length - 1)}`;
    const added = resource({ group: "myapp", version: "v1", kind, domain: project.domain, namespaced: true });
    const coreKinds = () => "no kind of Kubernetes";
    const parts = { coreKinds, api: true, controller: true, force: true, year: 2026 };
    tree.apply(planCreateApi(tree, templates, { project, resource: added, ...parts, projectText: project.text }));
  }
  await applyFormatted(root, tree.plan());
  expect(lint(root)).toBe("");
});

const made = madeOnce(initProject);

async function projectWithPrettier(options: object): Promise<string> {
  const root = testDirectory();
  await made(root);
  usePrettier(root, options);
  return root;
}

async function createAll(root: string): Promise<void> {
  await createApi(root);
  await createApi(root, { version: "v2", controller: false });
  await createApi(root, { kind: "ReasonablyLongKindOfTheSecondController" });
  await createWebhook(root, { defaulting: true });
  await createWebhook(root, { validation: true, conversion: true, spokes: ["v2"] });
  await createWebhook(root, { kind: "ReasonablyLongKindOfTheSecondController", validation: true });
}

const controller = "src/controller/game-controller.ts";

describe.each([
  ["4 spaces and 120 columns", { tabWidth: 4, printWidth: 120 }],
  [
    "single quotes, no semicolons and 60 columns",
    { singleQuote: true, semi: false, trailingComma: "none", printWidth: 60 },
  ],
  ["tabs", { useTabs: true, arrowParens: "avoid", bracketSpacing: false }],
])("a project with Prettier, %s", (_, options) => {
  it("gets formatted code", async () => {
    const root = await projectWithPrettier(options);
    await createAll(root);
    expect(prettier(root, "--check")).toBe("");
    expect(text(root, "src/main.ts").match(/const enableWebhooks/g)).toHaveLength(1);
    expect((await planOfUpgrade(root)).operations).toEqual([]);
  });

  it("is upgraded without conflicts, with the changes of both", async () => {
    const root = await projectWithPrettier(options);
    await createAll(root);
    change(root, controller, (code) => code.replace(/([ \t]*)\/\/ Your code goes here\./, "$1ctx.log.info('mine')"));
    change(root, "src/main.ts", (code) => `${code}\nconsole.log('mine')\n`);
    expect(prettier(root, "--write")).toBe("");
    const before = snapshot(root);
    const { conflicts, operations } = await upgradeProject(root, (path, code) =>
      path.endsWith("-controller.ts") || path === "src/main.ts"
        ? code.replace("if (!object", "if (object === undefined").replace("await mgr.start(", "await mgr.startAll(")
        : code,
    );
    expect(conflicts).toEqual([]);
    expect(operations.map(({ path }) => path)).toContain(controller);
    expect(text(root, controller)).toMatch(/info\(["']mine["']\)/);
    expect(text(root, controller)).toContain("object === undefined");
    expect(prettier(root, "--check")).toBe("");
    const changed = Object.entries(snapshot(root)).filter(([path, now]) => before[path] !== now);
    expect(changed.map(([path]) => path).filter((path) => path.endsWith(".ts"))).toEqual(
      operations.map(({ path }) => path).filter((path) => path.endsWith(".ts")),
    );
  });

  it("is edited without conflicts", async () => {
    const root = await projectWithPrettier(options);
    await createAll(root);
    change(root, controller, (code) => code.replace(/([ \t]*)\/\/ Your code goes here\./, "$1ctx.log.info('mine')"));
    const { conflicts } = await edit(root, { multigroup: true });
    expect(conflicts).toEqual([]);
    expect(text(root, "src/controller/myapp/game-controller.ts")).toMatch(/info\(["']mine["']\)/);
    expect(prettier(root, "--check")).toBe("");
  });

  it("loses everything that the commands created", async () => {
    const root = await projectWithPrettier(options);
    const before = snapshot(root);
    await createAll(root);
    const plans = [
      await deleteWebhook(root, { kind: "ReasonablyLongKindOfTheSecondController" }),
      await deleteWebhook(root, { types: ["validation"] }),
      await deleteWebhook(root),
      await deleteApi(root, { kind: "ReasonablyLongKindOfTheSecondController" }),
      await deleteApi(root, { version: "v2" }),
      await deleteApi(root),
    ];
    for (const { kept, notes } of plans) expect({ kept, notes }).toEqual({ kept: [], notes: [] });
    expect(snapshot(root)).toEqual(before);
  });
});

it("a project with Prettier, 4 spaces and 120 columns is created, upgraded and deleted in its format", async () => {
  const root = await projectWithPrettier({ tabWidth: 4, printWidth: 120, singleQuote: true });
  const before = snapshot(root);
  await createApi(root);
  await createWebhook(root, { defaulting: true });
  await createWebhook(root, { validation: true });
  expect(prettier(root, "--check")).toBe("");
  expect((await planOfUpgrade(root)).operations).toEqual([]);

  const scaffolded = text(root, controller);
  change(root, controller, (code) => code.replace("// Your code goes here.", "ctx.log.info('mine');"));
  const { conflicts } = await upgradeProject(root, (path, code) =>
    path === controller ? code.replace("if (!object", "if (object === undefined") : code,
  );
  expect(conflicts).toEqual([]);
  expect(text(root, controller)).toBe(
    scaffolded
      .replace("// Your code goes here.", "ctx.log.info('mine');")
      .replace("if (!object", "if (object === undefined"),
  );

  writeFileSync(join(root, controller), scaffolded);
  await upgradeProject(root);
  for (const { kept, notes } of [await deleteWebhook(root), await deleteApi(root)]) {
    expect({ kept, notes }).toEqual({ kept: [], notes: [] });
  }
  expect(snapshot(root)).toEqual(before);
});
