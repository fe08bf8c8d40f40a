import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Packages } from "./packages/collect.ts";
import type { ApiPackage } from "./packages/nodes.ts";
import type { GenerateRequest } from "./request.ts";
import { general } from "./run.ts";
import type { Files } from "./source/files.ts";
import type { Sources } from "./source/sources.ts";

/** Returns the directories of the packages in `paths=`; by default the working directory. */
export function findRoots(
  request: GenerateRequest,
  files: Files,
  report: (diagnostic: Diagnostic) => void,
): readonly string[] {
  const { paths } = request.config;
  const found = files.findPackages(paths.length === 0 ? ["."] : paths, request.cwd);
  for (const pattern of found.missing) {
    // As in Go, a directory is one package, and its subdirectories are others.
    const below = `${pattern.replace(/\/$/, "")}/...`;
    const hasPackages = !pattern.endsWith("...") && files.findPackages([below], request.cwd).directories.length > 0;
    const hint = hasPackages ? `use paths=${below} to include subdirectories` : undefined;
    report(general("no-such-path", `paths=${pattern}: no such directory, or no TypeScript files in it`, hint));
  }
  for (const { directory, reason } of found.unreadable) {
    const message = `skipped the directory, because it can't be listed: ${reason}`;
    const hint = "rename it, check its permissions, or use paths= without it";
    report({ id: "unlisted-directory", severity: "warning", message, file: directory, line: 0, column: 0, hint });
  }
  return found.directories;
}

/** Reads packages with all of their markers. */
export function loadRoots(directories: readonly string[], packages: Packages, sources: Sources): ApiPackage[] {
  sources.prepare(directories);
  const roots = directories.map((directory) => packages.load(directory));
  for (const root of roots) packages.readAll(root);
  return roots;
}
