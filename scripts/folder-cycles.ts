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

/** Returns the imports of a shortest cycle, empty if there is none. */
export function shortestCycle(graph: FolderGraph): string[] {
  let shortest: string[] = [];
  for (const start of graph.keys()) {
    const path = pathBetween(graph, start, start);
    if (path.length > 0 && (shortest.length === 0 || path.length < shortest.length)) shortest = path;
  }
  return shortest;
}

/** Returns the imports of a shortest path with at least one import. */
function pathBetween(graph: FolderGraph, from: string, to: string): string[] {
  const reached = new Map<string, string[]>([[from, []]]);
  for (const [folder, path] of reached) {
    for (const [next, example] of graph.get(folder) ?? []) {
      if (next === to) return [...path, example];
      if (!reached.has(next)) reached.set(next, [...path, example]);
    }
  }
  return [];
}

/** Returns the folders that are part of a cycle, sorted. */
export function foldersInCycles(graph: FolderGraph): string[] {
  return [...graph.keys()].filter((folder) => pathBetween(graph, folder, folder).length > 0).sort();
}
