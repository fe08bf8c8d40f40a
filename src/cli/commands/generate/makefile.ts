import { readFileSync } from "node:fs";
import { join } from "node:path";
import { manifestsOptions } from "../../../scaffold/versions.ts";
import { usageError } from "../../errors.ts";

/**
 * Returns the options of `make manifests`: those of the first `scaffold generate` in its recipe, otherwise the defaults. Flags and
 * make variables such as `$(GENERATE_FLAGS)` aren't options.
 *
 * @throws CliError if an option contains a make variable, because its value isn't known
 */
export function projectOptions(cwd: string): readonly string[] {
  const line = generateLine(cwd);
  if (line === undefined) return manifestsOptions.split(" ");
  // A call of a make function contains spaces.
  const words = line.replace(/(?<!\S)\$\([^()]*\)(?!\S)/g, "").match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  const options = words.filter((word) => !word.startsWith("-")).map((word) => word.replace(/["']/g, ""));
  const unknown = options.find((option) => option.includes("$"));
  if (unknown !== undefined) {
    throw usageError(
      `can't use the options of make manifests: ${unknown} contains a make variable`,
      "write its value in the Makefile, or pass all options to scaffold generate",
    );
  }
  return options;
}

/** Returns the arguments of `scaffold generate` in the recipe of `manifests`; undefined if there are none. */
export function generateLine(cwd: string): string | undefined {
  const makefile = readMakefile(cwd)?.replace(/\\\r?\n/g, " ");
  const recipe = /^manifests:.*\r?\n((?:\t.*(?:\r?\n|$))+)/m.exec(makefile ?? "")?.[1];
  return /^\t[^\n]*\bscaffold generate\b([^\n#;&|]*)/m.exec(recipe ?? "")?.[1]?.trim();
}

function readMakefile(cwd: string): string | undefined {
  try {
    return readFileSync(join(cwd, "Makefile"), "utf8");
  } catch {
    return undefined;
  }
}
