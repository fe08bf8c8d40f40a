// Projects of versions that stored one compressed copy per file.
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPristine, readPristineCopies } from "./pristine.ts";
import { archivePath } from "./pristine-archive.ts";
import { compressCopies } from "./test-support/compressed.ts";
import { createApi, createWebhook, deleteApi, initProject } from "./test-support/game.ts";
import { madeOnce, snapshot, testDirectory } from "./test-support/tree.ts";
import { type Edit, planOfUpgrade, upgradeProject } from "./test-support/upgrade.ts";
import { openTree } from "./tree.ts";

const game = madeOnce(async (root) => {
  await initProject(root);
  await createApi(root);
});

async function compressedGame(): Promise<string> {
  const root = testDirectory();
  await game(root);
  compressCopies(root);
  return root;
}

/** Edits a file, deletes one, and adds one. */
function editByHand(root: string): void {
  appendFileSync(join(root, "src/main.ts"), "// mine\n");
  rmSync(join(root, "Dockerfile"));
  writeFileSync(join(root, "src/mine.ts"), "export {};\n");
}

const compressed = (root: string) => Object.keys(snapshot(root)).filter((path) => path.endsWith(".gz"));
const userFiles = (root: string) => Object.entries(snapshot(root)).filter(([path]) => !path.startsWith(".kubewright"));

describe("an upgrade", () => {
  it.each([
    ["without", () => undefined],
    ["with", editByHand],
  ])("stores them in the archive, in a project %s the user's edits", async (_, edit) => {
    const expected = testDirectory();
    await game(expected);
    const root = await compressedGame();
    expect(compressed(root).length).toBeGreaterThan(50);
    expect(existsSync(join(root, archivePath))).toBe(false);
    edit(root);
    const before = userFiles(root);
    await upgradeProject(root);
    expect(userFiles(root)).toEqual(before);
    const kept = Object.keys(snapshot(root)).filter((path) => path.startsWith(".kubewright"));
    expect(kept).toEqual([".kubewright/", archivePath]);
    expect(snapshot(root)[archivePath]).toBe(snapshot(expected)[archivePath]);
    expect((await planOfUpgrade(root)).operations).toEqual([]);
  });

  it("merges with the user's edits as if they were in the archive", async () => {
    const newMain: Edit = (path, text) => (path === "src/main.ts" ? `// new\n${text}` : text);
    const [root, expected] = [await compressedGame(), testDirectory()];
    await game(expected);
    for (const each of [root, expected]) {
      editByHand(each);
      expect((await upgradeProject(each, newMain)).conflicts).toEqual([]);
    }
    expect(snapshot(root)).toEqual(snapshot(expected));
    expect(readFileSync(join(root, "src/main.ts"), "utf8")).toMatch(/^\/\/ new\n[\s\S]*\n\/\/ mine\n$/);
  });
});

it.each<[string, (root: string) => Promise<unknown>]>([
  ["create api", (root) => createApi(root, { kind: "Chess" })],
  ["create webhook", (root) => createWebhook(root, { validation: true })],
  ["delete api", (root) => deleteApi(root)],
])("%s stores them in the archive too", async (_, command) => {
  const [root, expected] = [await compressedGame(), testDirectory()];
  await game(expected);
  for (const each of [root, expected]) {
    editByHand(each);
    await command(each);
  }
  expect(compressed(root)).toEqual([]);
  expect(snapshot(root)).toEqual(snapshot(expected));
});

it("delete keeps what the user has changed since", async () => {
  const root = await compressedGame();
  appendFileSync(join(root, "api/v1/game-types.ts"), "// mine\n");
  await deleteApi(root);
  expect(existsSync(join(root, "api/v1/game-types.ts"))).toBe(true);
  expect(existsSync(join(root, "src/controller/game-controller.ts"))).toBe(false);
  expect(readPristine(openTree(root), "api/v1/game-types.ts")).toBeUndefined();
});

it("are ignored beside an archive, and removed with the next change of it", async () => {
  const root = await compressedGame();
  await createApi(root, { kind: "Chess" });
  const archive = snapshot(root)[archivePath];
  const copies = readPristineCopies(openTree(root));
  compressCopies(root);
  writeFileSync(join(root, archivePath), archive?.slice("644 ".length) ?? "", "latin1");
  writeFileSync(join(root, ".kubewright/pristine/src/main.ts.gz"), "");
  expect(readPristineCopies(openTree(root))).toEqual(copies);
  await upgradeProject(root);
  expect(compressed(root)).toEqual([]);
  expect(snapshot(root)[archivePath]).toBe(archive);
});
