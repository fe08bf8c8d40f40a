import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { pristinePath, pristineTexts } from "./pristine.ts";
import { createApi, createWebhook, deleteApi, initProject } from "./test-support/game.ts";
import { snapshot, testDirectory } from "./test-support/tree.ts";
import { upgradeProject } from "./test-support/upgrade.ts";
import { openTree } from "./tree.ts";

async function game(): Promise<string> {
  const root = testDirectory();
  await initProject(root);
  await createApi(root);
  return root;
}

/** Gives a project the copies of earlier versions: one compressed file per scaffolded file. */
function withOldCopies(root: string): void {
  for (const [path, text] of pristineTexts(openTree(root))) {
    const copy = join(root, ".kubewright/pristine", `${path}.gz`);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, gzipSync(text));
  }
  rmSync(join(root, pristinePath));
}

const archive = (root: string) => readFileSync(join(root, pristinePath), "utf8");

it("has at most 70 files in a new project with one kind", async () => {
  const files = Object.keys(snapshot(await game())).filter((path) => !path.endsWith("/"));
  expect(files).toContain(".gitattributes");
  expect(files.length).toBeLessThanOrEqual(70);
});

it("merges the archive of two branches line by line", async () => {
  expect(readFileSync(join(await game(), ".gitattributes"), "utf8")).toBe(
    ".kubewright/pristine.txtar linguist-generated merge=union\n",
  );
});

describe("copies of earlier versions", () => {
  it("are replaced by the archive in an upgrade", async () => {
    const root = await game();
    const was = snapshot(root);
    withOldCopies(root);
    expect((await upgradeProject(root)).conflicts).toEqual([]);
    expect(snapshot(root)).toEqual(was);
  });

  it("are the base for the user's edits in an upgrade", async () => {
    const root = await game();
    withOldCopies(root);
    const main = join(root, "src/main.ts");
    writeFileSync(main, `${readFileSync(main, "utf8")}// mine\n`);
    const newMain = (path: string, text: string) => (path === "src/main.ts" ? `// new\n${text}` : text);
    expect((await upgradeProject(root, newMain)).conflicts).toEqual([]);
    expect(readFileSync(main, "utf8")).toMatch(/^\/\/ new\n[\s\S]*\n\/\/ mine\n$/);
    expect(archive(root)).toContain("-- src/main.ts --\n// new\n");
  });

  it.each<[string, (root: string) => Promise<unknown>]>([
    ["create api", (root) => createApi(root, { kind: "Chess" })],
    ["create webhook", (root) => createWebhook(root, { defaulting: true })],
    ["delete api", (root) => deleteApi(root)],
  ])("are replaced by the archive in %s, with the same result", async (_, command) => {
    const [root, other] = [await game(), await game()];
    await command(other);
    withOldCopies(root);
    await command(root);
    expect(snapshot(root)).toEqual(snapshot(other));
  });
});
