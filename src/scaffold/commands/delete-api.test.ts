import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createApi, deleteApi, initProject } from "../test-support/game.ts";
import { snapshot, testDirectory } from "../test-support/tree.ts";

type Input = Parameters<typeof createApi>[1];

async function project(init: Parameters<typeof initProject>[1], ...kinds: Input[]): Promise<string> {
  const root = testDirectory();
  await initProject(root, init);
  for (const kind of kinds) await createApi(root, kind);
  return root;
}

const read = (root: string, path: string) => readFileSync(join(root, path), "utf8");

describe("delete api restores the tree from before create api", () => {
  const chess = { kind: "Chess" };
  const other = { group: "other", kind: "Game" };
  it.each<[string, Parameters<typeof initProject>[1], Input[], Input]>([
    ["for the only kind", {}, [], {}],
    ["for a kind without a controller", {}, [], { controller: false }],
    ["for a cluster-scoped kind with its own plural", {}, [], { namespaced: false, plural: "gamez" }],
    ["in a namespaced project", { namespaced: true }, [], {}],
    ["for a cluster-scoped kind in a namespaced project", { namespaced: true }, [], { namespaced: false }],
    [
      "for a second cluster-scoped kind in a namespaced project",
      { namespaced: true },
      [{ ...chess, namespaced: false }],
      { namespaced: false },
    ],
    ["for a second kind", {}, [chess], {}],
    ["for a kind of a second version", {}, [chess], { version: "v2" }],
    ["for a second version of a kind", {}, [{}], { version: "v2", controller: false }],
    [
      "for a third version of a kind",
      {},
      [{}, { version: "v2", controller: false }],
      { version: "v3", controller: false },
    ],
    ["in a multi-group project", { multigroup: true }, [], {}],
    ["for a kind of a second group with the same name", { multigroup: true }, [{}], other],
  ])("%s", async (_, init, before, kind) => {
    const root = await project(init, ...before);
    const was = snapshot(root);
    await createApi(root, kind);
    expect(snapshot(root)).not.toEqual(was);
    const { kept, notes } = await deleteApi(root, kind);
    expect({ kept, notes }).toEqual({ kept: [], notes: [] });
    expect(snapshot(root)).toEqual(was);
  });

  it("for the first of two kinds with the same name", async () => {
    const root = await project({ multigroup: true }, {}, other);
    await deleteApi(root, {});
    expect(read(root, "src/main.ts")).not.toContain("controller/myapp/");
    expect(read(root, "src/main.ts")).toContain("await new OtherGameReconciler(mgr.client)");
    await deleteApi(root, other);
    expect(snapshot(root)).toEqual(snapshot(await project({ multigroup: true })));
  });

  it("with the generated CRD", async () => {
    const root = await project({});
    const was = snapshot(root);
    await createApi(root);
    mkdirSync(join(root, "config/crd/bases"));
    const crd = "metadata:\n  annotations:\n    controller-gen.kubebuilder.io/version: kubewright-v0.0.0\n";
    writeFileSync(join(root, "config/crd/bases/myapp.qingwave.github.io_games.yaml"), crd);
    await deleteApi(root);
    expect(snapshot(root)).toEqual(was);
  });
});

describe("the package of an external kind", () => {
  const external = { path: "@acme/types/v1", domain: "acme.io", package: "@acme/types@^1.0.0" };
  const order = { group: "shop", kind: "Order", api: false, external };
  const dependencies = (root: string) => Object.keys(JSON.parse(read(root, "package.json")).dependencies);

  it("is removed with the last kind that requires it", async () => {
    const root = await project({});
    const was = snapshot(root);
    await createApi(root, order);
    await createApi(root, { ...order, kind: "Bill" });
    await deleteApi(root, order);
    expect(dependencies(root)).toContain("@acme/types");
    const { notes } = await deleteApi(root, { ...order, kind: "Bill" });
    expect(notes).toEqual(["@acme/types is no longer a dependency: run npm install to remove it"]);
    expect(snapshot(root)).toEqual(was);
  });

  it.each<readonly [string, (root: string) => void, string[]]>([
    [
      "a file of the user imports it",
      (root) => writeFileSync(join(root, "src/mine.ts"), 'import type { Bill } from "@acme/types/v1";\n'),
      ["@acme/types stays a dependency: src/mine.ts imports it"],
    ],
    [
      "the user has chosen another version",
      (root) => writeFileSync(join(root, "package.json"), read(root, "package.json").replace("^1.0.0", "^2.0.0")),
      [],
    ],
  ])("stays if %s", async (_, change, notes) => {
    const root = await project({});
    await createApi(root, order);
    change(root);
    expect((await deleteApi(root, order)).notes).toEqual(notes);
    expect(dependencies(root)).toContain("@acme/types");
  });
});

describe("the user's changes", () => {
  it("are kept with their imports, and the command lists the file", async () => {
    const root = await project({}, {});
    const types = "api/v1/game-types.ts";
    appendFileSync(join(root, types), "// mine\n");
    const { kept, notes } = await deleteApi(root);
    expect(kept).toEqual([types]);
    expect(notes).toEqual([expect.stringContaining("make manifests")]);
    expect(read(root, types)).toContain("// mine");
    expect(read(root, "api/v1/index.ts")).toContain("./game-types.ts");
    expect(read(root, "api/v1/groupversion-info.ts")).toContain("groupVersion(");
    expect(read(root, "src/main.ts")).not.toContain("GameReconciler");
  });

  it("stay in shared files", async () => {
    const root = await project({}, {});
    const main = join(root, "src/main.ts");
    writeFileSync(
      main,
      read(root, "src/main.ts").replace(
        "// +kubebuilder:scaffold:builder",
        "const mine = 1;\n  // +kubebuilder:scaffold:builder",
      ),
    );
    await deleteApi(root);
    expect(read(root, "src/main.ts")).toContain("const mine = 1;");
    expect(read(root, "src/main.ts")).not.toContain("GameReconciler");
  });

  it("stay in changed lines, and the command reports them", async () => {
    const root = await project({}, {});
    const main = join(root, "src/main.ts");
    const changed = read(root, "src/main.ts").replace(".setupWithManager(mgr);", ".setupWithManager(mgr); // mine");
    writeFileSync(main, changed);
    const { notes } = await deleteApi(root);
    expect(read(root, "src/main.ts")).toContain("// mine");
    expect(notes).toEqual([expect.stringContaining("src/main.ts no longer contains these lines as they were added")]);
  });

  it("don't include a deleted storage version, which the command reports", async () => {
    const version = (name: string) => ({ version: name, controller: false });
    const root = await project({}, {}, version("v2"), version("v3"));
    const { notes } = await deleteApi(root);
    expect(notes).toEqual([expect.stringContaining("above Game in one of v2, v3")]);
  });
});
