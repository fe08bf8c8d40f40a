import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTree } from "../files/tree.ts";
import { compressCopies } from "../test-support/compressed.ts";
import { createApi, createWebhook, deleteApi, initProject } from "../test-support/game.ts";
import { snapshot, testDirectory } from "../test-support/tree.ts";
import { upgradeProject } from "../test-support/upgrade.ts";
import { changePristine, pristinePath, readPristine } from "./pristine.ts";

async function game(): Promise<string> {
  const root = testDirectory();
  await initProject(root);
  await createApi(root);
  return root;
}

const archive = (root: string) => readFileSync(join(root, pristinePath), "utf8");

it("a new project with one kind has at most 70 files", async () => {
  const files = Object.keys(snapshot(await game())).filter((path) => !path.endsWith("/"));
  expect(files).toContain(".gitattributes");
  expect(files.length).toBeLessThanOrEqual(70);
});

it("git merges the archive of two branches line by line", async () => {
  expect(readFileSync(join(await game(), ".gitattributes"), "utf8")).toMatch(
    /^\.kubewright\/pristine\.txtar linguist-generated merge=union$/m,
  );
});

describe("the task programs of earlier versions", () => {
  async function withTasks(): Promise<string> {
    const root = await game();
    const added = [
      ["hack/tasks.mjs", 'await import("./deploy.mjs");\n'],
      ["hack/deploy.mjs", "export {};\n"],
    ] as const;
    for (const [path, text] of added) writeFileSync(join(root, path), text);
    const { contents } = changePristine(openTree(root), new Map(added));
    for (const [path, text] of contents) writeFileSync(join(root, path), text);
    return root;
  }

  it("are removed by an upgrade if they are unchanged", async () => {
    const root = await withTasks();
    const { operations } = await upgradeProject(root);
    expect(operations.map(({ op, path }) => `${op} ${path}`)).toEqual([
      `update ${pristinePath}`,
      "delete hack/deploy.mjs",
      "delete hack/tasks.mjs",
    ]);
    expect((await upgradeProject(root)).operations).toEqual([]);
  });

  it("are kept by an upgrade if the user changed tasks.mjs, with a note", async () => {
    const root = await withTasks();
    appendFileSync(join(root, "hack/tasks.mjs"), "// mine\n");
    const { operations, notes } = await upgradeProject(root);
    expect(operations.map(({ op, path }) => `${op} ${path}`)).toEqual([`update ${pristinePath}`]);
    expect(notes).toEqual([expect.stringMatching(/^hack\/tasks\.mjs is kept, .* make and npm no longer call it/)]);
    expect((await upgradeProject(root)).notes).toEqual([]);
  });
});

describe("copies of earlier versions", () => {
  it("are replaced by the archive in an upgrade", async () => {
    const root = await game();
    const was = snapshot(root);
    compressCopies(root);
    expect((await upgradeProject(root)).conflicts).toEqual([]);
    expect(snapshot(root)).toEqual(was);
  });

  it("are the base for the user's edits in an upgrade", async () => {
    const root = await game();
    compressCopies(root);
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
  ])("are replaced by the archive with %s, with the same result", async (_, command) => {
    const [root, other] = [await game(), await game()];
    await command(other);
    compressCopies(root);
    await command(root);
    expect(snapshot(root)).toEqual(snapshot(other));
  });

  it("are used by delete api to find the user's changes", async () => {
    const root = await game();
    compressCopies(root);
    appendFileSync(join(root, "api/v1/game-types.ts"), "// mine\n");
    await deleteApi(root);
    expect(existsSync(join(root, "api/v1/game-types.ts"))).toBe(true);
    expect(existsSync(join(root, "src/controller/game-controller.ts"))).toBe(false);
    expect(readPristine(openTree(root), "api/v1/game-types.ts")).toBeUndefined();
  });

  it("are ignored if there is an archive, and removed when it changes", async () => {
    const root = await game();
    const [text, was] = [archive(root), snapshot(root)];
    compressCopies(root);
    writeFileSync(join(root, pristinePath), text);
    writeFileSync(join(root, ".kubewright/pristine/src/main.ts.gz"), "");
    expect(readPristine(openTree(root), "src/main.ts")).toContain("Manager");
    await upgradeProject(root);
    expect(snapshot(root)).toEqual(was);
  });
});
