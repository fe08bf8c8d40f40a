import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import { variants } from "../../../scripts/test-support/thorough.ts";
import { createApi, initProject } from "../../scaffold/test-support/game.ts";
import { testDirectory } from "../../scaffold/test-support/tree.ts";
import { runCli } from "../test-support/run-cli.ts";
import { completionScript, shells } from "./scripts.ts";

async function completions(cwd: string, ...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runCli(cwd, ["__complete", "--", ...words]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.split("\n").filter((line) => line !== "");
}

const values = async (cwd: string, ...words: string[]) =>
  (await completions(cwd, ...words)).map((line) => line.split("\t")[0]);

async function game(): Promise<string> {
  const root = testDirectory();
  await initProject(root);
  await createApi(root);
  return root;
}

describe("completion candidates", () => {
  it("are the commands with their summaries", async () => {
    const all = await completions(testDirectory(), "");
    expect(all).toContain("init\tStart a new operator project");
    expect(all.map((line) => line.split("\t")[0])).toEqual(expect.arrayContaining(["create", "generate", "help"]));
  });

  it("are the second words of a command", async () => {
    expect(await values(testDirectory(), "create", "a")).toEqual(["api"]);
    expect(await values(testDirectory(), "help", "create", "a")).toEqual(["api"]);
  });

  it("are the flags that aren't set yet, including global flags", async () => {
    const candidates = await values(testDirectory(), "create", "api", "--group", "shop", "--");
    expect(candidates).toEqual(expect.arrayContaining(["--kind", "--dry-run", "--help"]));
    expect(candidates).not.toContain("--group");
  });

  it("are the values in a flag's usage", async () => {
    expect(await values(testDirectory(), "generate", "--reader", "")).toEqual(["auto", "ts-morph"]);
  });

  it("are the names of the project's resources that match the other flags", async () => {
    const root = await game();
    mkdirSync(join(root, "below"));
    expect(await values(join(root, "below"), "create", "api", "--kind", "")).toEqual(["Game"]);
    expect(await values(root, "create", "api", "--group", "other", "--kind", "")).toEqual([]);
  });

  it.each<readonly [string, readonly string[], readonly string[]]>([
    ["the first value of a list", ["edit", "--enable", "pro"], ["prometheus"]],
    [
      "the next value of a list, without the ones already in it",
      ["edit", "--disable", "webhook,prometheus,"],
      ["webhook,prometheus,cert-manager", "webhook,prometheus,metrics-certs", "webhook,prometheus,network-policy"],
    ],
    ["a list after =", ["edit", "--enable=webhook,cert"], ["--enable=webhook,cert-manager"]],
    ["an enum flag", ["init", "--webhook-certs", ""], ["self", "cert-manager", "files"]],
    ["an enum flag after =", ["edit", "--license=c"], ["--license=copyright"]],
    ["a boolean flag", ["init", "--multigroup="], ["--multigroup=true", "--multigroup=false"]],
    ["an option of a generator", ["generate", "crd:max"], ["crd:maxDescLen="]],
    ["the generators", ["generate", "rb"], ["rbac:fileName=", "rbac:headerFile=", "rbac:roleName="]],
  ])("continue the input for %s", async (_, words, expected) => {
    expect(await values(testDirectory(), ...words)).toEqual(expect.arrayContaining([...expected]));
    for (const value of await values(testDirectory(), ...words)) expect(value).toContain(words.at(-1));
  });

  it("are the kind's other versions for --spoke", async () => {
    const root = await game();
    await createApi(root, { version: "v2", controller: false });
    await createApi(root, { version: "v3", controller: false });
    const hub = ["create", "webhook", "--kind=Game", "--version", "v1", "--conversion", "--spoke"];
    expect(await values(root, ...hub, "")).toEqual(["v2", "v3"]);
    expect(await values(root, ...hub, "v2,")).toEqual(["v2,v3"]);
  });

  it.each([
    ["a flag", ["init", "--license-file", "x"]],
    ["a command with a directory as its argument", ["migrate", ".."]],
    ["a flag with =", ["init", "--license-file=x"]],
    ["a flag whose value is a directory or a revision", ["generate", "--against", ""]],
    ["paths=", ["generate", "crd", "paths="]],
    ["what paths= begins with", ["generate", "crd", "paths=./a"]],
    ["an output rule", ["generate", "output:crd:dir=conf"]],
    ["an output rule's second argument", ["generate", "output:crd:artifacts:config=config,code=s"]],
    ["a generator's file", ["generate", "crd:headerFile="]],
    ["a generator's directory", ["generate", "schemapatch:manifests=m"]],
  ])("leave paths to the shell after %s", async (_, words) => {
    expect(await completions(testDirectory(), ...words)).toEqual([":files"]);
  });

  it("end where the manager's own flags begin", async () => {
    expect(await completions(testDirectory(), "run", "--", "--")).toEqual([]);
  });

  it("cause no error, whatever the input and the directory", async () => {
    const broken = testDirectory({ PROJECT: "a: [" });
    for (const words of [["nope", ""], ["create", "api", "--kind", ""], ["--x"], ["create", "api", "--group"]]) {
      await completions(broken, ...words);
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
    [[], "requires a shell; valid shells: bash, zsh, fish, powershell"],
    [["tcsh"], 'shell "tcsh" isn\'t valid: it must be bash, zsh, fish or powershell'],
  ])("rejects %j", async (args, message) => {
    const end = await runCli(testDirectory(), ["completion", ...args]);
    expect(end).toMatchObject({ code: 2, stdout: "" });
    expect(end.stderr).toContain(message);
  });
});

const require = createRequire(import.meta.url);
const tsx = join(dirname(require.resolve("tsx/package.json")), "dist/cli.mjs");
const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const isInstalled = (shell: string) => spawnSync(shell, ["--version"]).error === undefined;

/** Creates a project whose CLI is the one under test, with the completion script in a file. */
async function projectWithCli(shell: "bash" | "zsh" | "fish"): Promise<string> {
  const root = await game();
  mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
  const cli = join(root, "node_modules/.bin/scaffold");
  writeFileSync(cli, `#!/bin/sh\nexec "${process.execPath}" "${tsx}" "${main}" "$@"\n`);
  chmodSync(cli, 0o755);
  writeFileSync(join(root, "script"), completionScript(shell));
  return root;
}

describe("the completion script", () => {
  it("completes in bash", async () => {
    const root = await projectWithCli("bash");
    const ask = `source ./script; COMP_WORDS=(scaffold create api --kind ''); COMP_CWORD=4; _scaffold; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(execFileSync("bash", ["-c", ask], { cwd: root, encoding: "utf8" })).toBe("Game\n");
  });

  const lines = [
    ["--enable=webhook,cert", `scaffold edit --enable = webhook,cert`, 4, "webhook,cert-manager"],
    ["--kind=Ga", `scaffold create api --kind = Ga`, 5, "Game"],
    ["--kind=", `scaffold create api --kind =`, 4, "Game"],
    ["--enable webhook,cert", `scaffold edit --enable webhook,cert`, 3, "webhook,cert-manager"],
    ["crd:max", `scaffold generate crd : max`, 4, "maxDescLen="],
    ["a command that npx runs", `npx scaffold create api --kind = Ga`, 6, "Game"],
    ["nothing for another program that npx runs", `npx other create api --kind = Ga`, 6, ""],
    ["nothing before npx has a program", `npx sca`, 1, ""],
  ] as const;
  it.each(variants(lines, 1))(
    "completes %s in bash, which splits it into several words",
    async (_, words, at, expected) => {
      const root = await projectWithCli("bash");
      const ask = `source ./script; COMP_WORDS=(${words}); COMP_CWORD=${at}; _scaffold; printf '%s\\n' "\${COMPREPLY[@]}"`;
      expect(execFileSync("bash", ["-c", ask], { cwd: root, encoding: "utf8" })).toBe(`${expected}\n`);
    },
  );

  if (isInstalled("script"))
    fullTest("completes a typed line in bash", async () => {
      const root = await projectWithCli("bash");
      // An interactive bash: readline splits the line, and inserts the completion.
      const typed = `source ./script\nPS1=\nscaffold edit --enable=webhook,cert\t; exit 0\n`;
      const shown = execFileSync("script", ["-qec", "bash --norc --noprofile -i", "/dev/null"], {
        cwd: root,
        encoding: "utf8",
        input: typed,
        timeout: 60_000,
      });
      expect(shown).toContain("--enable=webhook,cert-manager");
    });

  it.runIf(isInstalled("fish"))("completes in fish", async () => {
    const root = await projectWithCli("fish");
    const ask = "source ./script; complete -C 'scaffold create api --kind '";
    expect(execFileSync("fish", ["-c", ask], { cwd: root, encoding: "utf8" })).toContain("Game");
    const completed = (line: string) =>
      execFileSync("fish", ["-c", `source ./script; complete -C '${line}'`], { cwd: root, encoding: "utf8" });
    expect(completed("scaffold edit --enable=webhook,cert")).toContain("--enable=webhook,cert-manager");
    expect(completed("npx scaffold create api --kind ")).toBe("Game\n");
    expect(completed("npx other create api --kind ")).not.toContain("Game");
    expect(completed("scaffold generate paths=./ap")).toMatch(/^paths=\.\/api\//);
    expect(completed("scaffold init --license-file=hac")).toMatch(/^--license-file=hack\//);
  });

  it.runIf(isInstalled("zsh"))("loads in zsh and passes the candidates to _describe", async () => {
    const root = await projectWithCli("zsh");
    const ask = `compdef() { :; }; source ./script; words=(scaffold create api --kind ''); CURRENT=5
      _describe() { print -l -- "\${(@P)2}"; }; _scaffold`;
    expect(execFileSync("zsh", ["-fc", ask], { cwd: root, encoding: "utf8" })).toBe("Game\n");
    const byNpx = ask.replace("words=(", "words=(npx ").replace("CURRENT=5", "CURRENT=6");
    expect(execFileSync("zsh", ["-fc", byNpx], { cwd: root, encoding: "utf8" })).toBe("Game\n");
    const other = byNpx
      .replace("npx scaffold", "npx other")
      .replace("_describe()", "_default() { print usual }; _describe()");
    expect(execFileSync("zsh", ["-fc", other], { cwd: root, encoding: "utf8" })).toBe("usual\n");
  });

  it.runIf(isInstalled("zsh") && isInstalled("script"))("completes paths after = in zsh", async () => {
    const root = await projectWithCli("zsh");
    const typed = `autoload -Uz compinit; compinit -u -D; source ./script; PS1=
scaffold generate paths=./ap\t; exit 0\nexit 0\n`;
    const shown = execFileSync("script", ["-qec", "zsh -f -i", "/dev/null"], {
      cwd: root,
      encoding: "utf8",
      input: typed,
      timeout: 60_000,
    });
    expect(shown).toMatch(/paths=\.\/api/);
  });

  it.runIf(isInstalled("zsh"))("adds no space in zsh after a word that continues", async () => {
    const root = await projectWithCli("zsh");
    const ask = `compdef() { :; }; source ./script; words=(scaffold generate crd:max); CURRENT=3
      _describe() { print -rl -- "\${(@P)2}" "$@"; }; _scaffold`;
    const shown = execFileSync("zsh", ["-fc", ask], { cwd: root, encoding: "utf8" });
    expect(shown).toMatch(/^crd\\:maxDescLen=:.*\nscaffold\nopen\n-S\n\n$/);
  });
});
