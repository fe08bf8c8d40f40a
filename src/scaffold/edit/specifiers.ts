import { dirname, join } from "node:path/posix";
import { apiImport, relativeImport } from "../../project/paths.ts";
import type { Move } from "./moves.ts";

type Editor = typeof import("../code/editor.ts");

/** The suffix after the path in an import that refers to a file, and the suffix that the import itself has. */
const endings = [
  ["", ""],
  [".ts", ""],
  ["/index.ts", ""],
  [".ts", ".js"],
  [".mts", ".mjs"],
  [".tsx", ""],
] as const;

/**
 * Updates the imports in a text for moved files: each import of a project file refers to its new path.
 *
 * @param path the current path of the text
 * @param has whether the project has a file with a path
 */
export function redirectImports(
  text: string,
  path: string,
  editor: Editor,
  move: Move,
  has: (path: string) => boolean,
): string {
  const destination = move(path);
  return editor.editSource(path, text, (file) =>
    editor.replaceModules(file, (module) => redirect(module, path, destination, move, has)),
  );
}

function redirect(
  specifier: string,
  path: string,
  destination: string,
  move: Move,
  has: (path: string) => boolean,
): string | undefined {
  const isMapped = specifier.startsWith(apiImport("api/"));
  if (!isMapped && !/^\.\.?(\/|$)/.test(specifier)) return undefined;
  const named = isMapped ? specifier.slice(1) : join(dirname(path), specifier);
  for (const [real, written] of endings) {
    if (!named.endsWith(written)) continue;
    const stem = named.slice(0, named.length - written.length);
    if (!has(`${stem}${real}`)) continue;
    const moved = move(`${stem}${real}`);
    const target = `${moved.slice(0, moved.length - real.length)}${written}`;
    return isMapped ? apiImport(target) : relativeImport(destination, target);
  }
  return undefined;
}
