import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import { createApi, createWebhook, deleteWebhook, initProject } from "../test-support/game.ts";
import { madeOnce, snapshot, testDirectory } from "../test-support/tree.ts";
import { planOfUpgrade } from "../test-support/upgrade.ts";

async function project(options: Parameters<typeof initProject>[1] = {}): Promise<string> {
  const root = testDirectory();
  await initProject(root, options);
  return root;
}
const withGame = madeOnce(async (root) => {
  await initProject(root);
  await createApi(root);
});
async function game(): Promise<string> {
  const root = testDirectory();
  await withGame(root);
  return root;
}
const text = (root: string, path: string) => readFileSync(join(root, path), "utf8");
const edit = (root: string, path: string, change: (text: string) => string) =>
  writeFileSync(join(root, path), change(text(root, path)));
const file = "src/webhook/v1/game-webhook.ts";
const pod = { group: "core", kind: "Pod", core: { plural: "pods", namespaced: true } };
const issuer = {
  group: "cert-manager",
  kind: "Issuer",
  external: { path: "@kubernetes-models/cert-manager/cert-manager.io/v1", domain: "io" },
};

describe("a webhook of a kind of the project", () => {
  it("gets a file with code, tests, and a call in main.ts", async () => {
    const root = await game();
    await createWebhook(root, { defaulting: true, validation: true });
    const code = text(root, file);
    expect(code).toContain("export async function setupGameWebhookWithManager(mgr: Manager): Promise<void> {");
    expect(code).toContain("export class GameDefaulter implements Defaulter<Game> {");
    expect(code).toContain("export class GameValidator implements Validator<Game> {");
    expect(text(root, "src/webhook/v1/game-webhook.test.ts")).toContain("new GameValidator()");
    const main = text(root, "src/main.ts");
    expect(main).toContain('import { setupGameWebhookWithManager } from "./webhook/v1/game-webhook.ts";');
    expect(main).toContain(
      '  const enableWebhooks = process.env.ENABLE_WEBHOOKS !== "false";\n  if (enableWebhooks) await setupGameWebhookWithManager(mgr);\n',
    );
  });

  it("is registered under a condition that main.ts declares once", async () => {
    const root = await game();
    await createApi(root, { kind: "Chess" });
    for (const kind of ["Game", "Chess"]) await createWebhook(root, { kind, defaulting: true });
    expect(text(root, "src/main.ts").match(/ENABLE_WEBHOOKS/g)).toHaveLength(1);
    expect(text(root, "src/main.ts").match(/if \(enableWebhooks\) await/g)).toHaveLength(2);
  });

  it("of a kind without a spec has a test whose sample has none", async () => {
    const root = await game();
    edit(root, "api/v1/game-types.ts", (types) => types.replace(/^ {2}spec: GameSpec;$/m, "  rules: string[];"));
    await createWebhook(root, { defaulting: true, validation: true });
    const test = text(root, "src/webhook/v1/game-webhook.test.ts");
    expect(test).toContain(
      `function sample(): Game {
  return {
    apiVersion: Game.apiVersion,
    kind: Game.kind,
    metadata: { name: "sample", namespace: "default" },
    // Set the required fields.
  };
}`,
    );
    expect(test).not.toMatch(/\bspec\b/);
  });

  it("adds the mapping of #api to a package.json without it", async () => {
    const root = await game();
    const manifest = JSON.parse(text(root, "package.json"));
    writeFileSync(join(root, "package.json"), JSON.stringify({ ...manifest, imports: { "#lib": "./lib.ts" } }));
    await createWebhook(root, { defaulting: true });
    expect(JSON.parse(text(root, "package.json")).imports).toEqual({ "#lib": "./lib.ts", "#api/*": "./api/*" });
  });

  it("has the markers that kubebuilder writes", async () => {
    const root = await game();
    await createWebhook(root, { defaulting: true, validation: true, validationPath: "/check-game" });
    const code = text(root, file);
    expect(code).toContain(
      "\n// +kubebuilder:webhook:path=/mutate-myapp-qingwave-github-io-v1-game,mutating=true,failurePolicy=fail,sideEffects=None,groups=myapp.qingwave.github.io,resources=games,verbs=create;update,versions=v1,name=mgame-v1.kb.io,admissionReviewVersions=v1\n",
    );
    expect(code).toContain(
      "\n// +kubebuilder:webhook:path=/check-game,mutating=false,failurePolicy=fail,sideEffects=None,groups=myapp.qingwave.github.io,resources=games,verbs=create;update,versions=v1,name=vgame-v1.kb.io,admissionReviewVersions=v1\n",
    );
    expect(code).toContain('.withValidatorCustomPath("/check-game")');
  });

  it("is recorded with kubebuilder's keys", async () => {
    const root = await game();
    await createApi(root, { version: "v2", controller: false });
    await createWebhook(root, { defaulting: true, defaultingPath: "/fill-in", conversion: true, spokes: ["v2"] });
    expect(text(root, "PROJECT")).toContain(`  webhooks:
    conversion: true
    defaulting: true
    defaultingPath: /fill-in
    spoke:
    - v2
    webhookVersion: v1
`);
  });

  it("gets directories of its group in a multi-group project, and another name in main.ts if necessary", async () => {
    const root = await project({ multigroup: true });
    for (const group of ["one", "two"]) {
      await createApi(root, { group });
      await createWebhook(root, { group, defaulting: true });
    }
    expect(text(root, "src/main.ts")).toContain(
      'import { setupGameWebhookWithManager as setupTwoGameWebhookWithManager } from "./webhook/two/v1/game-webhook.ts";',
    );
    expect(text(root, "src/main.ts")).toContain("  if (enableWebhooks) await setupTwoGameWebhookWithManager(mgr);\n");
    // Webhooks in the same configuration must have different names.
    expect(text(root, "src/webhook/one/v1/game-webhook.ts")).toContain(",name=mgame-v1.kb.io,");
    expect(text(root, "src/webhook/two/v1/game-webhook.ts")).toContain(",name=mgame-v1.two-qingwave-github-io.kb.io,");
  });

  it("gets different names in main.ts for the versions of a kind", async () => {
    const root = await game();
    await createApi(root, { version: "v2", controller: false });
    for (const version of ["v1", "v2"]) await createWebhook(root, { version, validation: true });
    expect(text(root, "src/main.ts")).toContain("  if (enableWebhooks) await setupGameV2WebhookWithManager(mgr);\n");
  });
});

