import { resolve } from "node:path";
import { execa } from "execa";
import { BaselineError, type BaselineFile } from "./baseline-file.ts";

/**
 * The YAML files of a directory at a git revision.
 *
 * @param directory relative to `cwd`, with `/`; it may be gone by now
 * @throws BaselineError where there is no git, no repository or no such revision
 */
export async function gitFiles(revision: string, cwd: string, directory: string): Promise<BaselineFile[]> {
  const git = gitIn(cwd);
  const commit = await git(["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`]);
  if (commit === undefined) {
    const inside = await git(["rev-parse", "--is-inside-work-tree"]);
    throw new BaselineError(
      inside === undefined
        ? `--against ${revision} is no directory, and this is no git repository`
        : `--against ${revision} is neither a directory nor a git revision: give one that git rev-parse knows, such as origin/main`,
    );
  }
  // Names come relative to the working directory, as `./` in front of a path asks for them.
  const names = await git(["ls-tree", "-r", "-z", "--name-only", commit.trim(), "--", `${directory || "."}/`]);
  const yaml = (names ?? "").split("\0").filter((name) => /\.ya?ml$/.test(name));
  const texts = await Promise.all(yaml.map((name) => git(["show", `${commit.trim()}:./${name}`])));
  return yaml.map((name, index) => ({ path: resolve(cwd, name), text: texts[index] ?? "" }));
}

/** Runs git; undefined if it refuses. */
function gitIn(cwd: string): (args: readonly string[]) => Promise<string | undefined> {
  return async (args) => {
    const { failed, exitCode, stdout, code } = await execa("git", args, {
      cwd,
      reject: false,
      stripFinalNewline: false,
      env: { LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" },
    });
    if (code === "ENOENT") {
      throw new BaselineError(
        "--against a git revision needs git, which isn't installed: give a directory of CRDs instead",
      );
    }
    return failed || exitCode !== 0 ? undefined : stdout;
  };
}
