// Commands format the code that they write with the project's own formatter. format.full.test.ts has more formats and kinds.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import { installPackages, lint } from "../test-support/formatted.ts";
import { createApi, createWebhook, deleteApi, initProject } from "../test-support/game.ts";
import { testDirectory } from "../test-support/tree.ts";

const text = (root: string, path: string) => readFileSync(join(root, path), "utf8");
const change = (root: string, path: string, by: (text: string) => string) =>
  writeFileSync(join(root, path), by(text(root, path)));

fullTest("a kind with 60 characters passes the lint of a project with Biome", async () => {
  const root = testDirectory();
  await initProject(root);
  installPackages(root, "@biomejs/biome");
  const kind = `K${"i".repeat(59)}`;
  await createApi(root, { kind });
  await createWebhook(root, { kind, defaulting: true, validation: true });
  expect(lint(root)).toBe("");
});

it("a formatter whose imports are sorted doesn't make files the user's", async () => {
  const root = testDirectory();
  await initProject(root);
  installPackages(root, "@biomejs/biome");
  change(root, "biome.json", (config) => config.replace('"enabled": false', '"enabled": true'));
  await createApi(root);
  expect(lint(root)).toBe("");
  expect((await deleteApi(root)).kept).toEqual([]);
});
