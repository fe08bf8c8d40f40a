import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { VersionKind } from "../upgrade/version.ts";
import { cacheOf } from "./cache.ts";
import { installPackages } from "./install-packages.ts";
import { UsageProblem } from "./usage-problem.ts";

/** An old version that was found. */
export interface ResolvedVersion {
  readonly name: string;
  readonly kind: Exclude<VersionKind, "function">;
  readonly commit?: string;
  /** The directory with its files. */
  readonly directory: string;
  /** The file or directory with its CRDs. By default, those of its simulation. */
  readonly crds?: string;
  /** The directory in whose `node_modules` its own packages are. By default, it uses those of the project. */
  readonly packages?: string;
}

const run = promisify(execFile);

/**
 * Finds old versions. A directory that exists takes precedence over a revision with its name.
 *
 * @param names - directories and revisions, oldest first
 * @param crds - for each of them, the file or directory with its CRDs
 * @param root - the directory of the project
 * @param install - whether to install the packages of their lock files
 * @throws UsageProblem if one isn't found, or its packages can't be installed
 */
export async function resolveVersions(
  names: readonly string[],
  crds: readonly string[],
  root: string,
  install = false,
): Promise<ResolvedVersion[]> {
  if (crds.length > 0 && crds.length !== names.length) {
    throw new UsageProblem(
      `--from-crds: ${crds.length} paths for ${names.length} old versions`,
      "list a path for each version of --from, in the same order",
    );
  }
  const versions: ResolvedVersion[] = [];
  for (const [index, name] of names.entries()) {
    const resolvedVersion = isDirectory(resolve(root, name)) ? ofDirectory(name, root) : await ofRevision(name, root);
    const path = crds[index];
    if (path !== undefined && !existsSync(resolve(root, path))) {
      throw new UsageProblem(`--from-crds ${path}: no such file or directory`);
    }
    if (resolvedVersion.kind === "bundle" && path === undefined) {
      throw new UsageProblem(
        `--from ${name}: a bundle contains no CRDs`,
        "set --from-crds to the file or directory with its CRDs, such as install-1.2.0.yaml",
      );
    }
    const packages =
      install && resolvedVersion.kind !== "bundle"
        ? await installPackages(resolvedVersion.name, resolvedVersion.directory, root)
        : undefined;
    versions.push({
      ...resolvedVersion,
      ...(path === undefined ? {} : { crds: resolve(root, path) }),
      ...(packages === undefined ? {} : { packages }),
    });
  }
  return versions;
}

function ofDirectory(name: string, root: string): ResolvedVersion {
  const directory = resolve(root, name);
  if (existsSync(join(directory, "package.json")) && existsSync(join(directory, "src"))) {
    return { name: basename(directory), kind: "project", directory };
  }
  if (existsSync(join(directory, "main.js"))) return { name: basename(directory), kind: "bundle", directory };
  throw new UsageProblem(
    `--from ${name}: the directory contains neither a project nor main.js`,
    "pass the directory of a project with package.json and src, or one with a bundle, such as /app of an image",
  );
}

async function ofRevision(name: string, root: string): Promise<ResolvedVersion> {
  const git = async (...parameters: string[]): Promise<string> =>
    (await run("git", parameters, { cwd: root })).stdout.trim();
  let commit: string;
  try {
    commit = await git("rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`);
  } catch {
    throw new UsageProblem(
      `--from ${name}: no directory and no revision of this repository has this name`,
      "fetch the tags and the history: git fetch --tags --unshallow, or fetch-depth: 0 in actions/checkout",
    );
  }
  const directory = join(cacheOf(root), commit);
  if (!existsSync(directory)) await extract(`${commit}:${await git("rev-parse", "--show-prefix")}`, directory, root);
  return { name, kind: "revision", commit, directory };
}

/** Extracts a tree of the repository, without changes to its index and its work trees. */
async function extract(tree: string, directory: string, root: string): Promise<void> {
  const partial = `${directory}-${randomUUID()}`;
  const archive = `${partial}.tar`;
  mkdirSync(partial, { recursive: true });
  try {
    await run("git", ["archive", "--format=tar", `--output=${archive}`, tree], { cwd: root });
    const { extract: unpack } = await import("tar/extract");
    await unpack({ file: archive, cwd: partial });
    // Another process can have extracted the same revision meanwhile.
    if (!existsSync(directory)) renameSync(partial, directory);
  } finally {
    rmSync(archive, { force: true });
    rmSync(partial, { recursive: true, force: true });
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
