import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the options and flags of the generator in the Makefile of a project; none without a call in its `manifests` target. */
export function makefileOptions(root: string): string[] {
  return manifestsOptions(readMakefile(root));
}

/**
 * Returns the options of the call of `scaffold generate` in the `manifests` target, without make's variables. Without such a call
 * there are none, and `scaffold generate` uses the project's defaults.
 */
export function manifestsOptions(makefile: string): string[] {
  const lines = makefile.replace(/\\\r?\n\t?/g, " ").split(/\r?\n/);
  const start = lines.findIndex((line) => /^manifests\s*:(?!=)/.test(line));
  const recipe = start < 0 ? [] : lines.slice(start + 1);
  const end = recipe.findIndex((line) => !/^(\t|\s*$|#)/.test(line));
  const calls = recipe
    .slice(0, end < 0 ? undefined : end)
    .map((line) => /\bscaffold\s+generate\s+(.*)$/.exec(line)?.[1]);
  const call = calls.find((each) => each !== undefined)?.replace(/\s*(&&|\|\||;|\s#).*$/, "");
  const words = call?.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.filter((word) => !word.includes("$")).map((word) => word.replace(/["']/g, ""));
}

function readMakefile(root: string): string {
  try {
    return readFileSync(join(root, "Makefile"), "utf8");
  } catch {
    return "";
  }
}
