import { resolve } from "node:path";
import { run } from "../../programs/run.ts";
import { BaselineError, type BaselineFile } from "./baseline-file.ts";

/** The git executable and its environment. */
export interface GitProgram {
  /** Absolute path. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A repository's configuration can contain programs that git runs. Reading commits needs none of them. */
const withoutPrograms = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.sshCommand=false",
  "core.gitProxy=false",
  "credential.helper=",
  // A bare repository inside the checkout would have its own configuration.
  "safe.bareRepository=explicit",
].flatMap((setting) => ["-c", setting]);

/** Objects that a partial clone lacks aren't fetched: fetching would run the program that its remote configures. */
const offline = {
  LC_ALL: "C",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_TERMINAL_PROMPT: "0",
};

/**
 * Reads the YAML files of a directory at a git revision. Runs no programs that the repository's configuration contains.
 *
 * @param directory relative to `cwd`, with `/`; it may no longer exist
 * @throws BaselineError outside of a git repository, and for an unknown revision
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
        ? `--against ${revision}: no such directory, and this isn't a git repository`
        : `--against ${revision}: no such directory or git revision: use one that git rev-parse resolves, such as origin/main`,
    );
  }
  // `./` in front of a path makes git list names relative to the working directory.
  const listed = await git(["ls-tree", "-r", "-z", commit.trim(), "--", `${directory || "."}/`]);
  const files: BaselineFile[] = [];
  // Sequential: a commit may contain more files than processes are allowed.
  for (const entry of (listed ?? "").split("\0")) {
    const [, type, object, name] = /^\d+ (\w+) (\w+)\t(.*)$/s.exec(entry) ?? [];
    if (type !== "blob" || object === undefined || name === undefined || !/\.ya?ml$/.test(name)) continue;
    const text = await git(["cat-file", "blob", object]);
    if (text === undefined) {
      throw new BaselineError(
        `--against ${revision}: git can't read ${name}: fetch it first, for example with git show`,
      );
    }
    files.push({ path: resolve(cwd, name), text });
  }
  return files;
}

/** Runs git; undefined if it fails. */
function gitIn({ path, env }: GitProgram, cwd: string): (args: readonly string[]) => Promise<string | undefined> {
  return async (args) => {
    const { failed, stdout } = await run(path, [...withoutPrograms, ...args], { cwd, env: { ...env, ...offline } });
    return failed ? undefined : stdout;
  };
}