describe("a webhook of an external kind", () => {
  it("can belong to a built-in kind", async () => {
    const root = await game();
    await createWebhook(root, { ...pod, defaulting: true });
    const code = text(root, "src/webhook/v1/pod-webhook.ts");
    expect(code).toContain('import { Pod } from "@kubewright/runtime/api/core/v1";');
    expect(code).toContain(
      'path=/mutate--v1-pod,mutating=true,failurePolicy=fail,sideEffects=None,groups="",resources=pods,',
    );
    expect(text(root, "PROJECT")).toContain(
      "- core: true\n  group: core\n  kind: Pod\n  path: k8s.io/api/core/v1\n  version: v1\n  webhooks:\n    defaulting: true\n",
    );
  });

  it("can belong to a kind of another package", async () => {
    const root = await game();
    await createWebhook(root, { ...issuer, validation: true });
    const code = text(root, "src/webhook/v1/issuer-webhook.ts");
    expect(code).toContain('import type { Issuer } from "@kubernetes-models/cert-manager/cert-manager.io/v1";');
    expect(code).toContain('groupVersion("cert-manager.io", "v1").kind<IssuerObject>("Issuer")');
    expect(code).toContain("groups=cert-manager.io,resources=issuers,");
    expect(text(root, "PROJECT")).toContain(
      '- domain: io\n  external: true\n  group: cert-manager\n  kind: Issuer\n  path: "@kubernetes-models/cert-manager/cert-manager.io/v1"\n',
    );
  });
});

