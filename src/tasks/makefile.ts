import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ProblemError } from "../project/problem-error.ts";

/** Returns the options and flags of the generator in the Makefile of a project; none without a call in its `manifests` target. */
export function makefileOptions(root: string, env: Environment): string[] {
  return manifestsOptions(readMakefile(root), env);
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the options of the call of `scaffold generate` in the `manifests` target, with make's variables replaced. Without such a
 * call there are none, and `scaffold generate` uses the project's defaults.
 *
 * @throws ProblemError if the call contains a function of make
 */
export function manifestsOptions(makefile: string, env: Environment = {}): string[] {
  const lines = makefile.replace(/\\\r?\n\t?/g, " ").split(/\r?\n/);
  const start = lines.findIndex((line) => /^manifests\s*:(?!=)/.test(line));
  const recipe = start < 0 ? [] : lines.slice(start + 1);
  const end = recipe.findIndex((line) => !/^(\t|\s*$|#)/.test(line));
  const calls = recipe
    .slice(0, end < 0 ? undefined : end)
    .map((line) => /\bscaffold\s+generate\s+(.*)/s.exec(line)?.[1]);
  const call = calls.find((each) => each !== undefined)?.replace(/(?<!\s)\s*(&&|\|\||;|\s#).*/s, "");
  const words = expanded(call ?? "", variablesOf(lines, env)).match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map((word) => word.replace(/["']/g, ""));
}

/** Returns make's variables: those of the environment, and those that the Makefile sets. */
function variablesOf(lines: readonly string[], env: Environment): Map<string, string> {
  const variables = new Map(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  for (const line of lines) {
    const [, name, how, value = ""] = /^(?:export\s+)?([\w.-]+)\s*(\?=|:{0,2}=)\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined && (how !== "?=" || !variables.has(name))) variables.set(name, value);
  }
  return variables;
}

/** Replaces variables as make does: one that isn't set is empty. */
function expanded(text: string, variables: ReadonlyMap<string, string>, depth = 0): string {
  return text.replace(/\$(?:\$|\(([^()]*)\)|\{([^{}]*)\}|.?)/g, (match, round?: string, curly?: string) => {
    if (match === "$$") return "$";
    const name = round ?? curly;
    if (name === undefined || !/^[\w.-]+$/.test(name) || depth > 10) {
      throw new ProblemError(
        "bad-makefile",
        `the options in the manifests target of the Makefile can't be read: ${match} isn't a plain variable`,
        "use variables such as $(NAME) only, or write the options themselves",
      );
    }
    return expanded(variables.get(name) ?? "", variables, depth + 1);
  });
}

function readMakefile(root: string): string {
  try {
    return readFileSync(join(root, "Makefile"), "utf8");
  } catch {
    return "";
  }
}
