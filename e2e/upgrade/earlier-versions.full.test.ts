import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { must, run } from "../../scripts/lib/run.mjs";
import { linkPackages } from "../../scripts/test-support/packages.ts";
import { attemptScaffold, checkout, scaffold } from "../../scripts/test-support/scaffold.ts";

const parent = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-upgrade-")));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** Edits that users make: the path, a text of the scaffolded file, and the text that replaces it. */
const edits: readonly (readonly [path: string, text: string | RegExp, replacement: string])[] = [
  ["src/main.ts", "// +kubebuilder:scaffold:imports", 'import { banner } from "./banner.ts";\n$&'],
  ["src/main.ts", "  // +kubebuilder:scaffold:builder", "  console.error(banner);\n\n$&"],
  [
    "src/controller/game-controller.ts",
    "    // Your code goes here.",
    '    if (object.spec.players === 0) ctx.log.info("Nobody plays");',
  ],
  ["api/v1/game-types.ts", /\/\*\* foo .*\n {2}foo\?: string;/, "/** Number of players. */\n  players?: number;"],
  ["api/v2/game-types.ts", /\/\*\* foo .*\n {2}foo\?: string;/, "/** Number of players. */\n  players?: number;"],
  ["api/v2/game-conversion.test.ts", /foo: "bar"/g, "players: 3"],
  ["src/webhook/v1/game-webhook.ts", "    // Your code goes here.", "    obj.spec.players ??= 2;"],
  ["Makefile", /$/, "\n.PHONY: mine\nmine:\n\t@echo mine\n"],
  ["config/manager/manager.yaml", "            memory: 384Mi", "            memory: 512Mi"],
  ["README.md", /A Kubernetes operator in TypeScript.*/, "The operator of our games."],
];
const roleTest = "test/role.test.ts";
const script = '"mine": "echo mine"';

describe.each(["without edits", "with edits"])("a project of November 2026 %s", (variant) => {
  let root = "";
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const isEdited = variant === "with edits";
  let stderr = "";

  beforeAll(async () => {
    root = mkdtempSync(join(parent, "mygame-"));
    await must("tar", ["-xzf", join(checkout, "testdata/upgrade/2026-11.tgz")], { cwd: root });
    expect(existsSync(join(root, roleTest))).toBe(false);
    if (isEdited) {
      for (const [path, text, replacement] of edits) {
        const edited = read(path).replace(text, replacement);
        expect(edited, path).not.toBe(read(path));
        writeFileSync(join(root, path), edited);
      }
      writeFileSync(join(root, "src/banner.ts"), 'export const banner = "our games";\n');
      writeFileSync(
        join(root, "package.json"),
        read("package.json").replace('"scripts": {', `"scripts": {\n    ${script},`),
      );
    }
    ({ stderr } = await scaffold(root, "upgrade"));
  });

  it("gets no conflicts", () => {
    expect(stderr).not.toMatch(/onflict/);
  });

  it("keeps the edits", () => {
    for (const [path, , replacement] of isEdited ? edits : []) {
      expect(read(path), path).toContain(replacement.replace("$&", "").trim());
    }
    if (isEdited) expect(read("package.json")).toContain(script);
  });

  it("has the new layout: no programs in hack/, and one archive of pristine copies", () => {
    expect(readdirSync(join(root, "hack"))).toEqual(["boilerplate.txt"]);
    expect(readdirSync(join(root, ".kubewright"))).toEqual(["pristine.txtar"]);
    expect(read("src/main.ts")).toContain("parseManagerFlags");
    expect(existsSync(join(root, ".gitattributes"))).toBe(true);
  });

  it("has the test that runs the operator with its role", () => {
    expect(read(roleTest)).toContain('addUser("manager", [], { rolePaths: ["config/rbac/role.yaml"] })');
  });

  it("needs no further upgrade", async () => {
    expect(await attemptScaffold(root, "upgrade", "--check")).toMatchObject({ code: 0, stdout: "" });
  });

  it("generates manifests, compiles, is formatted, and passes its tests", async () => {
    await linkPackages(root);
    await must("npm", ["run", "manifests"], { cwd: root });
    await must("npm", ["run", "typecheck"], { cwd: root });
    await must("npm", ["run", "lint"], { cwd: root });
    await must("npm", ["run", "build", "--", "--bundle-only"], { cwd: root });
    const { code, stdout } = await run("npx", ["vitest", "run", "--exclude", "**/*.envtest*"], { cwd: root });
    expect(code, stdout).toBe(0);
    expect(stdout).toContain(roleTest);
  });
});
