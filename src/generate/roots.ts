import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Packages } from "./packages/collect.ts";
import type { ApiPackage } from "./packages/nodes.ts";
import type { GenerateRequest } from "./request.ts";
import { general } from "./run.ts";
import type { Files } from "./source/files.ts";
import type { Sources } from "./source/sources.ts";

/** The directories of the packages that `paths=` names. Without `paths=` it is the working directory. */
export function findRoots(
  request: GenerateRequest,
  files: Files,
  report: (diagnostic: Diagnostic) => void,
): readonly string[] {
  const { paths } = request.config;
  const found = files.findPackages(paths.length === 0 ? ["."] : paths, request.cwd);
  for (const pattern of found.missing) {
    // Go's habit: a directory is one package, and what lies below it is others.
    const below = `${pattern.replace(/\/$/, "")}/...`;
    const hasPackages = !pattern.endsWith("...") && files.findPackages([below], request.cwd).directories.length > 0;
    const hint = hasPackages ? `paths=${below} takes the directories below it` : undefined;
    report(general("no-such-path", `paths=${pattern}: there is no such directory, or no TypeScript in it`, hint));
  }
  for (const { directory, reason } of found.unreadable) {
    const message = `the directory is left out, because it can't be listed: ${reason}`;
    const hint = "rename it, check its permissions, or give paths= without it";
    report({ id: "unlisted-directory", severity: "warning", message, file: directory, line: 0, column: 0, hint });
  }
  return found.directories;
}

/** Reads these packages, all their markers included. */
export function loadRoots(directories: readonly string[], packages: Packages, sources: Sources): ApiPackage[] {
  sources.prepare(directories);
  const roots = directories.map((directory) => packages.load(directory));
  for (const root of roots) packages.readAll(root);
  return roots;
}
