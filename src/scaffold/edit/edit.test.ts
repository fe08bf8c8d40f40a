import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { variants } from "../../../scripts/test-support/thorough.ts";
import type { ProjectOptions } from "../../project/change-project.ts";
import type { Option } from "../parts/config-options.ts";
import { edit, type Make, makes } from "../test-support/edit.ts";
import { createApi, createWebhook, initProject } from "../test-support/game.ts";
import { snapshot, testDirectory } from "../test-support/tree.ts";

type Options = ProjectOptions;

async function project(options: Options, make: Make = createApi): Promise<string> {
  const root = testDirectory();
  await initProject(root, options);
  await make(root);
  return root;
}

const read = (root: string, path: string) => readFileSync(join(root, path), "utf8");

describe("edit results in the same project as init with the option", () => {
  describe.each<[string, Options]>([
    ["multigroup", { multigroup: true }],
    ["namespaced", { namespaced: true }],
  ])("%s", (_, options) => {
    const off = Object.fromEntries(Object.keys(options).map((key) => [key, false]));

    it.each(variants(makes, 2))("for a project with %s, and back", async (_, make) => {
      const root = await project({}, make);
      const was = snapshot(root);
      expect((await edit(root, options)).conflicts).toEqual([]);
      expect(snapshot(root)).toEqual(snapshot(await project(options, make)));
      await edit(root, off);
      expect(snapshot(root)).toEqual(was);
    });
  });
});

describe("the user's changes", () => {
  it("stay after the scaffolded RBAC markers without a conflict when edit changes their namespace", async () => {
    const root = await project({});
    const [file, own] = [
      "src/controller/game-controller.ts",
      "// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get",
    ];
    const finalizers = /^.*games\/finalizers.*$/m;
    writeFileSync(
      join(root, file),
      read(root, file).replace(finalizers, (line) => `${line}\n${own}`),
    );
    const was = snapshot(root);
    const plan = await edit(root, { namespaced: true });
    expect(plan.conflicts).toEqual([]);
    expect(plan.notes).toEqual([
      `${file}: your RBAC markers are kept as they are: add namespace= to generate a Role from one`,
    ]);
    const scoped =
      "// +kubebuilder:rbac:groups=myapp.qingwave.github.io,resources=games/finalizers,verbs=update,namespace=mygame-system";
    expect(read(root, file)).toContain(`${scoped}\n${own}\n`);
    expect((await edit(root, { namespaced: false })).conflicts).toEqual([]);
    expect(snapshot(root)).toEqual(was);
  });

  it("stay after the controller's name without a conflict when edit changes its group", async () => {
    const root = await project({});
    const [file, moved] = ["src/controller/game-controller.ts", "src/controller/myapp/game-controller.ts"];
    writeFileSync(
      join(root, file),
      read(root, file).replace(
        'newControllerManagedBy(mgr).for(Game).named("game").complete(this)',
        'newControllerManagedBy(mgr)\n      .for(Game)\n      .owns(Deployment)\n      .named("game")\n      .complete(this)',
      ),
    );
    const was = snapshot(root);
    expect((await edit(root, { multigroup: true })).conflicts).toEqual([]);
    expect(read(root, moved)).toContain('.owns(Deployment)\n      .named("myapp-game")\n');
    expect((await edit(root, { multigroup: false })).conflicts).toEqual([]);
    expect(snapshot(root)).toEqual(was);
  });

  it("move with their files, and edit updates their imports", async () => {
    const root = await project({});
    const controller = "src/controller/game-controller.ts";
    mkdirSync(join(root, "src/util"));
    writeFileSync(
      join(root, "src/util/names.ts"),
      'import type { Game } from "../../api/v1/index.ts";\nimport "#api/v1/game-types.js";\nexport type Name = Game;\n',
    );
    writeFileSync(
      join(root, "src/controller/helper.ts"),
      'export { Game } from "../../api/v1/index.js";\nexport * from "../util/names";\n',
    );
    writeFileSync(
      join(root, controller),
      `import "./helper.ts";\nimport "../util/names.ts";\n${read(root, controller)}// mine\n`,
    );
    writeFileSync(join(root, "api/v1/icon.png"), Buffer.from([0xff, 0xfe, 0, 1]));
    expect((await edit(root, { multigroup: true })).conflicts).toEqual([]);
    expect(read(root, "src/util/names.ts")).toContain('from "../../api/myapp/v1/index.ts"');
    expect(read(root, "src/util/names.ts")).toContain('import "#api/myapp/v1/game-types.js";');
    expect(read(root, "src/controller/myapp/helper.ts")).toBe(
      'export { Game } from "../../../api/myapp/v1/index.js";\nexport * from "../../util/names";\n',
    );
    const moved = read(root, "src/controller/myapp/game-controller.ts");
    expect(moved).toMatch(/^import "\.\/helper\.ts";\nimport "\.\.\/\.\.\/util\/names\.ts";\n/);
    expect(moved).toMatch(/\/\/ mine\n$/);
    expect(readFileSync(join(root, "api/myapp/v1/icon.png"))).toEqual(Buffer.from([0xff, 0xfe, 0, 1]));
    expect(snapshot(root)).not.toHaveProperty("src/controller/game-controller.ts");
  });

  it("include deleted files, which stay deleted", async () => {
    const root = await project({});
    rmSync(join(root, "src/controller/game-controller.test.ts"));
    await edit(root, { multigroup: true });
    expect(snapshot(root)).not.toHaveProperty("src/controller/myapp/game-controller.test.ts");
  });

  it("move as well if they are at the target path of another file", async () => {
    const root = await project({});
    mkdirSync(join(root, "src/controller/myapp"));
    // The file is at the target of the move, and moves itself, so it causes no conflict.
    writeFileSync(join(root, "src/controller/myapp/own.ts"), "export {};\n");
    await edit(root, { multigroup: true });
    expect(read(root, "src/controller/myapp/myapp/own.ts")).toBe("export {};\n");
  });
});

