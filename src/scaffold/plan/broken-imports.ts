import { dirname, join } from "node:path/posix";
import { plannedTree } from "../files/memory-tree.ts";
import type { Plan } from "../files/operation.ts";
import { projectFiles } from "../files/project-files.ts";
import type { Tree } from "../files/tree.ts";

const importStatement = /^(?:import|export)\s((?:(?!^(?:import|export)\s)[^"';])*?)from\s*["']([^"']+)["']/gm;
const exported =
  /^export (?:declare )?(?:abstract )?(?:interface|type|class|const|enum|function|async function) (\w+)/gm;

/** A remaining file, and its import of something that is removed. */
export interface BrokenImport {
  readonly file: string;
  /** The imported names, or the path if the whole file is removed. */
  readonly what: string;
}

/** Finds the files of a project that import what a plan removes, so that they would no longer compile. */
export function brokenImports(tree: Tree, plan: Plan): BrokenImport[] {
  const gone = new Set(plan.operations.flatMap(({ op, path }) => (op === "delete" ? [path] : [])));
  const after = plannedTree(tree, plan);
  const sources = projectFiles(tree.root).filter((path) => /\.[cm]?ts$/.test(path) && !gone.has(path));
  return sources.flatMap((file) => {
    const text = after.readText(file) ?? "";
    const what = [...text.matchAll(importStatement)].flatMap(([, clause = "", specifier = ""]) => {
      const target = pathOf(file, specifier);
      if (target === undefined) return [];
      if (gone.has(target)) return [target];
      const lost = lostExports(tree, after, target, gone);
      return namesIn(clause).filter((name) => lost.has(name));
    });
    return what.length === 0 ? [] : [{ file, what: [...new Set(what)].join(", ") }];
  });
}

/** Returns the project file that an import refers to, or undefined. */
function pathOf(importer: string, specifier: string): string | undefined {
  if (specifier.startsWith("#api/")) return specifier.slice(1);
  return /^\.\.?\//.test(specifier) ? join(dirname(importer), specifier) : undefined;
}

/** Returns the names that a file re-exported from removed files. */
function lostExports(before: Tree, after: Tree, file: string, gone: ReadonlySet<string>): Set<string> {
  const reexported = (tree: Tree) =>
    [...(tree.readText(file) ?? "").matchAll(/^export \* from ["']([^"']+)["']/gm)].map(([, specifier = ""]) =>
      pathOf(file, specifier),
    );
  const left = new Set(reexported(after));
  const lost = reexported(before).filter((path) => path !== undefined && gone.has(path) && !left.has(path));
  return new Set(
    lost.flatMap((path) => [...(before.readText(path ?? "") ?? "").matchAll(exported)].map(([, name = ""]) => name)),
  );
}

/** Returns the names that an import clause refers to: `{ type Game, Chess as Other }` → Game, Chess. */
function namesIn(clause: string): string[] {
  const [, list = ""] = /\{([^{}]*)\}/.exec(clause) ?? [];
  return list.split(",").flatMap((part) => /^\s*(?:type\s+)?(\w+)/.exec(part)?.[1] ?? []);
}
