import { posix } from "node:path";
import { compareVersions } from "../../kubernetes/version-priority.ts";
import { sameResource, versionsOf } from "../../project/entries.ts";
import { apiDirectory, samplePath, typesFile } from "../../project/paths.ts";
import type { Project, ProjectResource } from "../../project/project-file.ts";
import type { Resource } from "../../project/resource.ts";
import { escapePattern } from "../../regex/escape.ts";
import type { Tree } from "../files/tree.ts";
import { isStorageVersion, markStorageVersion, unmarkStorageVersion } from "../text/storage-version.ts";
import { originOf } from "./origin.ts";

/** The files of a new version, copied from those of the newest one. */
export interface VersionCopy {
  /** The version that was copied. */
  readonly of: string;
  readonly types: string;
  /** `undefined` if the copied version has no sample with its own API version. */
  readonly sample: string | undefined;
}

/**
 * Copies the newest other version of a kind. Objects of a version with fewer fields would lose the others as soon as a client
 * writes them.
 *
 * @param tree - the files to copy
 * @param project - the project
 * @param resource - the new version
 * @returns the texts; `undefined` if the kind has no other version, or its declaration isn't found
 */
export function copyNewestVersion(tree: Tree, project: Project, resource: Resource): VersionCopy | undefined {
  const newest = newestOther(project, resource);
  if (newest === undefined) return undefined;
  const source = { ...resource, version: newest.version };
  const text = tree.readText(typesFile(source, project));
  const copied = text === undefined ? undefined : copyTypes(text, resource, source, project);
  if (copied === undefined) return undefined;
  const before = tree.readText(typesFile(resource, project));
  const isStored = before !== undefined && isStorageVersion(before, resource.typeName);
  return {
    of: newest.version,
    types: isStored ? (markStorageVersion(copied, resource.typeName) ?? copied) : copied,
    sample: copySample(tree.readText(samplePath(source)), resource, source),
  };
}

/** Returns the version of a kind with the highest priority, without the given one. */
export function newestOther(project: Project, resource: Resource): ProjectResource | undefined {
  const others = versionsOf(project, resource).filter((entry) => !sameResource(entry, resource));
  return others.sort((a, b) => compareVersions(a.version, b.version))[0];
}

function copyTypes(text: string, to: Resource, from: Resource, project: Project): string | undefined {
  if (!declares(text, to.typeName)) return undefined;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const others = [...text.matchAll(/^export const (\w+)\b[^\n]*\bGroupVersion\.kind\b/gm)].map(([, name = ""]) => name);
  let lines = unmarkStorageVersion(text, to.typeName).split(eol);
  for (const kind of others.filter((name) => name !== to.typeName)) {
    for (const name of [kind, `${kind}List`]) lines = withoutDeclarations(lines, name);
  }
  const ofVersion = /^\s*(\/\/|\*)\s*\+kubebuilder:(?:deprecatedversion|unservedversion)\b/;
  const kept = lines.filter((line) => !ofVersion.test(line) && originOf(line) === undefined);
  const directories = { from: apiDirectory(from, project), to: apiDirectory(to, project) };
  return redirectImports(kept.join(eol), directories);
}

/** Whether a types file declares a kind in the scaffolded form. */
function declares(text: string, kind: string): boolean {
  return (
    new RegExp(`^export (?:interface|type) ${kind}\\b`, "m").test(text) &&
    new RegExp(`^export const ${kind}\\b[^\\n]*\\bGroupVersion\\.kind\\b`, "m").test(text)
  );
}

/** Removes the declarations of a name, with the comments above them. Another kind of the file has no such version. */
function withoutDeclarations(lines: readonly string[], name: string): string[] {
  const declaration = new RegExp(`^export (?:interface|type|const) ${name}\\b`);
  const kept: string[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (!declaration.test(line)) {
      kept.push(line);
      continue;
    }
    while (/^\s*(\/\/|\/\*|\*|$)/.test(kept.at(-1) ?? "x")) kept.pop();
    kept.push("");
    // A block ends at the first line that begins with its closing bracket.
    const isBlock = /[{(<[]\s*$/.test(line);
    while (isBlock && index < lines.length - 1 && !/^[})>\]]/.test(lines[index] ?? "")) index++;
    while (lines[index + 1] === "") index++;
  }
  return kept;
}

/**
 * Redirects the relative imports of a file that was copied to the directory of another version: only the group and version have
 * the same name there.
 */
function redirectImports(text: string, { from, to }: { readonly from: string; readonly to: string }): string {
  return text.replace(/(\bfrom\s*|\bimport\s*(?:\(\s*)?)(["'])(\.[^"'\n]*)\2/g, (whole, begin, quote, path) => {
    if (/^\.\/groupversion-info(?:\.[jt]s)?$/.test(path)) return whole;
    const target = posix.relative(to, posix.join(from, path));
    return `${begin}${quote}${target.startsWith(".") ? target : `./${target}`}${quote}`;
  });
}

function copySample(text: string | undefined, to: Resource, from: Resource): string | undefined {
  const line = new RegExp(
    `^(apiVersion:[ \\t]*["']?${escapePattern(from.qualifiedGroup)}/)${escapePattern(from.version)}(["']?[ \\t]*\\r?)$`,
    "gm",
  );
  if (text === undefined || !line.test(text)) return undefined;
  const copied = text.replace(line, `$1${to.version}$2`);
  return copied
    .split("\n")
    .filter((one) => originOf(one) === undefined)
    .join("\n");
}
