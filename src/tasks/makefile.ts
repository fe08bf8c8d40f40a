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
  const place = manifestsCall(makefile);
  const [call = ""] = place === undefined ? [] : makefileLines(makefile.slice(place.start, place.end));
  const options = call.replace(/(?<!\s)\s*(&&|\|\||;|\s#).*/s, "");
  const variables = makeVariables(makefileLines(makefile), env);
  return shellWords(expandMake(options, variables, refuseCall));
}

/** Returns where the options of `scaffold generate` in the `manifests` target begin and end; undefined without such a call. */
function manifestsCall(makefile: string): { start: number; end: number } | undefined {
  const target = /^manifests[ \t]*:(?!=)[^\n]*\n/m.exec(makefile);
  for (let at = target ? target.index + target[0].length : makefile.length; at < makefile.length; ) {
    const lineEnd = makefile.indexOf("\n", at);
    const line = makefile.slice(at, lineEnd === -1 ? makefile.length : lineEnd);
    if (!/^(?:\t|[ ]*(?:#|\r?$))/.test(line)) return undefined;
    const call = line.startsWith("\t") ? /\bscaffold[ \t]+generate\b/.exec(line) : null;
    if (call) {
      const start = at + call.index + call[0].length;
      // The call goes on in the next line after a backslash.
      const [options = ""] = /^(?:[^\n\\]|\\\r?\n)*/.exec(makefile.slice(start)) ?? [];
      return { start, end: start + options.length };
    }
    at += line.length + 1;
  }
  return undefined;
}

/**
 * Adds generators to the options of the call in the `manifests` target of a Makefile, and removes others with their output rules.
 *
 * @returns undefined if the Makefile has no such call
 */
export function withGenerators(
  makefile: string,
  { enable, disable }: { readonly enable: readonly string[]; readonly disable: readonly string[] },
): string | undefined {
  const place = manifestsCall(makefile);
  if (place === undefined) return undefined;
  let options = makefile.slice(place.start, place.end);
  const word = (text: string) => new RegExp(`(?<![ \\t])[ \\t]+${text}(?=\\s|$)`, "g");
  const added = enable.filter((name) => !word(`${name}(?::\\S*)?`).test(options)).map((name) => ` ${name}`);
  for (const name of disable) {
    options = options.replace(word(`${name}(?::\\S*)?`), "").replace(word(`output:${name}:\\S+`), "");
  }
  // Generators precede the paths, as in scaffolded Makefiles.
  const next = options.search(/(?<![ \t])[ \t]+(?:paths=|output:|\$|&&|\|\||;|#|\\)/);
  const before = next < 0 ? options.trimEnd() : options.slice(0, next);
  return [
    makefile.slice(0, place.start),
    before,
    ...added,
    options.slice(before.length),
    makefile.slice(place.end),
  ].join("");
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
