import { Command } from "commander";
import { commands } from "../../src/cli/commands.ts";

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

/** Words in the generator's own grammar. */
const generatorWords = ["paths=", "crd:headerFile=", "crd:year=", "rbac:roleName=", "schemapatch:manifests=", ""];

/** Returns calls with each hostile value, for each flag with a value and each argument of each command. */
export async function hostileCalls(): Promise<HostileCall[]> {
  const calls: HostileCall[] = [];
  for (const { words, load } of commands) {
    if (words[0] === "run") continue;
    const name = words.join(" ");
    const program = new Command();
    (await load()).define(program);
    const flags = program.options
      .filter(({ flags: text, long }) => long && /[<[](?!bool)/.test(text))
      .map(({ long }) => long ?? "");
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
