import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pluralize } from "../../kubernetes/plural.ts";
import { createApi, createWebhook, deleteApi, initProject } from "../test-support/game.ts";
import { snapshot, testDirectory } from "../test-support/tree.ts";

async function project(options: Parameters<typeof initProject>[1] = {}): Promise<string> {
  const root = testDirectory();
  await initProject(root, options);
  return root;
}
const text = (root: string, path: string) => readFileSync(join(root, path), "utf8");
const edit = (root: string, path: string, change: (text: string) => string) =>
  writeFileSync(join(root, path), change(text(root, path)));

it("adds a second kind after the first", async () => {
  const root = await project();
  await createApi(root);
  await createApi(root, { kind: "Chess" });
  expect(text(root, "api/v1/index.ts")).toContain(
    './game-types.ts";\nexport * from "./chess-types.ts";\n// +kubebuilder',
  );
  expect(text(root, "src/main.ts")).toContain(
    "await new GameReconciler(mgr.client).setupWithManager(mgr);\n  await new Chess",
  );
  expect(text(root, "config/crd/kustomization.yaml")).toContain(
    "_games.yaml\n- bases/myapp.qingwave.github.io_chesses.yaml",
  );
  expect(text(root, "config/rbac/kustomization.yaml")).toContain("- game_viewer_role.yaml\n- chess_admin_role.yaml");
  expect(text(root, "config/default/kustomization.yaml")).toContain("\n- ../crd\n");
  expect(text(root, "PROJECT").match(/kind: /g)).toHaveLength(2);
});

it("uses different names in main.ts for kinds with the same name in two groups", async () => {
  const root = await project({ multigroup: true });
  await createApi(root);
  await createApi(root, { group: "sea-creatures" });
  const main = text(root, "src/main.ts");
  expect(main).toContain('import { GameReconciler } from "./controller/myapp/game-controller.ts";');
  expect(main).toContain(
    'import { GameReconciler as SeaCreaturesGameReconciler } from "./controller/sea-creatures/game-controller.ts";',
  );
  expect(main).toContain("await new SeaCreaturesGameReconciler(mgr.client)");
  expect(text(root, "src/controller/sea-creatures/game-controller.ts")).toContain('"#api/sea-creatures/v1/index.ts"');
  expect(text(root, "src/controller/sea-creatures/game-controller.ts")).toContain('.named("sea-creatures-game")');
});

it("chooses unused names for the imports in main.ts, for any group names", async () => {
  const root = testDirectory();
  await initProject(root, { multigroup: true });
  for (const group of ["", "a.b", "2d"]) await createApi(root, { group });
  await createApi(root, { group: "a-b", controllerName: "game-2" });
  for (const group of ["", "a.b"]) await createWebhook(root, { group, defaulting: true });
  await createWebhook(root, { group: "a-b", defaulting: true, defaultingPath: "/other" });
  edit(root, "src/main.ts", (main) => `${main}const CrewGameReconciler = 1;\n`);
  await createApi(root, { group: "crew" });
  const names = [...text(root, "src/main.ts").matchAll(/^import \{ (?:\w+ as )?(\w+) \} from "\.\/(.*)"/gm)];
  expect(Object.fromEntries(names.map(([, name, module]) => [module, name]))).toEqual({
    "controller/game-controller.ts": "GameReconciler",
    "controller/a.b/game-controller.ts": "ABGameReconciler",
    "controller/2d/game-controller.ts": "Group2dGameReconciler",
    "controller/a-b/game-2-controller.ts": "Game2Reconciler",
    "controller/crew/game-controller.ts": "CrewGameReconciler2",
    "webhook/v1/game-webhook.ts": "setupGameWebhookWithManager",
    "webhook/a.b/v1/game-webhook.ts": "setupABGameWebhookWithManager",
    "webhook/a-b/v1/game-webhook.ts": "setupABGameWebhookWithManager2",
  });
});

