import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import { applyPlan } from "../files/apply.ts";
import { operationsTo } from "../files/operation.ts";
import { openTree } from "../files/tree.ts";
import { changePristine } from "../pristine/pristine.ts";
import { useEarlierNames, webhookFiles } from "../test-support/earlier-names.ts";
import { createApi, createWebhook, initProject } from "../test-support/game.ts";
import { snapshot, testDirectory } from "../test-support/tree.ts";
import { type Edit, planOfUpgrade, upgradeProject as upgrade } from "../test-support/upgrade.ts";
import { planUpgrade } from "./upgrade.ts";

async function game(): Promise<string> {
  const root = testDirectory();
  await initProject(root);
  await createApi(root);
  return root;
}

const read = (root: string, path: string) => readFileSync(join(root, path), "utf8");
const only =
  (file: string, edit: (text: string) => string): Edit =>
  (path, text) =>
    path === file ? edit(text) : text;

describe("a test that the upgrade adds", () => {
  const tests = ["src/controller/game-controller.test.ts", "src/webhook/v1/game-webhook.test.ts"];
  const sample = "config/samples/myapp_v1_game.yaml";
  /** Returns a project of an earlier version, without the tests, whose sample has a field. */
  async function earlier(): Promise<string> {
    const root = await game();
    await createWebhook(root, { defaulting: true });
    const tree = openTree(root);
    const { contents, gone } = changePristine(tree, new Map(), tests);
    await applyPlan({ root, operations: operationsTo(tree, contents, gone), kept: [], overwritten: [] });
    for (const test of tests) rmSync(join(root, test));
    writeFileSync(join(root, sample), `${read(root, sample).split("spec:")[0]}spec:\n  player: white\n`);
    return root;
  }

  it("has the object of the sample, because types may require its fields", async () => {
    const root = await earlier();
    await upgrade(root);
    for (const test of tests) expect(read(root, test)).toContain('player: "white"');
    expect(read(root, sample)).toContain("player: white");
  });

  it("isn't changed by the next upgrade", async () => {
    const root = await earlier();
    await upgrade(root);
    const before = snapshot(root);
    expect((await upgrade(root)).conflicts).toEqual([]);
    expect(snapshot(root)).toEqual(before);
  });
});

