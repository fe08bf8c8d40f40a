import { readFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";

/** The files of a type check. */
export interface CheckedFiles {
  /** Whether the program reaches a file. Its path is relative to the project. */
  isReached(file: string): boolean;
  /** Declarations that no file imports, so that they apply to all: absolute paths. */
  readonly ambient: readonly string[];
}

/** The state that the compiler keeps, as far as it is read. Numbers are indexes that begin with 1. */
interface BuildInfo {
  readonly fileNames?: readonly string[];
  readonly fileIdsList?: readonly (readonly number[])[];
  /** Pairs: a file, and the list of those that it imports, also for types only. */
  readonly referencedMap?: readonly (readonly [number, number])[];
}

/**
 * Reads the compiler's graph of the imports, which contains those of types, too. The graph of the bundle doesn't.
 *
 * @param state - path of the compiler's state
 * @param root - the project
 * @param entries - files where the program begins, as absolute paths
 * @returns the files; `undefined` if the compiler has written no graph
 */
export function checkedFiles(state: string, root: string, entries: readonly string[]): CheckedFiles | undefined {
  const info = readInfo(state);
  if (!info?.fileNames || !info.fileIdsList || !info.referencedMap) return undefined;
  // Libraries of the compiler have only a name, such as lib.es2023.d.ts. Other names are paths.
  const isPath = (name: string) => /^\.\.?\/|^\/|^[a-z]:/i.test(name);
  const paths = info.fileNames.map((name) => (isPath(name) ? resolve(dirname(state), name) : ""));
  const lists = info.fileIdsList;
  const imports = new Map(info.referencedMap.map(([file, list]) => [file, lists[list - 1] ?? []]));
  const ids = new Map(paths.map((path, index) => [path, index + 1]));
  const reached = new Set(entries.flatMap((path) => ids.get(path) ?? []));
  for (const file of reached) for (const imported of imports.get(file) ?? []) reached.add(imported);
  const imported = new Set([...imports.values()].flat());
  const isOwn = (path: string) => path.startsWith(root + sep) && !path.includes(`${sep}node_modules${sep}`);
  const isAmbient = (path: string, id: number) =>
    /\.d\.[cm]?ts$/.test(path) && isOwn(path) && !reached.has(id) && !imported.has(id);
  const bundled = new Set(entries.map((path) => relative(root, path)));
  return {
    isReached: (file) => bundled.has(file) || reached.has(ids.get(resolve(root, file)) ?? 0),
    ambient: paths.filter((path, index) => isAmbient(path, index + 1)),
  };
}

function readInfo(state: string): BuildInfo | undefined {
  try {
    const info = JSON.parse(readFileSync(state, "utf8")) as BuildInfo & { readonly program?: BuildInfo };
    // TypeScript before 5.6 has one more level.
    return info.program ?? info;
  } catch {
    return undefined;
  }
}