describe("options of the deployment", () => {
  const deployment = "config/default/kustomization.yaml";
  const switched = (root: string, enable: Option[], disable: Option[] = []) =>
    edit(root, {}, undefined, { enable, disable });
  const withWebhook: Make = async (root) => {
    await createApi(root);
    await createWebhook(root, { defaulting: true });
  };

  it("can be enabled and disabled again", async () => {
    const root = await project({}, withWebhook);
    const was = snapshot(root);
    await switched(root, ["prometheus", "network-policy", "metrics-certs"]);
    expect(read(root, deployment)).toMatch(/^- \.\.\/prometheus$/m);
    expect(read(root, deployment)).toMatch(/^- path: cert_metrics_manager_patch\.yaml$/m);
    expect(read(root, "config/prometheus/kustomization.yaml")).toMatch(/^ *- path: monitor_tls_patch\.yaml$/m);
    expect((await switched(root, ["prometheus"])).operations).toEqual([]);
    await switched(root, [], ["prometheus", "network-policy", "metrics-certs"]);
    expect(snapshot(root)).toEqual(was);
  });

  it.each<[string, Option[], Option[], string]>([
    ["required by another option", [], ["webhook"], "--disable webhook: cert-manager is enabled and needs it"],
    [
      "required by another option that requires them indirectly",
      ["metrics-certs"],
      ["cert-manager"],
      "--disable cert-manager: metrics-certs",
    ],
  ])("can't be disabled if they are %s", async (_, enable, disable, message) => {
    const root = await project({}, withWebhook);
    const was = snapshot(root);
    await expect(switched(root, enable, disable)).rejects.toThrow(message);
    expect(snapshot(root)).toEqual(was);
  });

  it("are rejected if their files are missing", async () => {
    const root = await project({});
    await expect(switched(root, ["webhook"])).rejects.toThrow("config/webhook/kustomization.yaml is missing");
  });

  it("can be combined with another layout", async () => {
    const root = await project({});
    await edit(root, { namespaced: true }, undefined, { enable: ["prometheus"], disable: [] });
    expect(read(root, deployment)).toMatch(/^- \.\.\/prometheus$/m);
    expect(read(root, "PROJECT")).toContain("namespaced: true");
  });
});

describe("another license", () => {
  it("is written to all files including the user's, and years are kept", async () => {
    const root = await project({});
    const types = read(root, "api/v1/game-types.ts").replace("Copyright 2026", "Copyright 2024");
    writeFileSync(join(root, "api/v1/game-types.ts"), types);
    const head = /^\/\*[\s\S]*?\*\/\n/.exec(types)?.[0] ?? "";
    writeFileSync(join(root, "src/own.ts"), `${head}\nexport const own = 1;\n`);
    appendFileSync(join(root, "src/main.ts"), "// mine\n");
    expect((await edit(root, {}, "/* Copyright YEAR Acme. */\n")).conflicts).toEqual([]);
    expect(read(root, "api/v1/game-types.ts")).toMatch(/^\/\* Copyright 2024 Acme\. \*\/\n/);
    expect(read(root, "src/own.ts")).toBe("/* Copyright 2024 Acme. */\n\nexport const own = 1;\n");
    expect(read(root, "src/main.ts")).toMatch(/^\/\* Copyright 2026 Acme\. \*\/\n[\s\S]*\/\/ mine\n$/);
    expect(read(root, "hack/boilerplate.txt")).toBe("/* Copyright YEAR Acme. */\n");
  });

  it("can be removed and restored", async () => {
    const root = await project({});
    const was = snapshot(root);
    const text = read(root, "hack/boilerplate.txt");
    await edit(root, {}, "");
    expect(snapshot(root)).not.toHaveProperty("hack/boilerplate.txt");
    expect(read(root, "src/main.ts")).not.toContain("Copyright");
    await edit(root, {}, text);
    expect(snapshot(root)).toEqual(was);
  });
});