describe("an upgrade with unchanged templates", () => {
  it.each<[string, Parameters<typeof initProject>[1], Parameters<typeof createApi>[1][]]>([
    ["no kind", {}, []],
    ["one kind", {}, [{}]],
    ["several kinds and versions", {}, [{}, { kind: "Chess" }, { version: "v2", controller: false }]],
    ["named namespaces", { namespaced: true }, [{}]],
    [
      "several groups",
      { multigroup: true },
      [{}, { group: "other" }, { group: "other", kind: "Chess", namespaced: false }],
    ],
    ["kinds without controllers", {}, [{ controller: false, plural: "gamez" }]],
  ])("changes nothing in a project with %s", async (_, init, kinds) => {
    const root = testDirectory();
    await initProject(root, init);
    for (const kind of kinds) await createApi(root, kind);
    const was = snapshot(root);
    expect((await upgrade(root)).operations).toEqual([]);
    expect(snapshot(root)).toEqual(was);
  });

  it("changes nothing in a project with webhooks", async () => {
    const root = await game();
    await createApi(root, { version: "v2", controller: false });
    await createWebhook(root, { defaulting: true, validation: true });
    await createWebhook(root, { conversion: true, spokes: ["v2"] });
    await createWebhook(root, {
      group: "apps",
      kind: "Deployment",
      core: { plural: "deployments", namespaced: true },
      validation: true,
    });
    const before = snapshot(root);
    await upgrade(root);
    expect(snapshot(root)).toEqual(before);
    await createApi(root, { api: false, controllerName: "game-backup" });
    await createApi(root, {
      group: "apps",
      kind: "StatefulSet",
      api: false,
      core: { plural: "statefulsets", namespaced: true },
    });
    expect((await upgrade(root)).conflicts).toEqual([]);
    expect(readFileSync(join(root, "src/main.ts"), "utf8")).toContain("new GameBackupReconciler(mgr.client)");
  });

  it("keeps the earlier names of webhooks, because the user's code may import the classes", async () => {
    const root = await game();
    await createWebhook(root, { defaulting: true, validation: true });
    await useEarlierNames(root);
    const [file, test] = webhookFiles;
    writeFileSync(join(root, file), read(root, file).replace("// Your code goes here.", "obj.spec.foo ??= '';"));
    expect((await upgrade(root)).conflicts).toEqual([]);
    expect(read(root, file)).toContain("export class GameCustomDefaulter implements CustomDefaulter<Game> {");
    expect(read(root, file)).toContain(".withValidator(new GameCustomValidator())");
    expect(read(root, file)).toContain("obj.spec.foo ??= '';");
    expect(read(root, test)).toContain("new GameCustomValidator()");
    for (const path of webhookFiles) expect(read(root, path)).not.toMatch(/(?<!Custom|with)(Defaulter|Validator)\b/);
  });

  it("changes nothing in a project with external kinds", async () => {
    const root = await game();
    const external = { path: "@acme/types/v1", domain: "acme.io", package: "@acme/types@1.0.0" };
    await createApi(root, { group: "shop", kind: "Order", api: false, external });
    await createWebhook(root, { group: "shop", kind: "Order", external, defaulting: true });
    expect((await upgrade(root)).operations).toEqual([]);
  });

  it("keeps the names in main.ts of kinds with the same name, for any order of commands", async () => {
    const root = testDirectory();
    await initProject(root, { multigroup: true });
    await createApi(root, { controller: false });
    await createApi(root, { group: "crew" });
    await createApi(root, { api: false });
    await createWebhook(root, { group: "crew", validation: true });
    await createWebhook(root, { defaulting: true });
    expect((await upgrade(root)).operations).toEqual([]);
  });

  it("keeps the order of lines that results from the order of commands", async () => {
    const root = await game();
    await createWebhook(root, { validation: true });
    await createApi(root, { kind: "Chess" });
    await createWebhook(root, { defaulting: true });
    expect((await upgrade(root)).operations).toEqual([]);
  });

  fullTest("keeps files that depended on the author's files at their creation", async () => {
    const root = await game();
    await createApi(root, { version: "v2", controller: false });
    const types = join(root, "api/v2/game-types.ts");
    writeFileSync(types, readFileSync(types, "utf8").replace("foo?: string;", "title: string;"));
    await createWebhook(root, { conversion: true, spokes: ["v2"] });
    expect(read(root, "api/v2/game-conversion.test.ts")).toContain("spec: {},");
    expect(await planOfUpgrade(root)).toMatchObject({ operations: [], conflicts: [] });
    rmSync(join(root, "test/e2e/manager.e2e.ts"));
    await createWebhook(root, { validation: true });
    writeFileSync(join(root, "hack/boilerplate.txt"), "// Mine.\n");
    expect(await planOfUpgrade(root)).toMatchObject({ operations: [], conflicts: [] });
  });

  it("keeps the years in license headers", async () => {
    const root = await game();
    expect((await upgrade(root, undefined, 2031)).operations).toEqual([]);
  });
});

