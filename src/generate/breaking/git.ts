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
  const listed = await git(["ls-tree", "-r", "-z", commit.trim(), "--", `${directory || "."}/`]);
  const files: BaselineFile[] = [];
  // One after the other: a commit may list more files than there may be processes.
  for (const entry of (listed ?? "").split("\0")) {
    const [, type, object, name] = /^\d+ (\w+) (\w+)\t(.*)$/s.exec(entry) ?? [];
    if (type !== "blob" || object === undefined || name === undefined || !/\.ya?ml$/.test(name)) continue;
    const text = await git(["cat-file", "blob", object]);
    if (text === undefined) {
      throw new BaselineError(`--against ${revision}: git can't read ${name} there: fetch it first, as with git show`);
    }
    files.push({ path: resolve(cwd, name), text });
  }
  return files;
}

/**
 * A checkout's own configuration may name programs that fetch what a partial clone lacks, and that ask for passwords. A comparison
 * needs neither.
 */
const offline = ["-c", "protocol.allow=never", "-c", "core.fsmonitor=false"];

/** Runs git; undefined if it refuses. */
function gitIn(cwd: string): (args: readonly string[]) => Promise<string | undefined> {
  return async (args) => {
    const { failed, exitCode, stdout, code } = await execa("git", [...offline, ...args], {
      cwd,
      reject: false,
      stripFinalNewline: false,
      env: { LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0" },
    });
    if (code === "ENOENT") {
      throw new BaselineError(
        "--against a git revision needs git, which isn't installed: give a directory of CRDs instead",
      );
    }
    return failed || exitCode !== 0 ? undefined : stdout;
  };
}
