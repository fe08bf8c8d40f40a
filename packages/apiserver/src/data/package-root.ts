import { existsSync } from "node:fs";

let root: URL | undefined;

/** Returns the directory of this package, from both the sources and the built package, with `/` at the end. */
export function packageRoot(): URL {
  if (root !== undefined) return root;
  let directory = new URL(".", import.meta.url);
  while (!existsSync(new URL("package.json", directory))) {
    const parent = new URL("..", directory);
    if (parent.href === directory.href) throw new Error("the package of the API server has no package.json");
    directory = parent;
  }
  root = directory;
  return root;
}
