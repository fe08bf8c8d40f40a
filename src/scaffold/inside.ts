import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { ScaffoldError } from "./scaffold-error.ts";

/**
 * The absolute path that a project path stands for, links resolved. Refuses what leaves the project (`..`, an absolute
 * path, a link to elsewhere), a link to nothing, and a file where a directory has to be.
 *
 * @param root the project's directory, links resolved
 * @param path relative to it, with `/`
 */
export function insidePath(root: string, path: string): string {
  const parts = path.split("/");
  if (path === "" || isAbsolute(path) || parts.some((part) => part === "" || part === "." || part === "..")) {
    throw new ScaffoldError("outside-project", `${path} is no path inside of the project`);
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
      throw new ScaffoldError(
        "not-a-directory",
        `${path} can't be used: ${parts.slice(0, index + 1).join("/")} is a file`,
      );
    }
    if (last && now !== "file" && now !== "missing") {
      throw new ScaffoldError("not-a-file", `${path} can't be used: there is a ${now} of that name`);
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
    throw new ScaffoldError("dangling-link", `${shown} is ${what} (${readlinkSync(link)})`);
  }
  const way = relative(root, resolve(target));
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    throw new ScaffoldError("outside-project", `${shown} is a link that leaves the project (to ${target})`);
  }
  return target;
}