describe("a second webhook type of a kind", () => {
  fullTest("results in the same file as both types at once", async () => {
    const [once, twice] = [await game(), await game()];
    await createWebhook(once, { defaulting: true, validation: true });
    await createWebhook(twice, { defaulting: true });
    await createWebhook(twice, { validation: true });
    expect(text(twice, file)).toBe(text(once, file));
    const configOf = (root: string) =>
      Object.entries(snapshot(root)).filter(([path]) => /^(config|PROJECT|src\/main)/.test(path));
    expect(configOf(twice)).toEqual(configOf(once));
  });

  it("keeps the user's code, and finds the place to insert its own", async () => {
    const root = await game();
    await createWebhook(root, { defaulting: true });
    edit(root, file, (code) =>
      code
        .replace("// Your code goes here.", 'obj.spec.foo ??= "{{ mine }}";')
        .replace("newWebhookManagedBy(mgr, Game)", "newWebhookManagedBy(\n    mgr,\n    Game, // mine\n  )")
        .replace("import { newWebhookManagedBy", "import { ApiError, newWebhookManagedBy"),
    );
    await createWebhook(root, { validation: true, validationPath: "/check" });
    const code = text(root, file);
    for (const mine of ['obj.spec.foo ??= "{{ mine }}";', "Game, // mine"]) expect(code).toContain(mine);
    expect(code).toContain('.withValidator(new GameValidator()).withValidatorCustomPath("/check").complete()');
    expect(code).toMatch(/type Defaulter, .*type Validator \}/);
  });

  it("keeps Windows line breaks", async () => {
    const root = await game();
    await createWebhook(root, { defaulting: true });
    edit(root, file, (code) => code.replaceAll("\n", "\r\n"));
    await createWebhook(root, { validation: true });
    expect(text(root, file).replaceAll("\r\n", "")).not.toContain("\n");
  });

  it.each([
    ["another function name", "setupGameWebhookWithManager", "setup", /no function setupGameWebhookWithManager/],
    ["no builder chain", ".complete()", ".finish()", /with a chain newWebhookManagedBy/],
    ["a syntax error", "): Promise<void> {", "): Promise<void> {{", /can't be read/],
    [
      "a class with the name of the new one",
      "// +kube",
      "class GameValidator {}\n// +kube",
      /already has a GameValidator/,
    ],
    [
      "a call of the new method",
      ".complete()",
      ".withValidator(mine).complete()",
      /has a call of withValidator in setupGameWebhookWithManager already/,
    ],
  ])("changes nothing if the file has %s", async (_, search, replace, message) => {
    const root = await game();
    await createWebhook(root, { defaulting: true });
    edit(root, file, (code) => code.replace(search, replace));
    const was = snapshot(root);
    await expect(createWebhook(root, { validation: true })).rejects.toThrow(message);
    expect(snapshot(root)).toEqual(was);
  });

  it("is rejected if it exists", async () => {
    const root = await game();
    await createWebhook(root, { defaulting: true });
    await expect(createWebhook(root, { defaulting: true, validation: true })).rejects.toThrow(
      "the defaulting webhook of myapp.qingwave.github.io/v1, Kind=Game already exists",
    );
  });

  it("stays if another type is created again with --force", async () => {
    const root = await game();
    await createWebhook(root, { defaulting: true, validation: true });
    const was = text(root, file);
    edit(root, file, (code) => `${code}// mine\n`);
    const { overwritten } = await createWebhook(root, { defaulting: true, force: true });
    expect(overwritten).toEqual([file]);
    expect(text(root, file)).toBe(was);
  });

  it("isn't added to a test file that the user has deleted", async () => {
    const root = await game();
    await createWebhook(root, { defaulting: true });
    rmSync(join(root, "src/webhook/v1/game-webhook.test.ts"));
    await createWebhook(root, { validation: true });
    expect(snapshot(root)).not.toHaveProperty("src/webhook/v1/game-webhook.test.ts");
  });
});

