import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import systemPaths, { join, type PlatformPath } from "node:path";
import { ProblemError } from "../../project/problem-error.ts";

/**
 * Splits a project path such as `api/v1/game-types.ts`. Returns undefined for a path that leads out of the project. On
 * Windows, backslashes are separators too, and a colon denotes another drive or stream.
 */
export function partsInside(path: string, paths: PlatformPath = systemPaths): readonly string[] | undefined {
  const parts = path.split("/");
  if (paths.isAbsolute(path) || parts.some((part) => part === "" || part === "." || part === "..")) return undefined;
  return paths.sep !== "/" && /[\\:]/.test(path) ? undefined : parts;
}

/** Whether an absolute path is outside of a directory, for example on another drive. */
export function liesOutside(directory: string, path: string, paths: PlatformPath = systemPaths): boolean {
  const way = paths.relative(directory, paths.resolve(path));
  return way === ".." || way.startsWith(`..${paths.sep}`) || paths.isAbsolute(way);
}

/**
 * Returns the absolute path of a project path, links resolved. Rejects paths that leave the project (`..`, absolute paths,
 * links), broken links, and files in place of directories.
 *
 * @param root the project's directory, links resolved
 * @param path relative to it, with `/`
 */
export function insidePath(root: string, path: string): string {
  const parts = partsInside(path);
  if (parts === undefined) {
    throw new ProblemError("outside-project", `${path} isn't a path inside the project`);
  }
  let current = root;
  for (const [index, part] of parts.entries()) {
    current = join(current, part);
    const kind = kindOf(current);
    if (kind === "missing") return join(current, ...parts.slice(index + 1));
    if (kind === "link") current = resolveLink(root, current, parts.slice(0, index + 1).join("/"));
    const last = index === parts.length - 1;
    const now = kindOf(current);
    if (!last && now !== "directory") {
      throw new ProblemError(
        "not-a-directory",
        `${path} can't be used: ${parts.slice(0, index + 1).join("/")} is a file`,
      );
    }
    if (last && now !== "file" && now !== "missing") {
      throw new ProblemError("not-a-file", `${path} can't be used: there is a ${now} of that name`);
    }
  }
  return current;
}

type Kind = "missing" | "link" | "directory" | "file" | "device";

function kindOf(path: string): Kind {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return "missing";
  if (stat.isSymbolicLink()) return "link";
  if (stat.isDirectory()) return "directory";
  return stat.isFile() ? "file" : "device";
}

function resolveLink(root: string, link: string, shown: string): string {
  let target: string;
  try {
    target = realpathSync(link);
  } catch (error) {
    const what =
      (error as NodeJS.ErrnoException).code === "ELOOP" ? "a link that leads back to itself" : "a link to nothing";
    throw new ProblemError("dangling-link", `${shown} is ${what} (${readlinkSync(link)})`);
  }
  if (liesOutside(root, target)) {
    throw new ProblemError("outside-project", `${shown} is a link that leaves the project (to ${target})`);
  }
  return target;
}
