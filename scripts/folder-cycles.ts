// Computes which folders import which, and finds cycles of folders.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** For each folder, the folders that its files import, each with one of these imports. */
export type FolderGraph = ReadonlyMap<string, ReadonlyMap<string, string>>;

const test = /\.(test|fixture)\.tsx?$|\.d\.ts$|(^|\/)(testdata|test-support|node_modules)\//;
const imports =
  /(?:^|\n)\s*(?:import|export)\b[^;"]*?from\s+"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)|(?:^|\n)import "(\.[^"]+)"/g;

/**
 * Reads the imports below a directory, those of types and those on demand included. Tests aren't read.
 *
 * @param root - the directory
 * @param depth - number of levels: folders below belong to the last one; by default, each folder is its own
 */
export function folderGraph(root: string, depth = Number.POSITIVE_INFINITY): FolderGraph {
  const all = readdirSync(root, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/"));
  const files = new Set(all.filter((path) => /\.tsx?$/.test(path) && !test.test(path)));
  const folderOf = (path: string): string => dirname(path).split("/").slice(0, depth).join("/");
  const graph = new Map<string, Map<string, string>>();
  for (const file of files) {
    for (const [, ...paths] of readFileSync(join(root, file), "utf8").matchAll(imports)) {
      const target = normalize(join(dirname(file), paths.find(Boolean) ?? "")).replaceAll("\\", "/");
      const [from, to] = [folderOf(file), folderOf(target)];
      if (!files.has(target) || from === to) continue;
      const targets = graph.get(from) ?? new Map<string, string>();
      graph.set(from, targets.has(to) ? targets : targets.set(to, `${file} imports ${target}`));
    }
  }
  return graph;
}

/**
 * Returns the folders that one imports, directly or through others, each with the imports of a shortest path. It contains the
 * folder itself only in a cycle.
 */
export function reachedFrom(graph: FolderGraph, start: string): ReadonlyMap<string, readonly string[]> {
  const reached = new Map<string, readonly string[]>();
  const visit = (folder: string, path: readonly string[]): void => {
    for (const [next, example] of graph.get(folder) ?? []) {
      if (!reached.has(next)) reached.set(next, [...path, example]);
    }
  };
  visit(start, []);
  for (const [folder, path] of reached) visit(folder, path);
  return reached;
}

/** Returns the imports of a shortest cycle; an empty list without a cycle. */
export function shortestCycle(graph: FolderGraph): readonly string[] {
  const cycles = [...graph.keys()].flatMap((folder) => {
    const cycle = reachedFrom(graph, folder).get(folder);
    return cycle === undefined ? [] : [cycle];
  });
  return cycles.sort((a, b) => a.length - b.length)[0] ?? [];
}
