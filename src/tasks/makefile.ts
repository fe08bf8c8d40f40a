import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ProblemError } from "../project/problem-error.ts";
import { type Environment, expandMake, makefileLines, makeVariables, shellWords } from "../text/make-variables.ts";

/** Returns the options and flags of the generator in the Makefile of a project; none without a call in its `manifests` target. */
export function makefileOptions(root: string, env: Environment): string[] {
  return manifestsOptions(readMakefile(root), env);
}

/**
 * Returns the options of the call of `scaffold generate` in the `manifests` target, with make's variables replaced. Without such a
 * call there are none, and `scaffold generate` uses the project's defaults.
 *
 * @throws ProblemError if the call contains a function of make
 */
export function manifestsOptions(makefile: string, env: Environment = {}): string[] {
  const lines = makefileLines(makefile);
  const start = lines.findIndex((line) => /^manifests\s*:(?!=)/.test(line));
  const recipe = start < 0 ? [] : lines.slice(start + 1);
  const end = recipe.findIndex((line) => !/^(\t|\s*$|#)/.test(line));
  const calls = recipe
    .slice(0, end < 0 ? undefined : end)
    .map((line) => /\bscaffold\s+generate\s+(.*)/s.exec(line)?.[1]);
  const call = calls.find((each) => each !== undefined)?.replace(/(?<!\s)\s*(&&|\|\||;|\s#).*/s, "");
  return shellWords(expandMake(call ?? "", makeVariables(lines, env), refuseCall));
}

/** A Makefile's call of `scaffold generate` in the `manifests` target: up to the next target, and the options in it. */
const manifestsCall =
  /^(manifests[ \t]*:(?!=)[^\n]*\n(?:(?:\t|[ \t]*(?:#|$))[^\n]*\n)*?\t[^\n]*\bscaffold[ \t]+generate\b)((?:[^\n\\]|\\\r?\n)*)/m;

/**
 * Adds generators to the options of the call in the `manifests` target of a Makefile, and removes others with their output rules.
 *
 * @returns undefined if the Makefile has no such call
 */
export function withGenerators(
  makefile: string,
  { enable, disable }: { readonly enable: readonly string[]; readonly disable: readonly string[] },
): string | undefined {
  if (!manifestsCall.test(makefile)) return undefined;
  return makefile.replace(manifestsCall, (_, call: string, given: string) => {
    const word = (text: string) => new RegExp(`[ \\t]+${text}(?=\\s|$)`, "g");
    const has = (name: string) => word(`${name}(?::\\S*)?`).test(given);
    let options = given;
    for (const name of disable) {
      options = options.replace(word(`${name}(?::\\S*)?`), "").replace(word(`output:${name}:\\S+`), "");
    }
    const added = enable.filter((name) => !has(name)).map((name) => ` ${name}`);
    // Generators precede the paths, as in scaffolded Makefiles.
    const [before] = /^.*?(?=[ \t]+(?:paths=|output:|\$|&&|\|\||;|#|\\\r?\n)|[ \t]*\r?$)/.exec(options) ?? [options];
    return call + before + added.join("") + options.slice(before.length);
  });
}

function refuseCall(call: string): never {
  throw new ProblemError(
    "bad-makefile",
    `the options in the manifests target of the Makefile can't be read: ${call} isn't a plain variable`,
    "use variables such as $(NAME) only, or write the options themselves",
  );
}

function readMakefile(root: string): string {
  try {
    return readFileSync(join(root, "Makefile"), "utf8");
  } catch {
    return "";
  }
}
