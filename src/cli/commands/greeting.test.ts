import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createApi, initProject } from "../../scaffold/test-support/game.ts";
import { applyAndDie } from "../../scaffold/test-support/killed.ts";
import { snapshot, testDirectory } from "../../scaffold/test-support/tree.ts";
import { commands } from "../commands.ts";
import { rootHelp } from "../framework/program.ts";
import { cliVersion } from "../framework/version.ts";
import { runCli } from "../test-support/run-cli.ts";

/** Returns the text before the list of commands. */
async function greetingOf(cwd: string): Promise<string> {
  const { code, stdout, stderr } = await runCli(cwd, []);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  // The list of commands would hide the next step of a project.
  const help = [`\n${rootHelp(commands)}\n`, "\nnpx scaffold --help lists all commands.\n"];
  const end = help.find((text) => stdout.endsWith(text));
  expect(end).toBe(help[existsSync(join(cwd, "PROJECT")) ? 1 : 0]);
  return stdout.slice(0, -(end?.length ?? 0));
}

const hello = `Hello, this is kubewright ${cliVersion()}.\n\n`;

async function project({ kind = true, packages = true, manifests = true } = {}): Promise<string> {
  const root = testDirectory();
  await initProject(root);
  if (packages) {
    for (const name of ["kubewright", "@kubewright/runtime"]) {
      mkdirSync(join(root, "node_modules", name), { recursive: true });
      writeFileSync(join(root, "node_modules", name, "package.json"), JSON.stringify({ version: cliVersion() }));
    }
    writeFileSync(join(root, "package-lock.json"), "{}");
  }
  if (kind) await createApi(root);
  // The helpers scaffold with another version than the CLI's.
  const text = readFileSync(join(root, "PROJECT"), "utf8");
  writeFileSync(join(root, "PROJECT"), text.replace("cliVersion: 0.0.0", `cliVersion: ${cliVersion()}`));
  if (kind && manifests) expect(await runCli(root, ["generate", "--quiet"])).toMatchObject({ code: 0 });
  return root;
}

describe("scaffold without arguments", () => {
  it("explains outside a project how to start one", async () => {
    expect(await greetingOf(testDirectory())).toBe(
      `${hello}No project found in this directory.\nNext: create one: npm create kubewright@latest\n`,
    );
  });

  it("prints the way to the project in a parent directory", async () => {
    const root = await project({ kind: false });
    mkdirSync(join(root, "docs/pictures"), { recursive: true });
    expect(await greetingOf(join(root, "docs/pictures"))).toBe(
      `${hello}The project is in a parent directory.\nNext: cd ../..\n`,
    );
  });

  it("prints the way in the errors of commands that require a project", async () => {
    const root = await project({ kind: false });
    const below = join(root, "docs/pictures");
    mkdirSync(below, { recursive: true });
    const kind = ["--group", "shop", "--version", "v1", "--kind", "Game"];
    for (const argv of [["create", "api", ...kind], ["edit", "--multigroup"], ["upgrade"], ["run"], ["generate"]]) {
      const { code, stderr } = await runCli(below, argv);
      expect({ argv, code }).toEqual({ argv, code: argv[0] === "generate" ? 2 : 1 });
      expect(stderr).toContain("\n  hint: the project is in a parent directory: cd ../..\n");
    }
    expect((await runCli(below, ["doctor"])).stdout).toContain("the project is in a parent directory: cd ../..");
  });

  it("suggests installing packages first", async () => {
    expect(await greetingOf(await project({ packages: false }))).toBe(
      `${hello}kubewright is not installed.\nNext: run npm install (or pnpm install, yarn install)\n`,
    );
  });

  it("suggests creating a kind next", async () => {
    expect(await greetingOf(await project({ kind: false }))).toBe(
      `${hello}Project mygame has no kinds yet.\nNext: npx scaffold create api --group shop --version v1 --kind Game, with your own names\n`,
    );
  });

  it("suggests updating the manifests", async () => {
    expect(await greetingOf(await project({ manifests: false }))).toMatch(
      /\n\nmanifests are not up to date: config\/crd\/bases\/.*\.\nNext: update them with make manifests \(or npm run manifests\)\n$/,
    );
  });

  it("suggests running the project if nothing is missing", async () => {
    expect(await greetingOf(await project())).toBe(
      `${hello}Project mygame: Game. All checks passed, and the manifests are up to date.\nNext: run it in your current kubectl context with make install run (or npm run install:crds, then npm run run)\n`,
    );
  });

  it.each<readonly [string, (root: string) => unknown, string]>([
    ["a missing file", (root) => rmSync(join(root, "src/main.ts")), "src/main.ts is missing."],
    ["an invalid PROJECT", (root) => writeFileSync(join(root, "PROJECT"), "a: ["), "PROJECT can't be read"],
    [
      "a command that was killed",
      (root) => applyAndDie(root, [{ op: "create", path: "z.txt", content: "z" }], { step: "commit", path: "z.txt" }),
      "a command was killed while it wrote",
    ],
  ])("reports %s first", async (_, damage, message) => {
    const root = await project();
    damage(root);
    expect(await greetingOf(root)).toContain(message);
  });

  it("changes nothing, and prints the same as JSON", async () => {
    const root = await project({ manifests: false });
    const before = snapshot(root);
    const { code, stdout } = await runCli(root, ["--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      project: "mygame",
      state: expect.stringMatching(/^manifests are not/),
      next: expect.stringMatching(/make manifests/),
    });
    expect(snapshot(root)).toEqual(before);
  });

  it("prints other text than --help", async () => {
    expect((await runCli(testDirectory(), ["--help"])).stdout).toBe(`${rootHelp(commands)}\n`);
  });
});