describe("a conversion webhook", () => {
  async function versions(): Promise<string> {
    const root = await game();
    for (const version of ["v2", "v3"]) await createApi(root, { version, controller: false });
    return root;
  }

  it("is configured in the API server of the test suite, for any order of commands", async () => {
    const suite = "src/webhook/v1/game-webhook.test.ts";
    const converting = "      kinds: [Game],\n      convertibleKinds: [Game],\n";
    const [together, after] = [await versions(), await versions()];
    await createWebhook(together, { defaulting: true, conversion: true, spokes: ["v2"] });
    await createWebhook(after, { defaulting: true });
    expect(text(after, suite)).not.toContain("convertibleKinds");
    await createWebhook(after, { conversion: true, spokes: ["v2"] });
    expect(text(together, suite)).toContain(converting);
    expect(text(after, suite)).toBe(text(together, suite));
    expect((await planOfUpgrade(after)).operations).toEqual([]);
    await deleteWebhook(after, { types: ["conversion"] });
    expect(text(after, suite)).not.toContain("convertibleKinds");
  });

  it("creates a hub, spokes, round-trip tests, and the CRD's patch", async () => {
    const root = await versions();
    await createWebhook(root, { conversion: true, spokes: ["v2", "v3"] });
    expect(text(root, "api/v1/game-conversion.ts")).toContain("spokes: [v2, v3],");
    expect(text(root, "api/v2/game-conversion.ts")).toContain("export const spoke: SpokeConverter<Hub, Game> = {");
    expect(text(root, "api/v3/game-conversion.test.ts")).toContain('it("converts v3 to v1 and back without loss"');
    expect(text(root, file)).toContain(".withConverter(converter)");
    expect(text(root, "config/crd/patches/webhook_in_games.yaml")).toContain("name: games.myapp.qingwave.github.io");
    const crd = text(root, "config/crd/kustomization.yaml");
    expect(crd).toContain("- path: patches/webhook_in_games.yaml\n");
    expect(crd).toContain("\nconfigurations:\n- kustomizeconfig.yaml\n");
  });

  it("accepts a further spoke", async () => {
    const [once, twice] = [await versions(), await versions()];
    await createWebhook(once, { conversion: true, spokes: ["v2", "v3"] });
    await createWebhook(twice, { conversion: true, spokes: ["v2"] });
    await createWebhook(twice, { conversion: true, spokes: ["v3"] });
    const project = (root: string) =>
      Object.entries(snapshot(root)).filter(([path]) => !path.startsWith(".kubewright"));
    expect(project(twice)).toEqual(project(once));
  });

  it("makes the hub the stored version, with a note if another version was stored", async () => {
    const root = await versions();
    const { notes } = await createWebhook(root, { version: "v2", conversion: true, spokes: ["v1"] });
    expect(text(root, "api/v2/game-types.ts")).toContain("// +kubebuilder:storageversion\n");
    expect(text(root, "api/v1/game-types.ts")).not.toContain("storageversion");
    expect(notes).toEqual([expect.stringContaining("Game is stored as v2 from now on, no longer as v1")]);
  });

  it("makes the hub the stored version of a kind whose type has another name", async () => {
    const root = await game();
    for (const version of ["v1", "v2"]) await createApi(root, { kind: "Record", version, controller: false });
    await createWebhook(root, { kind: "Record", version: "v2", conversion: true, spokes: ["v1"] });
    expect(text(root, "api/v2/record-types.ts")).toContain("// +kubebuilder:storageversion\n");
    expect(text(root, "api/v1/record-types.ts")).not.toContain("storageversion");
  });

  it("notes that existing admission webhooks stay on their version, and which objects they see", async () => {
    const root = await versions();
    await createWebhook(root, { defaulting: true });
    const { notes } = await createWebhook(root, { version: "v2", conversion: true, spokes: ["v1"] });
    expect(notes).toContain(
      "the admission webhooks of Game stay on v1: objects of other versions are converted to it for them, without the fields that v1 can't represent",
    );
  });

  it("requires no webhook configuration", async () => {
    const root = await versions();
    await createWebhook(root, { conversion: true, spokes: ["v2"] });
    expect(text(root, "config/webhook/kustomization.yaml")).not.toContain("manifests.yaml");
    await createWebhook(root, { validation: true });
    expect(text(root, "config/webhook/kustomization.yaml")).toContain("- manifests.yaml\n");
  });

  it("leaves sample values to the user if the fields were changed, and lets the compiler report required ones", async () => {
    const root = await versions();
    edit(root, "api/v2/game-types.ts", (types) => types.replace("foo?: string;", "title: string;"));
    await createWebhook(root, { conversion: true, spokes: ["v2"] });
    const test = text(root, "api/v2/game-conversion.test.ts");
    expect(test.match(/spec: \{.*,$/gm)).toEqual(["spec: {},", 'spec: { foo: "bar" },']);
    edit(root, "api/v1/game-types.ts", (types) => types.replace("foo?: string;", "name: string;"));
    await createWebhook(root, { conversion: true, spokes: ["v3"] });
    expect(text(root, "api/v3/game-conversion.test.ts")).toContain("spec: {},");
  });

  it("of a kind without a spec converts the whole object", async () => {
    const root = await versions();
    for (const version of ["v1", "v2"]) {
      edit(root, `api/${version}/game-types.ts`, (types) =>
        types.replace(/^ {2}spec: GameSpec;$/m, "  data?: string;"),
      );
    }
    await createWebhook(root, { conversion: true, spokes: ["v2"] });
    const code = ["game-conversion.ts", "game-conversion.test.ts"].map((name) => text(root, `api/v2/${name}`));
    expect(code.join("\n")).not.toMatch(/\.spec\b|\bspec:/);
    expect(code[0]).toContain("    return { ...obj };\n");
    expect(code[1]).toContain("  } as Partial<Hub> as Hub;\n");
  });

  it.each([
    ["an unknown version", { spokes: ["v9"] }, /--spoke v9 can't be used: Game has no version v9/],
    ["a second hub", { version: "v2", spokes: ["v1"] }, /v2 can't be the hub of Game: v1 already is/],
    ["an existing spoke", { spokes: ["v3", "v2"] }, /the conversion between v2 and v1 .* already exists/],
    ["no new spoke", { spokes: [] }, /the conversion webhook .* already exists/],
  ])("rejects %s", async (_, input, message) => {
    const root = await versions();
    await createWebhook(root, { conversion: true, spokes: ["v2"] });
    await expect(createWebhook(root, { conversion: true, ...input })).rejects.toThrow(message);
  });
});

describe("the package of an external kind", () => {
  it("becomes a dependency", async () => {
    const { dependOn } = await import("../parts/dependency.ts");
    const { PlanBuilder } = await import("../plan/plan.ts");
    const { openTree } = await import("../files/tree.ts");
    const root = testDirectory({ "package.json": '{\n "name": "x",\n "dependencies": { "b": "1" }\n}\n' });
    const plan = new PlanBuilder(openTree(root), {});
    dependOn(plan, "@a/types@1.2.3");
    expect(JSON.parse(plan.text("package.json") ?? "").dependencies).toEqual({ "@a/types": "1.2.3", b: "1" });
    dependOn(plan, "b@2");
    expect(JSON.parse(plan.text("package.json") ?? "").dependencies.b).toBe("1");
  });
});

it("creates no test file without tests, as for a sample from a CRD", async () => {
  const root = await game();
  const test = "src/webhook/v1/game-webhook.test.ts";
  edit(
    root,
    "api/v1/game-types.ts",
    (types) => `// Made from the CustomResourceDefinition games.example.com.\n${types}`,
  );
  await createApi(root, { version: "v2", controller: false });
  await createWebhook(root, { conversion: true, spokes: ["v2"] });
  expect(text(root, file)).toContain(".withConverter(converter)");
  expect(existsSync(join(root, test))).toBe(false);
  await createWebhook(root, { defaulting: true });
  expect(text(root, test)).toContain('describe("GameDefaulter", () => {');
  expect(text(root, test)).toContain("const ctx = testContext({ log: testLogger(beforeEach) });");
});
