// Checks the modules that commands load. bench/start-up.ts measures the time.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { must } from "../../scripts/lib/run.mjs";
import { fullTest } from "../../scripts/test-support/full-test.ts";
import { scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { variants } from "../../scripts/test-support/thorough.ts";
import { loadedModules, loadedPackages } from "../lib/loaded-packages.ts";

const scratch = mkdtempSync(join(tmpdir(), "kubewright-start-up-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const loadedBy = (...args: string[]) => loadedPackages(scratch, scratch, args);

describe("the start", () => {
  it("of scaffold version loads only Node's own modules", async () => {
    expect(await loadedBy("version")).toEqual([]);
  });

  it.each(variants(["create api --help", "help", "--help", "generate --help"], 2))(
    "of scaffold %s loads no compiler, no templates, no prompts",
    async (line) => {
      const loaded = await loadedBy(...line.split(" "));
      const heavy = /^(ts-morph|@ts-morph|typescript|handlebars|inquirer|@inquirer|execa|ajv)/;
      expect(loaded.filter((name) => heavy.test(name))).toEqual([]);
    },
  );

  fullTest("of commands that scaffold loads no generator", async () => {
    const project = mkdtempSync(join(scratch, "project-"));
    const kind = ["--group", "shop", "--version", "v1", "--kind", "Game"];
    for (const args of [
      ["init", "--domain", "example.com", "--fetch-deps=false"],
      ["create", "api", ...kind, "--resource", "--controller"],
      ["create", "webhook", ...kind, "--defaulting"],
    ]) {
      const loaded = await loadedModules(scratch, project, args);
      expect(loaded).toContain("src/scaffold/templates/templates.ts");
      expect(loaded.filter((path) => /^src\/generate\/(?!schema\/core-types)/.test(path))).toEqual([]);
    }
  });

  it("of generate loads nothing of the scaffolder, and no YAML documents", async () => {
    const project = mkdtempSync(join(scratch, "project-"));
    const kind = ["--group", "shop", "--version", "v1", "--kind", "Game"];
    const options = { cwd: project };
    await must(process.execPath, [scaffoldBin, "init", "--domain", "example.com", "--fetch-deps=false"], options);
    await must(process.execPath, [scaffoldBin, "create", "api", ...kind, "--resource", "--controller"], options);
    const args = ["generate", "crd", "rbac:roleName=manager-role", "paths=./..."];
    const loaded = await loadedModules(scratch, project, args);
    expect(loaded.filter((path) => /^src\/generate\/crd\//.test(path))).not.toEqual([]);
    expect(
      loaded.filter((path) => /^src\/(scaffold\/(apply|plan|templates|tree)|yaml\/document)\.ts$/.test(path)),
    ).toEqual([]);
  });

  fullTest("of generate sets V8's flags for short runs only if the generators run", async () => {
    const hook = join(scratch, "flags.cjs");
    writeFileSync(
      hook,
      'require("node:v8").setFlagsFromString = (flag) => process.stderr.write("flag " + flag + "\\n");',
    );
    const project = mkdtempSync(join(scratch, "project-"));
    mkdirSync(join(project, "node_modules"));
    writeFileSync(join(project, "types.ts"), "export interface Spec {\n  a: string;\n}\n");
    const setsFlags = async (...args: string[]) => {
      const env = { NODE_OPTIONS: `--require=${hook}` };
      const { stderr } = await must(process.execPath, [scaffoldBin, ...args], { cwd: project, env });
      return stderr.includes("flag --semi-space-growth-factor=1");
    };
    const generate = ["generate", "crd", "paths=."];
    expect(await setsFlags("--help")).toBe(false);
    expect(await setsFlags("generate", "--help")).toBe(false);
    expect(await setsFlags(...generate)).toBe(true);
    expect(await setsFlags(...generate)).toBe(false);
  });

  it("of scaffold without arguments outside of a project loads no package", async () => {
    expect(await loadedBy()).toEqual([]);
  });

  it("of a command with flags loads the command line parser", async () => {
    // This shows that the tests above can fail.
    expect(await loadedBy("create", "api", "--help")).toContain("commander");
  });
});
