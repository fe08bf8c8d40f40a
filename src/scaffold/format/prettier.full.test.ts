// A project whose formatter is Prettier, from its creation to its end.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { prettier, usePrettier } from "../test-support/formatted.ts";
import { createApi, createWebhook, deleteApi, deleteWebhook, initProject } from "../test-support/game.ts";
import { snapshot, testDirectory } from "../test-support/tree.ts";
import { planOfUpgrade, upgradeProject } from "../test-support/upgrade.ts";

const text = (root: string, path: string) => readFileSync(join(root, path), "utf8");
const change = (root: string, path: string, by: (text: string) => string) =>
  writeFileSync(join(root, path), by(text(root, path)));

it("a project with Prettier, 4 spaces and 120 columns is created, upgraded and deleted in its format", async () => {
  const root = testDirectory();
  await initProject(root);
  usePrettier(root, { tabWidth: 4, printWidth: 120, singleQuote: true });
  const before = snapshot(root);
  await createApi(root);
  await createWebhook(root, { defaulting: true });
  await createWebhook(root, { validation: true });
  expect(prettier(root, "--check")).toBe("");
  expect((await planOfUpgrade(root)).operations).toEqual([]);

  const controller = "src/controller/game-controller.ts";
  const scaffolded = text(root, controller);
  change(root, controller, (code) => code.replace("// Your code goes here.", "ctx.log.info('mine');"));
  const { conflicts } = await upgradeProject(root, (path, code) =>
    path === controller ? code.replace("if (!object) return;", "if (object === undefined) return;") : code,
  );
  expect(conflicts).toEqual([]);
  expect(text(root, controller)).toBe(
    scaffolded
      .replace("// Your code goes here.", "ctx.log.info('mine');")
      .replace("if (!object) return;", "if (object === undefined) return;"),
  );

  writeFileSync(join(root, controller), scaffolded);
  await upgradeProject(root);
  for (const { kept, notes } of [await deleteWebhook(root), await deleteApi(root)]) {
    expect({ kept, notes }).toEqual({ kept: [], notes: [] });
  }
  expect(snapshot(root)).toEqual(before);
});
