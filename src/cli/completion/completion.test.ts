import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createApi, initProject } from "../../scaffold/test-support/game.ts";
import { testDirectory } from "../../scaffold/test-support/tree.ts";
import { runCli } from "../test-support/run-cli.ts";
import { completionScript, shells } from "./scripts.ts";

async function offered(cwd: string, ...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runCli(cwd, ["__complete", "--", ...words]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.split("\n").filter((line) => line !== "");
}

const values = async (cwd: string, ...words: string[]) =>
  (await offered(cwd, ...words)).map((line) => line.split("\t")[0]);

async function game(): Promise<string> {
  const root = testDirectory();
  await initProject(root);
  await createApi(root);
  return root;
}

describe("candidates", () => {
  it("are the commands, with what they are for", async () => {
    const all = await offered(testDirectory(), "");
    expect(all).toContain("init\tstart a new operator project in the current directory");
    expect(all.map((line) => line.split("\t")[0])).toEqual(expect.arrayContaining(["create", "generate", "help"]));
  });

  it("are the second words of a command", async () => {
    expect(await values(testDirectory(), "create", "a")).toEqual(["api"]);
    expect(await values(testDirectory(), "help", "create", "a")).toEqual(["api"]);
  });

  it("are the flags that aren't there yet, those of every command too", async () => {
    const found = await values(testDirectory(), "create", "api", "--group", "shop", "--");
    expect(found).toEqual(expect.arrayContaining(["--kind", "--dry-run", "--help"]));
    expect(found).not.toContain("--group");
  });

  it("are the values that a flag's usage lists", async () => {
    expect(await values(testDirectory(), "generate", "--reader", "")).toEqual(["auto", "ts-morph"]);
  });

  it("are the project's own names, narrowed by the other flags", async () => {
    const root = await game();
    mkdirSync(join(root, "below"));
    expect(await values(join(root, "below"), "create", "api", "--kind", "")).toEqual(["Game"]);
    expect(await values(root, "create", "api", "--group", "other", "--kind", "")).toEqual([]);
  });

  it("leave paths to the shell", async () => {
    expect(await offered(testDirectory(), "init", "--license-file", "x")).toEqual([":files"]);
  });

  it("never complain, whatever is typed and wherever", async () => {
    const broken = testDirectory({ PROJECT: "a: [" });
    for (const words of [["nope", ""], ["create", "api", "--kind", ""], ["--x"], ["create", "api", "--group"]]) {
      await offered(broken, ...words);
    }
  });
});

describe("scaffold completion", () => {
  it.each(shells)("prints the script for %s", async (shell) => {
    expect(await runCli(testDirectory(), ["completion", shell])).toEqual({
      code: 0,
      stdout: completionScript(shell),
      stderr: "",
    });
  });

  it.each([
    [[], "takes the name of a shell: bash, zsh, fish, powershell"],
    [["tcsh"], 'powershell, not "tcsh"'],
  ])("refuses %j", async (args, message) => {
    const end = await runCli(testDirectory(), ["completion", ...args]);
    expect(end).toMatchObject({ code: 2, stdout: "" });
    expect(end.stderr).toContain(message);
  });
});

const require = createRequire(import.meta.url);
const tsx = join(dirname(require.resolve("tsx/package.json")), "dist/cli.mjs");
const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const have = (shell: string) => spawnSync(shell, ["--version"]).error === undefined;

/** A project whose own CLI is this one, with the script in a file. */
async function projectWithCli(shell: "bash" | "zsh" | "fish"): Promise<string> {
  const root = await game();
  mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
  const cli = join(root, "node_modules/.bin/scaffold");
  writeFileSync(cli, `#!/bin/sh\nexec "${process.execPath}" "${tsx}" "${main}" "$@"\n`);
  chmodSync(cli, 0o755);
  writeFileSync(join(root, "script"), completionScript(shell));
  return root;
}

describe("in a shell", () => {
  it("completes in bash", async () => {
    const root = await projectWithCli("bash");
    const ask = `source ./script; COMP_WORDS=(scaffold create api --kind ''); COMP_CWORD=4; _scaffold; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(execFileSync("bash", ["-c", ask], { cwd: root, encoding: "utf8" })).toBe("Game\n");
  });

  it.runIf(have("fish"))("completes in fish", async () => {
    const root = await projectWithCli("fish");
    const ask = "source ./script; complete -C 'scaffold create api --kind '";
    expect(execFileSync("fish", ["-c", ask], { cwd: root, encoding: "utf8" })).toContain("Game");
  });

  it.runIf(have("zsh"))("loads in zsh and gives what it offers to _describe", async () => {
    const root = await projectWithCli("zsh");
    const ask = `compdef() { :; }; source ./script; words=(scaffold create api --kind ''); CURRENT=5
      _describe() { print -l -- "\${(@P)2}"; }; _scaffold`;
    expect(execFileSync("zsh", ["-fc", ask], { cwd: root, encoding: "utf8" })).toBe("Game\n");
  });
});
