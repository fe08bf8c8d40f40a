import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { BaselineError, type BaselineFile } from "./baseline-file.ts";
import { type GitProgram, gitFiles } from "./git.ts";

/** The files to compare with. */
export type Baseline = readonly BaselineFile[];

/**
 * Reads the YAML files of the baseline, which is a directory or a git revision. From a revision, and from a directory that
 * has an `output` of its own (another checkout), reads the files in `output`. From any other directory, reads all files
 * below it.
 *
 * @param output absolute path of the directory that CRDs are written to
 * @param git undefined if git isn't installed
 * @throws BaselineError
 */
export async function readBaseline(
  against: string,
  cwd: string,
  output: string,
  git: GitProgram | undefined,
): Promise<Baseline> {
  const directory = resolve(cwd, against);
  const inside = relative(cwd, output);
  if (isDirectory(directory)) {
    const same = join(directory, inside);
    const root = !inside.startsWith("..") && isDirectory(same) ? same : directory;
    const files = yamlBelow(root).map((path) => ({ path, text: readFileSync(path, "utf8") }));
    // Another checkout may have no CRDs yet. Any other directory without CRDs must fail, because every comparison would pass.
    if (
      !files.some(({ text }) => text.includes("CustomResourceDefinition")) &&
      !existsSync(join(directory, "PROJECT"))
    ) {
      throw new BaselineError(
        `--against ${against} contains no CRDs: use the directory of the CRDs, or another checkout`,
      );
    }
    return files;
  }
  if (statSync(directory, { throwIfNoEntry: false })) {
    throw new BaselineError(`--against ${against} is a file: use a directory of CRDs or a git revision`);
  }
  if (git === undefined) {
    throw new BaselineError(
      `--against ${against} is a git revision, but git isn't installed: use a directory of CRDs instead`,
    );
  }
  return gitFiles(git, against, { cwd, directory: inside.split(sep).join("/") });
}

function yamlBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory())
        return entry.name === "node_modules" || entry.name.startsWith(".") ? [] : yamlBelow(path);
      return entry.isFile() && /\.ya?ml$/.test(entry.name) ? [path] : [];
    });
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
