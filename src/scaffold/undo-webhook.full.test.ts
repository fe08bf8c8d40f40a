// The code that scaffolds webhooks also removes them: both together restore the tree.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sameResource } from "../project/entries.ts";
import { readProject } from "../project/project-file.ts";
import { type ExternalApi, targetOf } from "../project/target.ts";
import { noWebhooks, type Webhooks } from "../project/webhooks.ts";
import { applyPlan } from "./files/apply.ts";
import type { Plan } from "./files/operation.ts";
import { openTree } from "./files/tree.ts";
import { projectHeader } from "./parts/boilerplate.ts";
import { UndoBuilder } from "./plan/undo.ts";
import { openTemplates } from "./templates/templates.ts";
import { createApi, createWebhook, initProject, templatesDirectory } from "./test-support/game.ts";
import { madeOnce, snapshot, testDirectory } from "./test-support/tree.ts";
import { scaffoldWebhook } from "./webhook/scaffold-webhook.ts";

const versions = madeOnce(async (root) => {
  await initProject(root);
  await createApi(root);
  for (const version of ["v2", "v3"]) await createApi(root, { version, controller: false });
  await createApi(root, { kind: "Chess" });
});

async function project(): Promise<string> {
  const root = testDirectory();
  await versions(root);
  return root;
}

/** Removes webhooks, with the PROJECT file from before their creation. */
async function undo(
  root: string,
  before: string,
  wanted: Partial<Webhooks>,
  rest: Partial<Webhooks> = {},
): Promise<Plan> {
  const tree = openTree(root);
  const read = readProject(before);
  if ("message" in read) throw new Error(read.message);
  const names = { group: "myapp", version: "v1", kind: "Game" };
  const resource = targetOf(read, names, {} satisfies ExternalApi, () => "none");
  if ("message" in resource) throw new Error(resource.message);
  expect(read.resources.some((entry) => sameResource(entry, resource))).toBe(true);
  const builder = new UndoBuilder(tree);
  const templates = await openTemplates(templatesDirectory);
  for (const target of builder.both()) {
    await scaffoldWebhook(target, target.tree, templates, {
      project: read,
      resource,
      wanted: { ...noWebhooks, ...wanted },
      rest: { ...noWebhooks, ...rest },
      header: projectHeader(tree, 2026),
    });
  }
  builder.artifact("PROJECT", before);
  const plan = builder.build();
  await applyPlan(plan);
  return plan;
}
const text = (root: string, path: string) => readFileSync(join(root, path), "utf8");

it.each<readonly [string, Partial<Webhooks>]>([
  ["a defaulting webhook", { defaulting: true }],
  ["both admission webhooks", { defaulting: true, validation: true, validationPath: "/check" }],
  ["a conversion", { conversion: true, spokes: ["v2", "v3"] }],
  ["all", { defaulting: true, validation: true, conversion: true, spokes: ["v2"] }],
])("removes %s", async (_, wanted) => {
  const root = await project();
  const was = snapshot(root);
  await createWebhook(root, wanted);
  await undo(root, was.PROJECT?.slice(4) ?? "", wanted);
  expect(snapshot(root)).toEqual(was);
});

it.each<readonly [string, Partial<Webhooks>, Partial<Webhooks>]>([
  ["validation", { defaulting: true }, { validation: true, validationPath: "/check" }],
  ["defaulting", { validation: true }, { defaulting: true }],
  ["conversion", { validation: true }, { conversion: true, spokes: ["v2", "v3"] }],
  ["the admission webhooks", { conversion: true, spokes: ["v2"] }, { defaulting: true, validation: true }],
])("removes %s from a file with others", async (_, rest, wanted) => {
  const root = await project();
  await createWebhook(root, rest);
  const was = snapshot(root);
  await createWebhook(root, wanted);
  await undo(root, was.PROJECT?.slice(4) ?? "", wanted, rest);
  expect(snapshot(root)).toEqual(was);
});

it("keeps the parts that other kinds require", async () => {
  const root = await project();
  await createWebhook(root, { kind: "Chess", defaulting: true });
  const was = snapshot(root);
  await createWebhook(root, { defaulting: true, validation: true });
  await undo(root, was.PROJECT?.slice(4) ?? "", { defaulting: true, validation: true });
  expect(snapshot(root)).toEqual(was);
});

it("keeps and lists files that the user has changed", async () => {
  const root = await project();
  const before = text(root, "PROJECT");
  await createWebhook(root, { defaulting: true });
  const file = "src/webhook/v1/game-webhook.ts";
  writeFileSync(join(root, file), `${text(root, file)}// mine\n`);
  const { kept } = await undo(root, before, { defaulting: true });
  expect(kept).toEqual([file]);
  expect(text(root, file)).toContain("// mine\n");
});

it("keeps a class that the user has changed, and removes its call", async () => {
  const root = await project();
  await createWebhook(root, { defaulting: true });
  const before = text(root, "PROJECT");
  await createWebhook(root, { validation: true });
  const file = "src/webhook/v1/game-webhook.ts";
  writeFileSync(join(root, file), text(root, file).replace("return [];", 'return ["mine"];'));
  await undo(root, before, { validation: true }, { defaulting: true });
  expect(text(root, file)).toContain('return ["mine"];');
  expect(text(root, file)).not.toContain(".withValidator(");
});