it("keeps the user's changes in the files that it changes", async () => {
  const root = await project();
  edit(root, "src/main.ts", (main) => main.replace("main().catch", "// {{ mine }}\nmain().catch"));
  edit(root, "PROJECT", (file) => `${file}# mine\nplugins:\n  other/v1:\n    key: value\n`);
  await createApi(root);
  expect(text(root, "src/main.ts")).toContain("// {{ mine }}\nmain().catch");
  expect(text(root, "PROJECT")).toContain("# mine\nplugins:\n  other/v1:\n    key: value\n");
});

it.each([
  ["src/main.ts", "// +kubebuilder:scaffold:imports", "imports"],
  ["src/main.ts", "// +kubebuilder:scaffold:builder", "builder"],
  ["config/default/kustomization.yaml", "#- ../crd\n", "../crd"],
  ["config/rbac/kustomization.yaml", "resources:", "resources"],
])("changes nothing if %s lacks %j", async (path, lost, named) => {
  const root = await project();
  edit(root, path, (file) => file.replace(lost, path.includes("rbac") ? "others:" : ""));
  const was = snapshot(root);
  await expect(createApi(root)).rejects.toThrow(new RegExp(`${path.replaceAll("/", "\\/")}.*${named}`));
  expect(snapshot(root)).toEqual(was);
});

it("overwrites nothing without force, and with force only scaffolded files", async () => {
  const root = await project();
  await createApi(root);
  edit(root, "api/v1/game-types.ts", (file) => `${file}// mine\n`);
  const was = snapshot(root);
  await expect(createApi(root)).rejects.toThrow("api/v1/game-types.ts exists already");
  expect(snapshot(root)).toEqual(was);
  const { overwritten, operations } = await createApi(root, { force: true });
  expect(overwritten).toEqual(["api/v1/game-types.ts"]);
  expect(operations.map(({ path }) => path)).toEqual(["api/v1/game-types.ts"]);
});

it("writes markers for a cluster-scoped kind and an irregular plural", async () => {
  const root = await project();
  await createApi(root, { namespaced: false, plural: "gamez" });
  expect(text(root, "api/v1/game-types.ts")).toContain("// +kubebuilder:resource:path=gamez,scope=Cluster\n");
  expect(text(root, "PROJECT")).toContain("plural: gamez");
  expect(text(root, "PROJECT")).not.toContain("namespaced");
});

it.each(["ExampleA", "MyData", "ListOfOx"])("uses the generator's plural of %s in all files", async (kind) => {
  const root = await project();
  await createApi(root, { kind });
  const types = `api/v1/${kind.toLowerCase()}-types.ts`;
  expect(text(root, types)).not.toContain("+kubebuilder:resource");
  const made = pluralize(kind);
  expect(text(root, "config/crd/kustomization.yaml")).toContain(`- bases/myapp.qingwave.github.io_${made}.yaml\n`);
  expect(text(root, `src/controller/${kind.toLowerCase()}-controller.ts`)).toContain(`resources=${made},`);
});

it("adds a ClusterRole to a namespaced project for cluster-scoped kinds, and only for these", async () => {
  const root = await project({ namespaced: true });
  await createApi(root, {});
  expect(text(root, "config/rbac/kustomization.yaml")).not.toContain("cluster_role_binding.yaml");
  await createApi(root, { kind: "Captain", namespaced: false });
  expect(text(root, "config/rbac/kustomization.yaml")).toContain("- cluster_role_binding.yaml\n");
  expect(text(root, "config/rbac/cluster_role_binding.yaml")).toContain("kind: ClusterRole\n  name: manager-role");
  expect(text(root, "src/controller/captain-controller.ts")).not.toContain("namespace=");
  expect(text(root, "src/controller/game-controller.ts")).toContain(",namespace=mygame-system");
});

it("adds Roles to a namespaced project", async () => {
  const root = await project({ namespaced: true });
  await createApi(root);
  expect(text(root, "src/controller/game-controller.ts")).toContain("delete,namespace=mygame-system\n");
  expect(text(root, "config/rbac/role_binding.yaml")).toContain("kind: RoleBinding");
  expect(text(root, "src/main.ts")).toContain("cache: { defaultNamespaces: watchNamespacesFromEnv() },");
});

