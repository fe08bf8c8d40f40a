// The controllers that create api scaffolds with a set of children, and their list in PROJECT.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { initProject } from "../../../scaffold/test-support/game.ts";
import { madeOnce, snapshot, testDirectory } from "../../../scaffold/test-support/tree.ts";
import { runCli } from "../../test-support/run-cli.ts";

const kind = "--group myapp --version v1 --kind Game";
const controller = "src/controller/game-controller.ts";
const listedName = "myapp.qingwave.github.io/v1/Game/game";

const project = madeOnce((root) => initProject(root));
const game = madeOnce(async (root) => {
  await project(root);
  await ok(root, `create api ${kind} --children`);
});

async function made(create: (root: string) => unknown): Promise<string> {
  const root = testDirectory();
  await create(root);
  return root;
}

async function ok(root: string, call: string): Promise<void> {
  const { code, stderr } = await runCli(root, call.split(" "));
  expect({ call, code, stderr }).toMatchObject({ code: 0 });
}

async function refused(root: string, call: string): Promise<string> {
  const before = snapshot(root);
  const { code, stderr } = await runCli(root, call.split(" "));
  expect({ call, code }).toEqual({ call, code: 2 });
  expect(snapshot(root)).toEqual(before);
  return stderr;
}

const read = (root: string, path: string) => readFileSync(join(root, path), "utf8");
const listed = (root: string): unknown => parse(read(root, "PROJECT")).plugins?.["ts.kubewright.io/v1"]?.children;

describe("create api --children", () => {
  it("scaffolds a controller that declares its children, and lists it in PROJECT", async () => {
    const root = await made(game);
    expect(listed(root)).toEqual([listedName]);
    const text = read(root, controller);
    expect(text).toContain("const gameChildren = childrenOf(Game, { config: ConfigMap });");
    expect(text).toContain(".for(Game).manages(gameChildren)");
    expect(text).toContain("setStatus(copy);");
    expect(text).not.toContain("setReady");
  });

  it("a controller without it is the one of earlier versions", async () => {
    const root = await made(project);
    await ok(root, `create api ${kind}`);
    expect(listed(root)).toBeUndefined();
    expect(read(root, controller)).not.toMatch(/hildren|configmaps/);
  });

  it("is unchanged for scaffold upgrade", async () => {
    const root = await made(game);
    const { stdout } = await runCli(root, ["upgrade", "--dry-run"]);
    expect(stdout).not.toContain("game");
  });

  it("delete api removes all of it", async () => {
    const root = await made(project);
    const before = snapshot(root);
    await ok(root, `create api ${kind} --children`);
    await ok(root, `delete api ${kind}`);
    expect(snapshot(root)).toEqual(before);
  });

  it("stays in scaffold edit, which moves the controller", async () => {
    const root = await made(game);
    await ok(root, "edit --multigroup");
    expect(listed(root)).toEqual([listedName]);
    expect(read(root, "src/controller/myapp/game-controller.ts")).toContain("childrenOf");
    const { stdout } = await runCli(root, ["upgrade", "--dry-run"]);
    expect(stdout).not.toContain("game");
  });

  it("a controller that is created again without it leaves the list", async () => {
    const root = await made(game);
    await ok(root, `create api ${kind} --resource=false --force`);
    expect(listed(root)).toBeUndefined();
    expect(read(root, controller)).not.toContain("childrenOf");
  });

  it("a further controller has its own field manager and names, so that neither prunes the children of the other", async () => {
    const root = await made(game);
    await ok(root, `create api ${kind} --resource=false --controller-name game-backup --children`);
    expect(listed(root)).toEqual([listedName, "myapp.qingwave.github.io/v1/Game/game-backup"]);
    const text = read(root, "src/controller/game-backup-controller.ts");
    expect(text).toContain('{ fieldOwner: "game-backup-controller" }');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of the scaffolded code
    expect(text).toContain("metadata: { name: `${object.metadata.name}-game-backup` }");
  });

  it("the controller of a built-in kind writes no status", async () => {
    const root = await made(project);
    await ok(root, "create api --group core --version v1 --kind Pod --resource=false --children");
    const text = read(root, "src/controller/pod-controller.ts");
    expect(text).toContain("childrenOf(Pod, { config: ConfigMap })");
    expect(text).not.toContain("setStatus");
    expect(listed(root)).toEqual(["core/v1/Pod/pod"]);
  });

  it("works with a CRD, for the storage version", async () => {
    const root = await made(project);
    const crd = join(import.meta.dirname, "../../../../testdata/from-crd/everything.yaml");
    writeFileSync(join(root, "crd.yaml"), readFileSync(crd));
    await ok(root, "create api --from-crd crd.yaml --children");
    expect(listed(root)).toHaveLength(1);
    const { stdout } = await runCli(root, ["upgrade", "--dry-run"]);
    expect(stdout).not.toContain("-controller");
  });

  it.each([
    [`create api ${kind} --children --controller=false`, "--children can't be combined with --controller=false"],
    [
      "create api --group core --version v1 --kind ConfigMap --resource=false --children",
      "--children can't be combined with the kind ConfigMap: the example child would have the kind and name of its owner",
    ],
  ])("%s is refused", async (call, message) => {
    expect(await refused(await made(project), call)).toContain(message);
  });

  it("a cluster-scoped kind of a namespaced project is refused: the example child has no namespace", async () => {
    const root = testDirectory();
    await initProject(root, { namespaced: true });
    expect(await refused(root, `create api ${kind} --namespaced=false --children`)).toContain(
      "--children can't be combined with a cluster-scoped kind in a namespaced project",
    );
  });

  it("the list in PROJECT must be a list", async () => {
    const root = await made(game);
    writeFileSync(join(root, "PROJECT"), read(root, "PROJECT").replace(/children:\n.*\n/, "children: true\n"));
    const { code, stderr } = await runCli(root, `create api ${kind} --force`.split(" "));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('plugins."ts.kubewright.io/v1".children must be a list of controllers'),
    });
  });
});
