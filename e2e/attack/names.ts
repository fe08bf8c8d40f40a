import { tmpdir } from "node:os";
import { scaffold } from "../../scripts/test-support/scaffold.ts";

/**
 * Values that lead out of a project, or that an operating system interprets specially. `BASE` is the directory around the
 * project.
 */
export const hostileValues: readonly string[] = [
  "..",
  ".",
  "../x",
  "../../secret.txt",
  "a/../../x",
  "./../x",
  "BASE/secret.txt",
  "/etc/passwd",
  "//etc/passwd",
  "~",
  "~/x",
  "..\\x",
  "a\\..\\..\\x",
  "C:\\x",
  "C:x",
  "\\\\server\\share\\x",
  "\\\\?\\C:\\x",
  "con",
  "NUL",
  "aux.txt",
  "lpt1",
  "x.",
  "x ",
  " x",
  "x:stream",
  "\u2025/x",
  "\uff0e\uff0e\uff0fx",
  "e\u0301",
  "\u202ex",
  "x\ny",
  "x\ry",
  "\u001b[31mx",
  "%2e%2e%2fx",
  "file:///etc/passwd",
  "-x",
  "--force",
  "--kubeconfig=x",
  "$(touch BASE/x)",
  "`touch BASE/x`",
  "x;touch BASE/x",
  "'\"",
  "*",
  "__proto__",
  "constructor",
  ".git/hooks/pre-commit",
  "node_modules",
  "x".repeat(300),
  "a/".repeat(3000),
  "v1".repeat(50_000),
];

/** A command line with one hostile value. */
export interface HostileCall {
  readonly args: readonly string[];
  readonly value: string;
}

const named = ["--group", "shop", "--version", "v1", "--kind"];
const usual: Readonly<Record<string, readonly string[]>> = {
  init: ["--fetch-deps=false"],
  "create api": [...named, "Chess"],
  "create webhook": [...named, "Game", "--programmatic-validation"],
  "delete api": [...named, "Game"],
  "delete webhook": [...named, "Game", "--defaulting"],
  migrate: ["../beside", "--fetch-deps=false"],
  generate: ["crd", "paths=./..."],
};

/** Arguments in the generator's own grammar. */
const generatorWords = ["paths=", "crd:headerFile=", "crd:year=", "rbac:roleName=", "schemapatch:manifests=", ""];

/** Returns calls with each hostile value, for each flag with a value and each argument of each command. */
export async function hostileCalls(): Promise<HostileCall[]> {
  const calls: HostileCall[] = [];
  for (const name of await commandNames()) {
    const words = name.split(" ");
    if (name === "run") continue;
    const flags = await flagsWithValues(words);
    const others = (flag: string) => {
      const at = (usual[name] ?? []).indexOf(flag);
      return at < 0 ? (usual[name] ?? []) : (usual[name] ?? []).toSpliced(at, 2);
    };
    for (const value of hostileValues) {
      for (const flag of flags) calls.push({ args: [...words, ...others(flag), `${flag}=${value}`], value });
      if (name === "generate") {
        for (const word of generatorWords)
          calls.push({ args: [...words, "crd", `${word}${value}`, "output:dir=out"], value });
      } else calls.push({ args: [...words, value, ...(usual[name] ?? [])], value });
    }
  }
  return calls;
}

/** Returns the lines of a command's help that begin with a name: those with two spaces before it. */
async function helpOf(...args: string[]): Promise<string[]> {
  const { stdout } = await scaffold(tmpdir(), ...args, "--help");
  return stdout.split("\n").filter((line) => /^ {2}\S/.test(line));
}

/** Returns all commands but `help`, which has no flags of its own. */
async function commandNames(): Promise<string[]> {
  const names = (await helpOf()).map((line) => line.trim().split(/ {2,}/)[0] ?? "");
  return names.filter((name) => /^[a-z\d-]+( [a-z-]+)*$/.test(name) && !name.startsWith("-") && name !== "help");
}

/** Returns the long names of a command's flags with any value; `[bool]` allows only two. */
async function flagsWithValues(words: readonly string[]): Promise<string[]> {
  const flags = (await helpOf(...words)).map((line) => line.trim().split(/ {2,}/)[0] ?? "");
  return flags.flatMap((text) => /(--[\w-]+)(?= [<[](?!bool))/.exec(text)?.[1] ?? []);
}
