import { resolve } from "node:path";
import { execa } from "execa";
import { BaselineError, type BaselineFile } from "./baseline-file.ts";

/** A git that may be run. */
export interface GitProgram {
  /** Absolute. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Configuration of a repository can name programs that git runs. Reading commits needs none of them. */
const withoutPrograms = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.sshCommand=false",
  "core.gitProxy=false",
  "credential.helper=",
  // A bare repository in a directory of the checkout would bring its own configuration.
  "safe.bareRepository=explicit",
].flatMap((setting) => ["-c", setting]);

/** Objects that a partial clone lacks aren't fetched: fetching runs the program that its remote names. */
const offline = {
  LC_ALL: "C",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_TERMINAL_PROMPT: "0",
};

/**
 * The YAML files of a directory at a git revision. Runs nothing that the repository's configuration names.
 *
 * @param directory relative to `cwd`, with `/`; it may be gone by now
 * @throws BaselineError if this is no repository or there is no such revision
 */
export async function gitFiles(
  program: GitProgram,
  revision: string,
  { cwd, directory }: { readonly cwd: string; readonly directory: string },
): Promise<BaselineFile[]> {
  const git = gitIn(program, cwd);
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

/** Runs git; undefined if it refuses. */
function gitIn({ path, env }: GitProgram, cwd: string): (args: readonly string[]) => Promise<string | undefined> {
  return async (args) => {
    const { failed, exitCode, stdout } = await execa(path, [...withoutPrograms, ...args], {
      cwd,
      reject: false,
      stripFinalNewline: false,
      env: { ...env, ...offline },
      extendEnv: false,
    });
    return failed || exitCode !== 0 ? undefined : stdout;
  };
}
