import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createApi, deleteApi, initProject } from "./test-support/game.ts";
import { snapshot, testDirectory } from "./test-support/tree.ts";

type Input = Parameters<typeof createApi>[1];

async function project(init: Parameters<typeof initProject>[1], ...kinds: Input[]): Promise<string> {
  const root = testDirectory();
  await initProject(root, init);
  for (const kind of kinds) await createApi(root, kind);
  return root;
}

const read = (root: string, path: string) => readFileSync(join(root, path), "utf8");

describe("create and delete give the same tree", () => {
  const chess = { kind: "Chess" };
  const other = { group: "other", kind: "Game" };
  it.each<[string, Parameters<typeof initProject>[1], Input[], Input]>([
    ["of the only kind", {}, [], {}],
    ["of a kind without controller", {}, [], { controller: false }],
    ["of a cluster kind with a plural of its own", {}, [], { namespaced: false, plural: "gamez" }],
    ["with named namespaces", { namespaced: true }, [], {}],
    ["of a cluster kind with named namespaces", { namespaced: true }, [], { namespaced: false }],
    [
      "of a second cluster kind with named namespaces",
      { namespaced: true },
      [{ ...chess, namespaced: false }],
      { namespaced: false },
    ],
    ["of a second kind", {}, [chess], {}],
    ["of a kind of a second version", {}, [chess], { version: "v2" }],
    ["of a second version of a kind", {}, [{}], { version: "v2", controller: false }],
    [
      "of a third version of a kind",
      {},
      [{}, { version: "v2", controller: false }],
      { version: "v3", controller: false },
    ],
    ["in a multi-group project", { multigroup: true }, [], {}],
    ["of a second group with a kind of the same name", { multigroup: true }, [{}], other],
  ])("%s", async (_, init, before, kind) => {
    const root = await project(init, ...before);
    const was = snapshot(root);
    await createApi(root, kind);
    expect(snapshot(root)).not.toEqual(was);
    const { kept, notes } = await deleteApi(root, kind);
    expect({ kept, notes }).toEqual({ kept: [], notes: [] });
    expect(snapshot(root)).toEqual(was);
  });

  it("of the first of two, whichever name it has in main.ts", async () => {
    const root = await project({ multigroup: true }, {}, other);
    await deleteApi(root, {});
    expect(read(root, "src/main.ts")).not.toContain("controller/myapp/");
    expect(read(root, "src/main.ts")).toContain("await new OtherGameReconciler(mgr.client)");
    await deleteApi(root, other);
    expect(snapshot(root)).toEqual(snapshot(await project({ multigroup: true })));
  });

  it("and the CRD that was generated goes along", async () => {
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

describe("the package of a kind from elsewhere", () => {
  const external = { path: "@acme/types/v1", domain: "acme.io", package: "@acme/types@^1.0.0" };
  const order = { group: "shop", kind: "Order", api: false, external };
  const dependencies = (root: string) => Object.keys(JSON.parse(read(root, "package.json")).dependencies);

  it("goes with the last kind that needs it", async () => {
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
      "a file of the user's imports it",
      (root) => writeFileSync(join(root, "src/mine.ts"), 'import type { Bill } from "@acme/types/v1";\n'),
      ["@acme/types stays a dependency: src/mine.ts imports it"],
    ],
    [
      "the user has chosen another version",
      (root) => writeFileSync(join(root, "package.json"), read(root, "package.json").replace("^1.0.0", "^2.0.0")),
      [],
    ],
  ])("stays when %s", async (_, change, notes) => {
    const root = await project({});
    await createApi(root, order);
    change(root);
    expect((await deleteApi(root, order)).notes).toEqual(notes);
    expect(dependencies(root)).toContain("@acme/types");
  });
});

describe("what the user has changed", () => {
  it("stays and is named, with what it needs", async () => {
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

  it("stays in the files that are shared", async () => {
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

  it("is left to them where their lines are no longer what was added", async () => {
    const root = await project({}, {});
    const main = join(root, "src/main.ts");
    const changed = read(root, "src/main.ts").replace(".setupWithManager(mgr);", ".setupWithManager(mgr); // mine");
    writeFileSync(main, changed);
    const { notes } = await deleteApi(root);
    expect(read(root, "src/main.ts")).toContain("// mine");
    expect(notes).toEqual([expect.stringContaining("src/main.ts no longer contains these lines as they were added")]);
  });

  it("notes which version was stored", async () => {
    const version = (name: string) => ({ version: name, controller: false });
    const root = await project({}, {}, version("v2"), version("v3"));
    const { notes } = await deleteApi(root);
    expect(notes).toEqual([expect.stringContaining("above Game in one of v2, v3")]);
  });
});
