import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../lib/run.mjs";

/**
 * Returns the error in the name of a test, `path` or `path › part of the title`, relative to the repository. Returns
 * undefined if the test exists. The title may also be in files of the same folder that the test imports, directly or
 * indirectly.
 */
export function testProblem(name: string): string | undefined {
  const [path = "", title = ""] = name.split(" › ");
  if (!path.endsWith(".test.ts")) return `${path} isn't a test`;
  if (!existsSync(join(root, path))) return `there is no ${path}`;
  return [...textsFrom(join(root, path))].some((text) => text.includes(title))
    ? undefined
    : `${path} has no test "${title}"`;
}

/**
 * Returns the texts of a file and of its imports from the same folder, each once. Skips imports in quoted programs, which
 * don't exist.
 */
function* textsFrom(path: string, seen = new Set<string>()): Generator<string> {
  if (seen.has(path) || !existsSync(path)) return;
  seen.add(path);
  const text = readFileSync(path, "utf8");
  yield text;
  for (const [, name = ""] of text.matchAll(/ from "\.\/([\w-]+\.ts)"/g))
    yield* textsFrom(join(dirname(path), name), seen);
}