describe("an upgrade with new templates", () => {
  const main = "src/main.ts";
  const newMain = only(main, (text) => `// new\n${text}`);

  it("replaces unchanged files", async () => {
    const root = await game();
    const { conflicts, operations } = await upgrade(root, newMain);
    expect(conflicts).toEqual([]);
    expect(operations.map(({ path }) => path)).toEqual([".kubewright/pristine.txtar", main]);
    expect(read(root, main)).toMatch(/^\/\/ new\n/);
    expect((await upgrade(root, newMain)).operations).toEqual([]);
  });

  it("mentions a Lease that the Role doesn't allow only when it changes the Role", async () => {
    const root = await game();
    writeFileSync(join(root, main), read(root, main).replace(/leaderElectionID: "[^"]+"/, 'leaderElectionID: "mine"'));
    expect(read(root, main)).toContain('leaderElectionID: "mine"');
    expect(await planOfUpgrade(root)).toMatchObject({ operations: [], notes: [] });
    const { notes } = await upgrade(
      root,
      only("config/rbac/leader_election_role.yaml", (text) => `${text}# new\n`),
    );
    expect(notes).toEqual([expect.stringContaining("doesn't allow the Lease mine")]);
  });

  it("merges with the user's changes of other lines", async () => {
    const root = await game();
    appendFileSync(join(root, main), "// mine\n");
    expect((await upgrade(root, newMain)).conflicts).toEqual([]);
    expect(read(root, main)).toMatch(/^\/\/ new\n[\s\S]*\n\/\/ mine\n$/);
  });

  it("keeps Windows line breaks", async () => {
    const root = await game();
    writeFileSync(join(root, main), `${read(root, main).replaceAll("\n", "\r\n")}// mine\r\n`);
    expect((await upgrade(root, newMain)).conflicts).toEqual([]);
    expect(read(root, main)).toMatch(/^\/\/ new\r\n/);
    expect(read(root, main).replaceAll("\r\n", "")).not.toContain("\n");
  });

  it("marks conflicts, and lists the file", async () => {
    const root = await game();
    const file = "Dockerfile";
    const first = (text: string, line: string) => text.replace(/^.*\n/, `${line}\n`);
    writeFileSync(join(root, file), first(read(root, file), "# mine"));
    const { conflicts } = await upgrade(
      root,
      only(file, (text) => first(text, "# new")),
    );
    expect(conflicts).toEqual([file]);
    expect(read(root, file)).toContain("<<<<<<< yours\n# mine\n=======\n# new\n>>>>>>> scaffold\n");
  });

  it("lists files with conflicts until they are resolved, and doesn't merge into them", async () => {
    const root = await game();
    const file = "Dockerfile";
    const first = (line: string) => (text: string) => text.replace(/^.*\n/, `${line}\n`);
    writeFileSync(join(root, file), first("# mine")(read(root, file)));
    await upgrade(root, only(file, first("# new")));
    const marked = read(root, file);
    expect((await upgrade(root, only(file, first("# new")))).conflicts).toEqual([file]);
    expect((await upgrade(root, only(file, first("# newer")))).conflicts).toEqual([file]);
    expect(read(root, file)).toBe(marked);

    const settled = marked.replace(/<<<<<<< yours\n(.*\n)=======\n.*\n>>>>>>> scaffold\n/, "$1");
    writeFileSync(join(root, file), settled);
    expect((await upgrade(root, only(file, first("# new")))).conflicts).toEqual([]);
    expect(read(root, file)).toBe(settled);
  });

  it("keeps deleted files deleted", async () => {
    const root = await game();
    rmSync(join(root, "Dockerfile"));
    await upgrade(
      root,
      only("Dockerfile", (text) => `${text}# new\n`),
    );
    expect(snapshot(root)).not.toHaveProperty("Dockerfile");
  });

  it("adds new files, and keeps the user's existing ones", async () => {
    const root = await game();
    writeFileSync(join(root, "theirs.txt"), "mine\n");
    const tree = openTree(root);
    const target = new Map([
      ["new.txt", "new\n"],
      ["theirs.txt", "new\n"],
    ]);
    const { operations, kept } = await planUpgrade(tree, { target, header: "", artifacts: [] });
    expect(operations).toContainEqual({ op: "create", path: "new.txt", content: "new\n" });
    expect(kept).toEqual(["theirs.txt"]);
  });

  it("removes obsolete files, unless the user has changed them", async () => {
    const root = await game();
    appendFileSync(join(root, "Makefile"), "# mine\n");
    const { operations, notes } = await planUpgrade(openTree(root), { target: new Map(), header: "", artifacts: [] });
    expect(operations).toContainEqual({ op: "delete", path: "Dockerfile" });
    expect(operations).not.toContainEqual({ op: "delete", path: "Makefile" });
    expect(notes).toEqual([expect.stringContaining("Makefile is no longer scaffolded")]);
  });

  it("merges package.json by keys", async () => {
    const root = await game();
    const manifest = JSON.parse(read(root, "package.json"));
    manifest.dependencies.pino = "1.0.0";
    manifest.scripts.build = "mine";
    writeFileSync(join(root, "package.json"), JSON.stringify(manifest, null, 4));
    const { conflicts } = await upgrade(
      root,
      only("package.json", (text) => text.replace('"@kubewright/runtime": "0.0.0"', '"@kubewright/runtime": "9.9.9"')),
    );
    expect(conflicts).toEqual([]);
    expect(JSON.parse(read(root, "package.json"))).toMatchObject({
      dependencies: { "@kubewright/runtime": "9.9.9", pino: "1.0.0" },
      scripts: { build: "mine" },
    });
  });
});
