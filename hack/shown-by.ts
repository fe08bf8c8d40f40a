import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./lib/run.mjs";

/**
 * Returns the mistake in the name of a test, `path` from the top of the repository or `path › part of the title`; undefined if
 * it is there. The title may stand in what the file imports from its own folder, or in what that does.
 */
export function testProblem(name: string): string | undefined {
  const [path = "", title = ""] = name.split(" › ");
  if (!path.endsWith(".test.ts")) return `${path} isn't a test`;
  if (!existsSync(join(root, path))) return `there is no ${path}`;
  return [...textsFrom(join(root, path))].some((text) => text.includes(title))
    ? undefined
    : `${path} has no test "${title}"`;
}

/** A file and what it imports from beside it, each once. Tests also hold the text of programs, whose imports lead nowhere. */
function* textsFrom(path: string, seen = new Set<string>()): Generator<string> {
  if (seen.has(path) || !existsSync(path)) return;
  seen.add(path);
  const text = readFileSync(path, "utf8");
  yield text;
  for (const [, name = ""] of text.matchAll(/ from "\.\/([\w-]+\.ts)"/g))
    yield* textsFrom(join(dirname(path), name), seen);
}