describe("a further controller with its own name", () => {
  it("is added to the kind's first controller, with its name in all files", async () => {
    const root = testDirectory();
    await initProject(root);
    await createApi(root);
    await createApi(root, { api: false, controllerName: "game-backup" });
    expect(text(root, "src/controller/game-backup-controller.ts")).toContain("export class GameBackupReconciler");
    expect(text(root, "src/controller/game-backup-controller.ts")).toContain('.named("game-backup")');
    expect(text(root, "src/main.ts")).toContain("await new GameReconciler(mgr.client)");
    expect(text(root, "src/main.ts")).toContain("await new GameBackupReconciler(mgr.client)");
    expect(text(root, "PROJECT")).toContain("  controllers:\n  - name: game\n  - name: game-backup\n");
    expect(text(root, "PROJECT")).not.toContain("controller: true");
    const { kept } = await deleteApi(root);
    expect(kept).toEqual([]);
    expect(text(root, "src/main.ts")).not.toContain("Reconciler");
  });
});

describe("a controller for an external kind", () => {
  it("imports built-in kinds from the runtime", async () => {
    const root = testDirectory();
    await initProject(root);
    const was = snapshot(root);
    const core = { group: "core", kind: "Pod", api: false, core: { plural: "pods", namespaced: true } };
    await createApi(root, core);
    const controller = text(root, "src/controller/pod-controller.ts");
    expect(controller).toContain('import { Pod } from "@kubewright/runtime/api/core/v1";');
    expect(controller).toContain("+kubebuilder:rbac:groups=core,resources=pods,verbs=");
    expect(text(root, "src/controller/pod-controller.test.ts")).not.toContain("TestEnvironment");
    expect(text(root, "PROJECT")).toContain("- controller: true\n  core: true\n  group: core\n  kind: Pod\n");
    await deleteApi(root, core);
    expect(snapshot(root)).toEqual(was);
  });

  it("imports other kinds from the given module, and adds a dependency on its package", async () => {
    const root = testDirectory();
    await initProject(root);
    const module = "@kubernetes-models/cert-manager/cert-manager.io/v1";
    await createApi(root, {
      group: "cert-manager",
      kind: "Certificate",
      api: false,
      external: { path: module, domain: "io", package: "@kubernetes-models/cert-manager@3.0.0" },
    });
    const controller = text(root, "src/controller/certificate-controller.ts");
    expect(controller).toContain(`import type { Certificate } from "${module}";`);
    expect(controller).toContain("+kubebuilder:rbac:groups=cert-manager.io,resources=certificates,verbs=");
    expect(JSON.parse(text(root, "package.json")).dependencies).toHaveProperty(
      "@kubernetes-models/cert-manager",
      "3.0.0",
    );
    expect(text(root, "PROJECT")).toContain(`  external: true\n  group: cert-manager\n  kind: Certificate\n`);
  });
});

it("scaffolds tests whose samples the compiler checks, so that it reports fields that become required", async () => {
  const root = await project();
  await createApi(root);
  await createApi(root, { version: "v2", controller: false });
  await createWebhook(root, { defaulting: true, validation: true });
  await createWebhook(root, { conversion: true, spokes: ["v2"] });
  const controller = "src/controller/game-controller";
  const samples = [`${controller}.test.ts`, `${controller}.simulation.ts`, "src/webhook/v1/game-webhook.test.ts"];
  for (const path of samples) {
    expect(text(root, path)).toMatch(
      /^function sample\(\): Game \{\n {2}return \{\n[^}]*\},\n[^}]*spec: \{\},\n {2}\};$/m,
    );
  }
  const conversion = text(root, "api/v2/game-conversion.test.ts");
  expect(conversion.match(/^ {4}spec: .*,$/gm)).toEqual(['    spec: { foo: "bar" },', '    spec: { foo: "bar" },']);
});
